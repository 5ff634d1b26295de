"""Fleets: their dumps, their findings, and that each is reported once."""
