"""`kubemerge rollout`: restart, pause, resume or undo a rollout, or tell about it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from ...actions.requests import CLIENT, NONE, SERVER
from ...actions.serverside.managers import ROLLOUT
from ..generators.shared import Aliased
from ..options.clusters import (
    Where,
    cluster_options,
    dry_run_option,
    managed_fields_option,
    manager_option,
    opened,
    result_option,
)
from ..options.durations import duration
from ..options.objects import Selection, live_objects, selection_options
from ..terminal.console import console, console_options, echo, echo_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...cluster import Cluster, Object

PAUSE = 0.2
"""Seconds between two looks at an object."""


@click.group("rollout", cls=Aliased, no_args_is_help=False)
def rollout() -> None:
    """Restart, pause, resume or undo a rollout, or tell about it, as far as objects show it."""


def _check(selection: Selection) -> None:
    if not selection.words and not selection.config:
        from ...actions.rollouts.changes import NoRollout

        raise NoRollout("required resource not specified")


# ---- changes ---------------------------------------------------------------------------------------------------------

_FAILED = {
    "restarted": "failed to create patch for {}: if restart has already been triggered within the past second, please "
    "wait before attempting to trigger another"
}


def _changing(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of `restart`, `pause` and `resume`."""
    for option in (console_options, result_option, manager_option(ROLLOUT), selection_options(), cluster_options):
        command = option(command)
    return command


def _change(where: Where, selection: Selection, done: str, manager: str, output: Any, show_managed_fields: bool) -> int:
    from engine import MergeError

    from ...actions.rollouts.changes import CHANGES
    from ...actions.setting.pod_specs import changed, patch
    from ..failures import Failures
    from ..runs.result_lines import Results

    _check(selection)
    failures, results = Failures(), Results(output, managed_fields=show_managed_fields)
    problems: list[str] = []
    with opened(where, "change") as cluster:
        objects = list(live_objects(cluster, selection, failures, bare=True))
        for live in objects:
            name = live["metadata"]["name"]
            try:
                after = CHANGES[done](live)
            except MergeError as error:
                called = cluster.resource(live["apiVersion"], live["kind"]).called
                problems.append(f'error: {called} "{name}" {error}')
                continue
            difference = changed(cluster, live, after)
            if not difference:
                problems.append(_FAILED[done].format(name))
                continue
            try:
                results.done(patch(cluster, live, difference, manager, dry_run=False), done)
            except MergeError as error:
                problems.append(f"failed to patch: {error}")
        if not objects and not failures.count:
            console().say(f"No resources found{selection.where(cluster)}")
    results.finish()
    failures.tell_all(problems)
    return failures.exit_code


@rollout.command("restart")
@_changing
def restart(where: Where, selection: Selection, **options: Any) -> int:
    """Restart a Deployment, DaemonSet or StatefulSet: its template says when, so that all Pods are replaced."""
    return _change(where, selection, "restarted", **options)


@rollout.command("pause")
@_changing
def pause(where: Where, selection: Selection, **options: Any) -> int:
    """Have a Deployment not act on changes."""
    return _change(where, selection, "paused", **options)


@rollout.command("resume")
@_changing
def resume(where: Where, selection: Selection, **options: Any) -> int:
    """Have a paused Deployment act on changes again."""
    return _change(where, selection, "resumed", **options)


# ---- status ----------------------------------------------------------------------------------------------------------


@rollout.command("status")
@cluster_options
@selection_options()
@click.option("-w", "--watch", type=bool, is_flag=False, flag_value=True, default=True, help="Wait until it is done.")
@click.option("--revision", type=int, default=0, metavar="NUMBER", help="Only if this is the revision.")
@click.option(
    "--timeout",
    callback=duration(zero=0.0),
    default="0",
    show_default=True,
    metavar="DURATION",
    help="How long to wait, as 45s or 1m30s; 0 is as long as it takes.",
)
@console_options
def status(where: Where, selection: Selection, watch: bool, revision: int, timeout: float) -> int:
    """Tell how far a rollout is. The status changes only if another process writes it, since nothing runs here."""
    from ...actions.rollouts.changes import NoRollout
    from ..failures import Failures

    _check(selection)
    if revision < 0:
        raise NoRollout(f"revision must be a positive integer: {revision}")
    failures = Failures()
    until = time.monotonic() + timeout if timeout else None
    some = False
    with opened(where, "read") as cluster:
        for live in live_objects(cluster, selection, failures, bare=True):
            some = True
            with failures.past():
                _follow(cluster, live, revision, until, watch=watch)
    if not some and not failures.count:
        console().say(f"No resources found{selection.where(cluster)}")
    return failures.exit_code


def _follow(cluster: Cluster, live: Object, revision: int, until: float | None, *, watch: bool) -> None:
    """Print how far a rollout is whenever the object changes, until it is done."""
    from ...actions.rollouts.changes import NoRollout
    from ...actions.rollouts.status import status as said
    from ...cluster import NotFound, Reference

    resource = cluster.resource(live["apiVersion"], live["kind"])
    seen = None
    while True:
        version = live["metadata"].get("resourceVersion")
        if version != seen:
            line, done = said(live, resource, revision)
            echo(line)
            if done or not watch:
                return
        seen = version
        if until is not None and time.monotonic() >= until:
            raise NoRollout("timed out waiting for the condition")
        time.sleep(PAUSE)
        try:
            live = cluster.get(Reference.of(live))
        except NotFound:
            raise NoRollout("object has been deleted") from None


# ---- history ---------------------------------------------------------------------------------------------------------


@rollout.command("history")
@cluster_options
@selection_options()
@click.option("--revision", type=int, default=0, metavar="NUMBER", help="Print the template of this revision.")
@click.option("-o", "--output", type=click.Choice(["yaml", "json", "name"]), help="Print the objects instead.")
@managed_fields_option
@console_options
def history(where: Where, selection: Selection, revision: int, output: str | None, show_managed_fields: bool) -> int:
    """Print the revisions of a Deployment, DaemonSet or StatefulSet that are in the cluster."""
    from ...actions.rollouts.changes import NoRollout
    from ...actions.rollouts.history import state_of, states
    from ...manifests.objects import title
    from ...printers.describe.templates import revisions_text
    from ..failures import Failures
    from ..runs.result_lines import Results

    _check(selection)
    if revision < 0:
        raise NoRollout(f"revision must be a positive integer: {revision}")
    failures = Failures()
    with opened(where, "read") as cluster:
        for live in live_objects(cluster, selection, failures, bare=True):
            with failures.past():
                known = states(cluster, live, cluster.resource(live["apiVersion"], live["kind"]), "history viewer")
                picked = [state_of(known, revision)] if revision and known else known
                if not output:
                    told = f" with revision #{revision}" if revision else " "
                    echo_text(f"{title(live)}{told}\n{revisions_text(picked, whole=bool(revision))}")
                    continue
                for one in picked:
                    results = Results(output, managed_fields=show_managed_fields)
                    shown = live["kind"] == "Deployment"
                    template = {**live.get("spec", {}), "template": one.template}
                    results.done(one.holder if shown else {**live, "spec": template}, "")
                    results.finish()
    return failures.exit_code


_APPLIED = (
    "Warning: resource {0} was previously managed with 'kubectl apply'. Rolling back will not update the {1} "
    "annotation, which may cause unexpected behavior on future 'kubectl apply' operations. Consider using "
    "'kubectl apply' with your previous configuration file instead."
)


@rollout.command("undo")
@cluster_options
@selection_options()
@click.option("--to-revision", type=int, default=0, metavar="NUMBER", help="The revision; 0 is the one before.")
@dry_run_option
@result_option
@console_options
def undo(
    where: Where, selection: Selection, to_revision: int, dry_run: str, output: Any, show_managed_fields: bool
) -> int:
    """Go back to an earlier revision of a Deployment, DaemonSet or StatefulSet that is in the cluster."""
    from engine.directives import ANNOTATION

    from ..failures import Failures
    from ..runs.result_lines import Results

    _check(selection)
    failures = Failures()
    with opened(where, "change" if dry_run == NONE else "read") as cluster:
        for live in live_objects(cluster, selection, failures, bare=True):
            with failures.past():
                if ANNOTATION in (live["metadata"].get("annotations") or {}):
                    plural = cluster.resource(live["apiVersion"], live["kind"]).plural
                    console().report(_APPLIED.format(f"{plural}/{live['metadata']['name']}", ANNOTATION))
                done = _undo(cluster, live, to_revision, dry_run)
                results = Results(output, dry_run, managed_fields=show_managed_fields)
                results.done(live, done)
                results.finish()
    return failures.exit_code


def _undo(cluster: Cluster, live: Object, revision: int, dry_run: str) -> str:
    from ...actions.rollouts.history import rolled_back, states, target
    from ...printers.describe.templates import template_text

    resource = cluster.resource(live["apiVersion"], live["kind"])
    state = target(live, states(cluster, live, resource, "rollbacker"), revision)
    if dry_run != CLIENT:
        return rolled_back(cluster, live, state, revision, dry_run=dry_run == SERVER)
    text = template_text(state.template)
    return text if live["kind"] == "Deployment" else f"will roll back to {text}"
