"""`kubemerge why`: reasons for field values."""

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
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", help="Output format.")
@click.option("--changed", is_flag=True, help="Show only fields that change, with their old and new values.")
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
    """Explain the value of each field after an apply.

    PATH limits the output to one field, such as `spec.template.spec.containers[name=web].image`. `[name=web]` may be
    omitted, or be a position in the result, such as `[0]`. --changed and JSON output include values, and mask those of
    Secrets. With --server-side, each reason names the field's owner, the time of its write, and the fields that this
    apply takes over or gives up.

    Exit codes: 0: done. 2: an object could not be merged.
    """
    from ..runs.print_reasons import print_reasons

    return print_reasons(asked, path, output, changed=changed, show_secrets=show_secrets, by=by, raw=raw)
