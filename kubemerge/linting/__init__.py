"""Linting many files: in several processes, and from what is kept of the last time where it holds."""
