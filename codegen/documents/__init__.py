"""The reader of YAML and JSON, for specifications and for manifests: from bytes to documents.

It distinguishes text, JSON and YAML, limits the size and depth of documents, and has the message and place of every
error. The sources of bytes and the contents of documents belong elsewhere. Start with `reader`.
"""
