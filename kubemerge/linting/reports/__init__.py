"""Linting files: the findings of the engine with their lines, and the reports that other programs read."""
