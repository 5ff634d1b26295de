"""Objects that `create` builds from options, with the zero values that kubectl sends.

Each function returns one object. Its fields are in the order in which Go writes them, which `--save-config` shows.
"""
