"""Custom resources whose lists merge by the keys of their own schema, where kubectl would replace them.

The rules of custom resources and their patches belong here. The merge itself is `lossless.merge`.
"""
