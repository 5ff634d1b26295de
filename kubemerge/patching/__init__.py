"""Patches of every type, and sparse configs, laid over objects."""
