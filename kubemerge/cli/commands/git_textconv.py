"""`kubemerge git-textconv`: the text conversion for git diff."""

from __future__ import annotations

import click

from ..terminal.console import console_options, echo


@click.command("git-textconv")
@click.argument("file", type=click.Path())
@console_options
def git_textconv(file: str) -> int:
    """Print one line for each field of a file, for `git diff`.

    Each line has the object, the path and the value, so that a diff shows the changed paths. Values of Secrets are
    masked. `kubemerge git-setup` registers the command.
    """
    from ...gitmerge.textconv import lines
    from ...manifests.files import Files

    source, data = Files().content(file)
    for line in lines(data, source):
        echo(line)
    return 0
