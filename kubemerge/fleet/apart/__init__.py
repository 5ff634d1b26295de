"""Objects checked in a separate process, which may crash or hang.

`watching` runs in the worker: it starts, supervises and restarts the process. `process` runs in it.
"""
