"""Merging that loses nothing: the object that people mean, and a patch that any API server applies."""
