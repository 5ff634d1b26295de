"""What is in the files that people name: bytes, documents, objects, and where each stands.

How YAML and JSON are read is decided in `codegen.documents`. What is made of the objects is for the rooms above.
"""
