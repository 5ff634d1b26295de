"""The work of `cordon` and `uncordon`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ....actions.requests import NONE, SERVER
from ....actions.serverside.managers import KUBECTL
from ...flags import Misused
from ...options.clusters import Where, cluster_options, dry_run_option, opened, selector_option
from ...options.objects import Selection, live_objects
from ...terminal.console import console_options

if TYPE_CHECKING:
    from collections.abc import Callable


def cordoning(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of both."""
    for option in (console_options, dry_run_option, selector_option, cluster_options):
        command = option(command)
    return click.argument("words", metavar="NODE...", nargs=-1)(command)


def mark(where: Where, words: tuple[str, ...], selector: str | None, dry_run: str, *, wanted: bool) -> int:
    """Mark Nodes; returns the exit code."""
    from ....actions.operating.nodes import cordoned
    from ....actions.setting.pod_specs import changed, patch
    from ...failures import Failures
    from ..result_lines import Results

    done = "cordoned" if wanted else "uncordoned"
    if not words and not selector:
        raise Misused(f"USAGE: {done.removesuffix('ed')} NODE [flags]")
    if words and selector:
        raise Misused("error: cannot specify both a node name and a --selector option")
    named = tuple(word.removeprefix("node/") for word in words)
    selection = Selection(words=("nodes", *named), selector=selector or "")
    failures, results = Failures(), Results(None, dry_run)
    with opened(where, "change" if dry_run == NONE else "read") as cluster:
        objects = list(live_objects(cluster, selection, failures))
        for live in objects if not failures.count else ():
            with failures.past():
                after = cordoned(live, wanted=wanted)
                if after is not None and dry_run in (NONE, SERVER):
                    patch(cluster, live, changed(cluster, live, after), KUBECTL, dry_run=dry_run == SERVER)
                results.done(live, f"already {done}" if after is None else done)
    return failures.exit_code
