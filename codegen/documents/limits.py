"""How large a specification may be before it is refused. Specifications are untrusted."""

MAX_BYTES = 128 * 1024 * 1024
"""Of one document, as it came and unpacked. The largest known cluster documents are about half of it."""

MAX_DEPTH = 200
"""Nested levels of one document; the deepest published CRDs need about 70."""

MAX_COLLECTIONS = 10_000_000
"""Objects and lists of any document; a document of our maximal size that says something has a few million."""

MAX_NODES = 2_000_000
"""Values of one YAML document once its aliases are written out: what stops an alias bomb."""
