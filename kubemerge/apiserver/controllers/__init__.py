"""Consequences of a write: garbage collection, namespaces, protection, conditions, and the first objects of a cluster.

Validation of the write itself is not here.
"""
