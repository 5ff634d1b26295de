"""Typed values as in structured-merge-diff: validate, merge, compare and remove.

`shapes` is the only module that reads the tables.
"""
