"""Validation of PodSpecs: one module for each part."""
