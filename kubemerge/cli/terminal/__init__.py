"""The terminal: messages, data on standard output, a progress bar, an editor.

Only this package and the commands access a terminal. The format of data is decided in `output`.
"""
