"""`kubemerge merge`: what apply makes of an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..options.shared import apply_options, by_server_options, html_option, raw_option, secrets_option
from ..terminal.console import console_options

if TYPE_CHECKING:
    from ...offline.pairs import OnServer
    from ..runs.merge_request import MergeRequest


@click.command()
@by_server_options
@apply_options
@click.option(
    "-o",
    "--output",
    type=click.Choice(["yaml", "json", "patch", "name"]),
    default="yaml",
    help="What to print. patch is a JSON document a line; the lines on standard error say, in this order, whose.",
)
@raw_option
@html_option
@secrets_option
@console_options
def merge(
    asked: MergeRequest, output: str, raw: bool, html: str | None, show_secrets: bool, by: OnServer | None
) -> int:
    """Print what `kubectl apply` makes of the objects in the config.

    Each is merged with the live object of the same group, kind, namespace and name, and printed as a server stores it.
    Values that only a server can choose, such as a uid, are left out.
    With --server-side, it is what one server-side apply makes of them; `kubemerge migrate` tells what follows it.
    An object that cannot be merged is reported, the others are printed, and the exit code is 2.
    """
    from ..runs.print_merged import print_merged

    return print_merged(asked, output, html, show_secrets=show_secrets, by=by, raw=raw)
