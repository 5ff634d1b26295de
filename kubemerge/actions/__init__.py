"""What is done to a cluster: apply, create, replace, delete, scale, edit and the like, for any cluster.

An action takes a `Cluster` and objects, and gives objects back, or raises. What somebody typed is for `cli`, and how
the objects are stored for `cluster`. `requests` has what all of them share; `apply` is the one to read first.
"""
