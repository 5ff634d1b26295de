"""`kubemerge diff`: what an apply would change."""

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
    help="A unified difference, or a list of the fields that differ.",
)
@click.option("--show-managed-fields", is_flag=True, help="Also show metadata.managedFields.")
@click.option("--prune", is_flag=True, help="Also show what an apply with --prune would delete; see --selector.")
@click.option(
    "--prune-allowlist",
    "allowlist",
    metavar="GROUP/VERSION/KIND",
    multiple=True,
    help="Prune this kind, as core/v1/ConfigMap, and not those that kubectl prunes. May be repeated.",
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
    """Show what `kubectl apply` would change in the live objects, as `kubectl diff` does.

    Live are the objects of --live, else those of the cluster, which is also asked what it would make of the request;
    where there is none, a new one is asked, and every object is new. Of objects in files, it says what a server would
    refuse, and a new one is shown with all that a server fills in. The annotation of apply and the generation are left
    as they are, and the values of Secrets are masked. Of an object that is in the config twice, the last one counts.
    The exit code is 0 if nothing would change, 1 if something would, and 2 after an error. With KUBECTL_EXTERNAL_DIFF
    set, that program shows the difference and decides, as with kubectl.
    """
    from ..runs.print_diff import print_diff

    if force_conflicts and not server_side:
        raise click.UsageError("--force-conflicts only works with --server-side")
    by = _on_server(manager, force_conflicts) if server_side else None
    return print_diff(asked, selector or "", output, html, by=by, **options)


def _on_server(manager: str | None, force: bool) -> OnServer:
    from ...offline.pairs import OnServer

    return OnServer(manager or KUBECTL, force)
