"""Facts about kinds other than merge rules: names, scope, versions, changes between releases, and lookup by a word.

Merge rules are in the engine's tables. Facts that the API server needs are in `apiserver.kinds`.
"""
