"""The help: one text for each command, on one line, and a screen for all of them."""

from __future__ import annotations

import click
import pytest

from kubemerge.cli.group import COMMANDS, RUN_BY_GIT, SECTIONS, cli

SCREEN = 80, 60
"""Columns and lines of a terminal window."""


def _help(name: str) -> str:
    command = cli.get_command(click.Context(cli, info_name="kubemerge"), name)
    assert command is not None
    return command.help or ""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_in_the_help_is_the_first_line_of_the_commands_own_help(name: str) -> None:
    assert _help(name).split("\n")[0] == COMMANDS[name]


def test_each_command_is_in_one_section() -> None:
    names = [name for section in SECTIONS.values() for name in section]
    assert sorted([*names, *RUN_BY_GIT]) == sorted(COMMANDS)


def test_the_help_fits_a_screen() -> None:
    width, height = SCREEN
    with click.Context(cli, info_name="kubemerge", terminal_width=width) as context:
        lines = cli.get_help(context).splitlines()
    assert len(lines) <= height
    for name in COMMANDS.keys() - RUN_BY_GIT:
        assert any(line.split() == [name, *COMMANDS[name].split()] for line in lines), f"{name}: its line is wrapped"
