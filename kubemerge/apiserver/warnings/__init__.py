"""Warnings that a server returns with an object that it accepts, in its words and order."""
