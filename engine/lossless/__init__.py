"""Merging that loses nothing: the object that the config asks for, and a patch that any API server applies to get it.

`safe` is the entry. What kubectl does, with its losses, belongs in `strategic`.
"""
