"""Lossless merging: the requested object, and a patch that produces it on any API server.

`safe` is the entry point. kubectl's own algorithm, with its losses, belongs in `strategic`.
"""
