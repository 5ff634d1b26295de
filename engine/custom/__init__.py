"""Custom resources whose lists merge by the keys in their schema. kubectl would replace these lists.

The rules of custom resources and their patches belong here. The merge itself is `lossless.merge`.
"""
