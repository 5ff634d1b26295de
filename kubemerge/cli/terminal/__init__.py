"""What a command says and shows while it runs: messages, data on standard output, a bar, an editor.

Only this folder and the commands know that there is a terminal. What the data looks like is decided in `output`.
"""
