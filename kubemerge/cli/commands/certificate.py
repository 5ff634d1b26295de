"""`kubemerge certificate`: decide on certificate signing requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..generators.shared import Aliased
from ..options.clusters import Where, cluster_options, opened, result_option
from ..options.objects import Selection, live_objects, naming_options
from ..terminal.console import console_options, echo

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...actions.operating.certificates import Decision


@click.group("certificate", cls=Aliased, no_args_is_help=False)
def certificate() -> None:
    """Approve or deny certificate signing requests. Nothing signs them here."""


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    force = click.option("--force", is_flag=True, help="Write the decision even if it is there already.")
    for option in (console_options, result_option, force, naming_options, cluster_options):
        command = option(command)
    return command


@certificate.command("approve")
@_options
def approve(where: Where, selection: Selection, **options: Any) -> int:
    """Approve certificate signing requests by their names."""
    from ...actions.operating.certificates import APPROVED

    return _decide(where, selection, APPROVED, **options)


@certificate.command("deny")
@_options
def deny(where: Where, selection: Selection, **options: Any) -> int:
    """Deny certificate signing requests by their names."""
    from ...actions.operating.certificates import DENIED

    return _decide(where, selection, DENIED, **options)


def _decide(
    where: Where, selection: Selection, decision: Decision, *, force: bool, output: Any, show_managed_fields: bool
) -> int:
    from ...actions.generators.parts import BadOptions
    from ...actions.operating.certificates import decide
    from ..failures import Failures
    from ..options.objects import with_words
    from ..runs.result_lines import Results

    if not selection.words and not selection.config:
        raise BadOptions("one or more CSRs must be specified as <name> or -f <filename>")
    failures, some = Failures(), False
    if selection.words:
        selection = with_words(selection, ("certificatesigningrequests", *selection.words))
    with opened(where, "change") as cluster:
        for live in live_objects(cluster, selection, failures):
            with failures.past():
                decide(cluster, live, decision, force=force)
                some = True
                results = Results(output, managed_fields=show_managed_fields)
                results.done(live, decision.condition.lower())
                results.finish()
    if not some and not failures.count:
        echo("No resources found")
    return failures.exit_code
