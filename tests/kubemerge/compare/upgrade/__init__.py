"""The effect of an upgrade on objects: a corpus of known hazards, and of objects that no upgrade touches."""
