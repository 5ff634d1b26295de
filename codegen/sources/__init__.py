"""Sources of specifications: files, addresses, clusters and packages.

These modules fetch the bytes. `documents` parses them, and `specs` interprets them.
"""
