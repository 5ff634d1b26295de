"""The command line: the only room that knows about arguments, a terminal and exit codes.

`commands` has a module for each command, which is found by its name, `options` what several commands share,
`runs` the work of those that handle objects one by one, and `terminal` what they print with. What does not need a
terminal belongs in a room below.
"""
