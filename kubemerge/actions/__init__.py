"""Actions on a cluster: apply, create, replace, delete, scale, edit and the like, for any `Cluster`.

An action takes a `Cluster` and objects, and returns objects or raises. `cli` reads what somebody typed, and `cluster`
stores the objects. `requests` has what all actions share; `apply` is the one to read first.
"""
