"""Merge rules as tables: data only, imports nothing. Printed by `kubemerge generate`; do not edit."""
