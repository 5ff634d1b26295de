"""Patches as the API server applies them, to any JSON document, without a store.

Checks of the object's identity are in `patch_identity.py`.
"""
