"""Text as Go and kubectl print it: quoted values, YAML, and text that is safe on a terminal.

Messages are in `problems` and next to the rules.
"""
