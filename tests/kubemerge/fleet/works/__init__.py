"""What is done with one object after the other."""
