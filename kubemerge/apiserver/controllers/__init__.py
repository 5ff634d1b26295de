"""Controllers: garbage collection, namespaces, protection, conditions, and the initial objects of a cluster.

Validation of writes is not here.
"""
