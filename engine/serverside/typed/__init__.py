"""Typed values as in structured-merge-diff: validate, merge, compare and remove.

`schema` is the only module that reads the tables.
"""
