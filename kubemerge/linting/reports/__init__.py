"""Findings of the engine with their lines, and reports for people and other programs."""
