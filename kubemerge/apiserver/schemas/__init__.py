"""Structural schemas of custom resources, and the formats and problems shared with CEL.

Validation of objects by a schema is in `crd`, expressions are in `cel`.
"""
