"""Objects by their types, as server-side apply sees them: checking, merging, comparing and removing.

`shapes` is the only module that asks the tables.
"""
