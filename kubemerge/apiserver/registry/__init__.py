"""The strategy of each built-in kind: one record with defaults, validation, warnings and reset fields.

`table.find` returns the record of a kind. Validation of Pods and other core kinds is in `validation`.
"""
