"""JSON values: types, copies, equality, Go's text of them, and quantities.

What is true of any JSON value belongs here. What depends on a field, a type or a kind belongs in `tables`.
"""
