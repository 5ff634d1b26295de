"""Controllers: garbage collection, namespaces, protection, aggregated roles, conditions, and initial objects.

Validation of writes is not here.
"""
