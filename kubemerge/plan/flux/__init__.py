"""Flux: its settings, its order and its plan."""
