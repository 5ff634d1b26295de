"""Warnings about accepted objects, in the words and order of a server."""
