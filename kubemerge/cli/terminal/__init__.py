"""The terminal: messages, data on standard output, a progress bar, an editor.

Only this room and the commands know about a terminal. What the data looks like is decided in `output`.
"""
