"""The work of commands on many objects: continuing after failures, counting, reporting and printing.

The change of a single object is in `actions`, `offline` and the like.
"""
