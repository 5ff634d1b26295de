"""What an upgrade does to objects: a corpus of known hazards, and of objects that no upgrade touches."""
