"""A child process in which a worker checks objects, because an object may crash it or never end.

`supervisor` runs in the worker: it starts, supervises and restarts the process. `process` runs in the child, and
`messages` are the messages between both.
"""
