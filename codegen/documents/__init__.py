"""The one reader of YAML and JSON, for specifications and for manifests: from bytes to documents.

It decides what is text, what is JSON and what is YAML, how large and deep a document may be, and the message and place
of every error. Where bytes come from, and what a document should contain, is decided elsewhere. Start with `reader`.
"""
