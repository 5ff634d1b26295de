"""What `compare` does: reads the objects of a config, has them or the rules compared, and prints what was found."""
