"""Merge rules as tables: data only, imports nothing. Printed by `kubemerge generate`; do not edit.

A row holds from its first to its last minor; None is without an end. A row ends at the last column that says something.
"""
