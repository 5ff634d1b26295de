"""Merge rules of a field, a type, a kind and a release: loading them, overlaying them, and looking them up.

What the API says about a field belongs here, and so does the identity of list elements. Merging does not: see
`strategic` and `lossless`.
"""
