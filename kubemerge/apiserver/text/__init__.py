"""Text as Go and kubectl print it: quoted values, YAML, and text that is safe on a terminal.

No words of messages: those are in `problems` and beside the rules.
"""
