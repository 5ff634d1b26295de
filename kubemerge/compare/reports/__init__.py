"""Comparisons and replays as text, Markdown and JSON."""
