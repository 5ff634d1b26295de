"""Formats for people and programs: objects, rules in words, wrapping, and masked Secrets. Nothing here prints.

These are pure functions from values to text. `cli.terminal` prints it.
"""
