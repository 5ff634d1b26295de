"""Validation of metadata, Pods, and kinds in the core, apps and batch groups.

Each function yields the problems of one object. Other groups are in `registry`, custom resources in `crd`.
"""
