"""Objects as `kubectl get` prints them: tables, columns that somebody asks for, JSONPath, and their order.

What a built-in kind shows is in `columns` and `cells`; YAML and JSON are in `output`.
"""
