"""Declared validation compared with upstream: its own lists of rules, and a real API server."""
