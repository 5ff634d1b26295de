"""Merge rules of a field, a type, a kind and a release: loading, overlays and lookups.

Facts about fields in the API belong here, and so does the identity of list elements. Merging belongs in `strategic` and
`lossless`.
"""
