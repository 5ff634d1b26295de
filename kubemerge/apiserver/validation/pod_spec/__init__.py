"""Validation of a PodSpec, wherever it stands: one module for each part."""
