"""Custom resources: pruning, defaulting and validation by the schema of their definition.

CustomResourceDefinitions themselves are in `definitions`, expressions in `cel`, patterns in `regex`.
"""
