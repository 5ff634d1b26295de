"""Decoding of objects: type errors, unknown fields, and values that Go types cannot hold or always print."""
