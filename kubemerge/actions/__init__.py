"""Actions on a cluster: apply, create, replace, delete, scale, edit and the like, for any `Cluster`.

An action takes a `Cluster` and objects, and returns objects or raises. `cli` reads the command line, and `apiserver`
stores objects. `requests` has the steps that all actions share. Read `apply` first.
"""
