"""What is done with each object: a work says it as rows. They are what the commands of the same names do."""
