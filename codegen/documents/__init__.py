"""Bytes to documents: the one reader of YAML and JSON, for specifications and for manifests.

Here is decided what is text, what is JSON and what YAML, how large and deep a document may be, and what is said of one
that cannot be read, with its place. What a document should contain is for others to say, and so is how bytes come.
Begin with `reader`.
"""
