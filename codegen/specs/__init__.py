"""Facts of specifications: of OpenAPI v2 and v3, JSON Schema bundles and CustomResourceDefinitions.

Differences between these formats end here. What a fact means for merging is decided in `codegen.rules`.
"""
