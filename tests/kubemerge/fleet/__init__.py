"""Fleets: their dumps, what is said of them, and that it is said once."""
