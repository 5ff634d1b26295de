"""What `get` does beside printing what there is: it asks for a path, and follows what changes."""
