"""The command line: the one room that knows of arguments, a terminal and exit codes.

`commands` has a module for each command, which is found by its name, `options` what several of them share, `runs` the
work of those that take objects one by one, and `terminal` what they print with. What can be asked without a terminal
belongs into a room below.
"""
