"""`kubemerge diff`: changes that an apply would make."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...actions.serverside.managers import KUBECTL
from ..options.clusters import selector_option, server_side_options
from ..options.shared import apply_options, html_option, secrets_option
from ..terminal.console import console_options

if TYPE_CHECKING:
    from ...offline.pairs import OnServer
    from ..runs.merge_request import MergeRequest


@click.command()
@apply_options
@selector_option
@click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Output format: a unified diff, or a list of the fields that differ.",
)
@click.option("--show-managed-fields", is_flag=True, help="Include metadata.managedFields.")
@click.option("--prune", is_flag=True, help="Also show objects that `apply --prune` would delete (see --selector).")
@click.option(
    "--prune-allowlist",
    "allowlist",
    metavar="GROUP/VERSION/KIND",
    multiple=True,
    help="Prune this kind (example: core/v1/ConfigMap) instead of kubectl's default list. May be repeated.",
)
@server_side_options
@html_option
@secrets_option
@console_options
def diff(
    asked: MergeRequest,
    selector: str | None,
    output: str,
    html: str | None,
    server_side: bool,
    force_conflicts: bool,
    manager: str | None,
    **options: Any,
) -> int:
    """Show what `kubectl apply` would change.

    The output format matches `kubectl diff`. Live objects come from --live. Without --live, they come from the cluster,
    to which each object is then sent as a dry run. If the cluster does not exist yet, a new one is used, and every
    object is new.

    With --live, the command also reports requests that a server would reject. New objects include server defaults. The
    diff leaves out the last-applied annotation and the generation, and masks values of Secrets. If an object occurs
    twice in the config, the last one is used.

    Exit codes: 0: no difference, 1: differences, 2: error. If KUBECTL_EXTERNAL_DIFF is set, that program prints the
    difference and sets the exit code, as with kubectl.
    """
    from ..runs.print_diff import print_diff

    if force_conflicts and not server_side:
        raise click.UsageError("--force-conflicts only works with --server-side")
    by = _on_server(manager, force_conflicts) if server_side else None
    return print_diff(asked, selector or "", output, html, by=by, **options)


def _on_server(manager: str | None, force: bool) -> OnServer:
    from ...offline.pairs import OnServer

    return OnServer(manager or KUBECTL, force)
