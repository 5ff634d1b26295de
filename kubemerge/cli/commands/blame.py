"""`kubemerge blame`: the origin of each field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..options.shared import by_server_options, optional_apply_options, raw_option, secrets_option
from ..terminal.console import console_options

if TYPE_CHECKING:
    from ...offline.pairs import OnServer
    from ..runs.merge_request import MergeRequest


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
    conflicts. PATHs have the form of `kubemerge why`. With -f, an argument is such a PATH.

    Exit codes: 0: done. 2: an object could not be merged.
    """
    from ..runs.print_blame import print_blame

    if asked.config and words:
        if len(words) > 1 or path is not None:
            raise click.UsageError("with -f, only one PATH may be given")
        (path,) = words
    elif words:
        asked = asked.with_config(words)
    elif not asked.config:
        raise click.UsageError("pass the files of the config: `kubemerge blame FILE --live FILE`")
    return print_blame(asked, path, output, everything=everything, show_secrets=show_secrets, by=by, raw=raw)
