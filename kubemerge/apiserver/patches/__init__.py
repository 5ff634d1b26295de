"""Patches as the API server applies them: any JSON document and the three types of patches, and no store.

What a patch must not change of who an object is stands with the store, in `embedded/patch_identity.py`.
"""
