"""`kubemerge why`: the reason of every field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..options.shared import apply_options, by_server_options, raw_option, secrets_option
from ..terminal.console import console_options

if TYPE_CHECKING:
    from ...offline.pairs import OnServer
    from ..runs.merge_request import MergeRequest


@click.command()
@click.argument("path", required=False)
@by_server_options
@apply_options
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
@click.option("--changed", is_flag=True, help="Only the fields that change, with their values before and after.")
@raw_option
@secrets_option
@console_options
def why(
    asked: MergeRequest,
    path: str | None,
    output: str,
    changed: bool,
    raw: bool,
    show_secrets: bool,
    by: OnServer | None,
) -> int:
    """Tell why every field has its value after an apply, or only those at PATH.

    PATH is as in `spec.template.spec.containers[name=web].image`; elements of lists need not be named, or go by their
    position in the result. With --changed and as JSON there are values too, those of Secrets masked. With
    --server-side, each reason says who owns the field, since which write, and what this apply takes over or gives up.
    """
    from ..runs.print_reasons import print_reasons

    return print_reasons(asked, path, output, changed=changed, show_secrets=show_secrets, by=by, raw=raw)
