"""`kubemerge taint`: change the taints of Nodes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ...actions.requests import CLIENT, NONE, SERVER
from ...actions.serverside.managers import TAINT
from ..flags import Misused
from ..generators.shared import validate_option
from ..options.clusters import Where, cluster_options, dry_run_option, manager_option, opened, result_option
from ..options.objects import Selection, live_objects, selection_options
from ..terminal.console import console_options

if TYPE_CHECKING:
    from ...cluster import Cluster


@click.command("taint")
@cluster_options
@selection_options(every=True)
@click.option("--overwrite", is_flag=True, help="Also overwrite taints that are there.")
@validate_option
@dry_run_option
@manager_option(TAINT)
@result_option
@console_options
def taint(
    where: Where,
    selection: Selection,
    overwrite: bool,
    dry_run: str,
    manager: str,
    output: Any,
    show_managed_fields: bool,
) -> int:
    """Change the taints of Nodes: KEY=VALUE:EFFECT sets one, KEY:EFFECT- or KEY- removes some."""
    from ...actions.operating.nodes import check, tainted
    from ...actions.setting.pod_specs import changed, patch
    from ..failures import Failures
    from ..runs.result_lines import Results

    words, wanted = _read(selection)
    failures = Failures()
    with opened(where, "change" if dry_run == NONE else "read") as cluster:
        _check_kind(cluster, words[0])
        check(wanted)
        picked = replace(selection, words=words[:1] if selection.picks else words)
        for live in live_objects(cluster, picked, failures):
            with failures.past():
                after, done = tainted(live, wanted, overwrite=overwrite)
                if dry_run != CLIENT:
                    difference = changed(cluster, live, after)
                    after = patch(cluster, live, difference, manager, dry_run=dry_run == SERVER)
                results = Results(output, managed_fields=show_managed_fields)
                results.done(after, done)
                results.finish()
    return failures.exit_code


def _read(selection: Selection) -> tuple[tuple[str, ...], Any]:
    from ...actions.generators.parts import BadOptions
    from ...actions.operating.nodes import BadTaint, read, split

    words, typed = split(selection.words)
    if not words:
        raise BadOptions("one or more resources must be specified as <resource> <name>")
    if not typed:
        raise BadOptions("at least one taint update is required")
    try:
        taints = read(typed)
    except BadTaint as error:
        raise Misused(str(error)) from None
    if selection.every and selection.selector:
        raise BadOptions("setting 'all' parameter with a non empty selector is prohibited")
    if len(words) < 2 and not selection.picks:
        raise BadOptions("at least one resource name must be specified since 'all' parameter is not set")
    return words, taints


def _check_kind(cluster: Cluster, word: str) -> None:
    from ...actions.generators.parts import BadOptions
    from ...actions.targets import kind_called

    if kind_called(cluster, word).kind != "Node":
        raise BadOptions(f"invalid resource type {word.lower()}, only node types are supported")
