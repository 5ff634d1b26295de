"""Objects as `kubectl get` prints them: tables, custom columns, JSONPath, and sorting.

What a built-in kind shows is in `columns` and `cells`; YAML and JSON are in `output`.
"""
