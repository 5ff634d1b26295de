"""Facts of specifications: OpenAPI v2 and v3, JSON Schema bundles and CustomResourceDefinitions.

Differences between these formats end here. The meaning of a fact for merging is decided in `codegen.rules`.
"""
