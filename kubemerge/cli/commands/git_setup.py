"""`kubemerge git-setup`: registration of the merge driver in git."""

from __future__ import annotations

import click

from ..terminal.console import console_options, tell


@click.command("git-setup")
@click.option("--global", "everywhere", is_flag=True, help="Set up all repositories of the user, not only this one.")
@click.option("--undo", is_flag=True, help="Remove what this command has written.")
@console_options
def git_setup(everywhere: bool, undo: bool) -> int:
    """Register the git merge driver and text conversion.

    Writes the driver to git's configuration, and `*.yaml merge=kubemerge diff=kubemerge` to .gitattributes. Existing
    lines are kept. Commit .gitattributes, and run this command in each clone, because git does not share its
    configuration.
    """
    from ...gitmerge import setup

    changes = setup.undo(everywhere=everywhere) if undo else setup.set_up(everywhere=everywhere)
    tell(setup.summary(changes), tables=False)
    return 0
