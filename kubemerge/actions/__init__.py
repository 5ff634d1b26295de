"""What is done to a cluster, one module for each action; nothing here prints, or knows of a command line."""
