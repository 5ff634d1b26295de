"""Parsing and type-checking expressions."""
