"""Decoding of objects: wrong types, unknown fields, and values that Go types cannot hold or always print."""
