"""`kubemerge blame`: the origin of each field."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import click

from ..options.shared import by_server_options, optional_apply_options, raw_option, secrets_option
from ..terminal.console import console_options

if TYPE_CHECKING:
    from ...offline.pairs import OnServer
    from ..runs.merge_request import MergeRequest

_FIELD = re.compile(r"(spec|metadata|data|status|stringData|rules)([.[]|$)")
"""Beginnings of the paths of fields."""


def reject_path(words: tuple[str, ...]) -> None:
    """Raise an error if a word after the files is the path of a field."""
    for word in words[1:]:
        if _FIELD.match(word) and not os.path.lexists(word):
            raise click.UsageError(f"{word}: no such file. If it is a field, pass `--field {word}`")


@click.command()
@click.argument("words", metavar="[FILE]...", nargs=-1)
@by_server_options
@optional_apply_options
@click.option("--field", "path", metavar="PATH", help="Show only this field, even if the config lacks it.")
@click.option("--all", "everything", is_flag=True, help="Also show fields that only the live object has.")
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@raw_option
@secrets_option
@console_options
def blame(
    asked: MergeRequest,
    words: tuple[str, ...],
    path: str | None,
    everything: bool,
    output: str,
    raw: bool,
    show_secrets: bool,
    by: OnServer | None,
) -> int:
    """Show the origin of each field, in git and in the live object.

    Each field of the config has the commit that last changed its lines, by `git blame`, the field managers of its live
    value, and the effect of `kubectl apply` on it. --server-side shows the effect of a server-side apply, with its
    conflicts. FILE is a file of the config. With -f, the argument may be a field instead, such as spec.replicas.

    Exit codes: 0: done. 2: an object could not be merged.
    """
    from ..runs.print_blame import print_blame

    if asked.config and words:
        if len(words) > 1 or path is not None:
            raise click.UsageError("with -f, only one PATH may be given")
        (path,) = words
    elif words:
        reject_path(words)
        asked = asked.with_config(words)
    elif not asked.config:
        raise click.UsageError("pass the files of the config: `kubemerge blame FILE --live FILE`")
    return print_blame(asked, path, output, everything=everything, show_secrets=show_secrets, by=by, raw=raw)
