"""`kubemerge wait`: wait until live objects meet a condition or are gone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from ..options.clusters import ClusterLocation, cluster_options, opened, result_option
from ..options.objects import Selection, live_objects, selection_options
from ..terminal.console import console_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...cluster import Cluster, Object
    from ..failures import Failures

_WEEK = 168 * 3600.0


def _timeout(context: click.Context, parameter: click.Parameter, text: str) -> float:
    """The time limit in seconds. 0 checks once, and negative values wait for a week."""
    from ..options.durations import duration

    return _WEEK if text.startswith("-") else duration(zero=0.0)(context, parameter, text)


@click.command("wait")
@cluster_options
@selection_options(every=True, all_namespaces=True)
@click.option(
    "--for",
    "wanted",
    metavar="CONDITION",
    multiple=True,
    help="Condition: delete, create, condition=NAME[=VALUE], or jsonpath=PATH[=VALUE]. May be repeated.",
)
@click.option(
    "--timeout",
    callback=_timeout,
    default="30s",
    show_default=True,
    metavar="DURATION",
    help="Time limit (example: 45s or 1m30s). 0 checks once.",
)
@result_option
@console_options
def wait(
    where: ClusterLocation,
    selection: Selection,
    wanted: tuple[str, ...],
    timeout: float,
    output: Any,
    show_managed_fields: bool,
) -> int:
    """Wait for a condition on live objects, or for their deletion.

    In the embedded cluster, objects change only when another process writes them.
    """
    from ..failures import Failures
    from ..runs.result_lines import Results
    from ..runs.wait import NOTHING_NAMED, NotMet, conditions, wait_for

    needed = conditions(wanted)
    failures = Failures()
    if not selection.words and not selection.config:
        failures.report_lines(NOTHING_NAMED)
        return failures.exit_code
    until = time.monotonic() + timeout if timeout else None
    some = gone = any(one.of_deletion for one in needed)
    with opened(where, "read") as cluster:
        if any(one.word == "create" for one in needed):
            _wait_for_some(cluster, selection, until)
        for live in _objects(cluster, selection, failures, ignore_missing=gone):
            some = True
            with failures.catch():
                for condition in needed:
                    results = Results(output, managed_fields=show_managed_fields)
                    results.done(wait_for(cluster, live, condition, until), "condition met")
                    results.finish()
    if not some and not failures.count:
        raise NotMet("no matching resources found")
    return failures.exit_code


def _objects(cluster: Cluster, selection: Selection, failures: Failures, *, ignore_missing: bool) -> Sequence[Object]:
    return list(live_objects(cluster, selection, failures, ignore_missing=ignore_missing))


def _wait_for_some(cluster: Cluster, selection: Selection, until: float | None) -> None:
    """Wait until a selected object exists."""
    from ..failures import Failures
    from ..runs.wait import ENDED, PAUSE, NotMet

    while not list(live_objects(cluster, selection, Failures(), ignore_missing=True)):
        if until is None or time.monotonic() >= until:
            raise NotMet(ENDED)
        time.sleep(PAUSE)
