"""The form of what is shown to people and programs: objects, rules in words, masked Secrets. Nothing here prints.

These are pure functions from values to text; `cli.terminal` puts the text somewhere.
"""
