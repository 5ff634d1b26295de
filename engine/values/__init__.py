"""JSON values: types, copies, equality, Go's JSON encoding, and quantities.

Properties of any JSON value belong here. Properties of a field, a type or a kind belong in `tables`.
"""
