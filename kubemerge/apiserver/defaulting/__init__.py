"""Defaults of built-in kinds as rows, and the code that applies them."""
