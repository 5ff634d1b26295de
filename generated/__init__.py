"""Merge rules as tables: data only, imports nothing. Printed by `kubemerge generate`; do not edit.

A row is valid from its first to its last minor; None means no limit. Empty columns at the end are left out.
"""
