"""Implementations of commands on many objects: continue after failures, count, report and print.

Changes to a single object are in `actions`, `offline` and similar packages.
"""
