"""Specifications to facts: OpenAPI v2 and v3, JSON Schema bundles and CustomResourceDefinitions."""
