"""The HTTP verbs on objects."""
