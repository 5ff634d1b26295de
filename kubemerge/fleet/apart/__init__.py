"""Looking at the objects of a part in a process of its own, which may die of one, or never end.

`watching` is the side of the worker: it begins the process, watches it, and begins it anew. `process` runs in it.
"""
