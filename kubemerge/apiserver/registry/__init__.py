"""The strategy of each built-in kind: one record with defaults, validation, warnings and reset fields.

`table.find` returns the record of a kind. Rules of Pods and other core kinds are in `validation`.
"""
