"""The terminal: messages, data on standard output, a progress bar, an editor.

Only this package and the commands access a terminal. Data formats are in `output`.
"""
