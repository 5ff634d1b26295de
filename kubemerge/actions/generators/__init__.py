"""Objects that `create` makes of options, with the zeros that kubectl sends.

Each function returns one object, its fields in the order in which Go writes them, which `--save-config` shows.
"""
