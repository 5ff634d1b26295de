"""Objects as `kubectl get` prints them: tables, custom columns, JSONPath, and sorting.

The columns of built-in kinds are in `columns` and `cells`. YAML and JSON are in `output`.
"""
