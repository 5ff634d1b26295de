"""`kubemerge merge`: the result of an apply."""

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
    help="Output format. patch prints one JSON document per line, and the object names, in the same order, to "
    "standard error.",
)
@raw_option
@html_option
@secrets_option
@console_options
def merge(
    asked: MergeRequest, output: str, raw: bool, html: str | None, show_secrets: bool, by: OnServer | None
) -> int:
    """Print the result of `kubectl apply` for each object.

    Each object is merged with the live object of the same group, kind, namespace and name. The result
    includes server defaults, but no values that only a server can choose, such as a uid. With --server-side, the
    command computes a server-side apply. For the first one after client-side applies, see `kubemerge migrate`.

    If an object cannot be merged, the error is printed, the other objects are still printed, and the exit code is 2.
    """
    from ..runs.print_merged import print_merged

    return print_merged(asked, output, html, show_secrets=show_secrets, by=by, raw=raw)
