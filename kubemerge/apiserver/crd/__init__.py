"""Custom resources: pruning, defaulting and validation by the schema of their definition.

CustomResourceDefinitions themselves are in `definitions`, CEL expressions in `cel`, patterns in `regex`.
"""
