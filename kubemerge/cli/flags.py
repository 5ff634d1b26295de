"""Errors in command-line options, in kubectl's words."""

from __future__ import annotations

import re

import click

_NOT_A_NUMBER = re.compile(r": '(.*)' is not a valid integer", re.DOTALL)


class Misused(click.UsageError):
    """Words that kubectl rejects with a pointer to the command's help."""


def in_words_of_kubectl(error: click.ClickException, said: str, command: str) -> str:
    """The lines that kubectl prints for a click error."""
    if isinstance(error, click.NoSuchOption):
        return f"error: {_unknown(error.option_name)}\nSee '{command} --help' for usage."
    if isinstance(error, click.BadOptionUsage) and "requires an argument" in said:
        name = error.option_name
        short = f"'{name[1:]}' in {name}" if not name.startswith("--") else name
        return f"error: flag needs an argument: {short}\nSee '{command} --help' for usage."
    if isinstance(error, click.MissingParameter) and isinstance(error.param, click.Option):
        return f'error: required flag(s) "{max(error.param.opts, key=len).lstrip("-")}" not set'
    if isinstance(error, Misused):
        return f"error: {said}\nSee '{command} -h' for help and examples"
    number = _NOT_A_NUMBER.search(said)
    if number and isinstance(error, click.BadParameter) and error.param is not None:
        flag = ", ".join(sorted(error.param.opts, key=len))
        why = f'strconv.ParseInt: parsing "{number[1]}": invalid syntax'
        return f'error: invalid argument "{number[1]}" for "{flag}" flag: {why}\nSee \'{command} --help\' for usage.'
    said = said.removesuffix(".") if isinstance(error, click.BadParameter) else said
    return f"error: {said}".replace("\n\t", " ")


def _unknown(option: str) -> str:
    if option.startswith("--"):
        return f"unknown flag: {option}"
    return f"unknown shorthand flag: '{option[1:2]}' in {option}"
