"""Reading the files that people name: bytes, documents, objects, and the place of each.

How YAML and JSON are read is decided in `codegen.documents`. What happens to the objects is decided in higher rooms.
"""
