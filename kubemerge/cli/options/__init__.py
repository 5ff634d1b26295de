"""What a command line means: options, kinds and fields as people type them, and the objects of a cluster."""
