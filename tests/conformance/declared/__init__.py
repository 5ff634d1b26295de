"""Declared validation against upstream: its own lists of rules, and a real API server."""
