"""Read files from the command line: bytes, documents, objects, and the place of each.

YAML and JSON are parsed in `codegen.documents`. Packages above decide on the objects.
"""
