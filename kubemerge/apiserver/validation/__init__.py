"""Validation of metadata, of Pods and of kinds of the core, apps and batch groups.

Each function yields the problems of one object. Other groups are in `registry`, custom resources in `crd`.
"""
