"""The command line: the only package with arguments, a terminal and exit codes.

    commands      one module for each command, imported by its name
    options       options that several commands share
    runs          the work of commands that handle objects one by one
    terminal      messages, progress and colours
    failures      continuing after a failed object; exit codes are in `main`
    wording       error messages, as kubectl words them in its own commands
    plain_lines   simple command lines, parsed without click

Code without a terminal belongs in a lower package.
"""
