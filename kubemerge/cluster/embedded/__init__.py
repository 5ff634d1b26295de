"""The embedded cluster: a store in a file, and what the API server does around it. It knows nothing about commands.

`cluster` answers requests, `writes` and `store` keep objects, `admission` says what becomes of them before that.
"""
