"""`kubemerge delete`: delete live objects."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ...actions.requests import NONE, WORDS
from ...apiserver.text.text import shown
from ..options.clusters import ClusterLocation, cluster_options, dry_run_option, opened
from ..options.durations import timeout_option
from ..options.objects import Selection, live_objects, selection_options
from ..terminal.console import console, console_options, echo, echo_text

if TYPE_CHECKING:
    from ...actions.delete import DeletionTarget
    from ...cluster import Cluster
    from ..failures import Failures


@dataclass(frozen=True)
class _DeleteOptions:
    cascade: str
    force: bool
    grace_period: int
    wait: bool
    timeout: float
    dry_run: str
    output: str | None

    @property
    def at_once(self) -> bool:
        """Whether objects are deleted immediately: with --force and without a grace period."""
        return self.force and self.grace_period <= 0

    @property
    def grace(self) -> int | None:
        """The grace period of pods in seconds. It is 0 only with --force, and negative values are not sent."""
        if self.grace_period <= 0:
            return 0 if self.force else 1 if self.grace_period == 0 else None
        return self.grace_period


_OF_BOOLEANS = {"true": "background", "false": "orphan"}


def _cascade(_: click.Context, __: click.Parameter, value: str) -> str:
    """The propagation for dependents. Older kubectl versions took a boolean."""
    meant = _OF_BOOLEANS.get(value.lower())
    if meant:
        old = f"--cascade={value.lower()} is deprecated (boolean value)"
        console().report(f"warning: {old} and can be replaced with --cascade={meant}.")
    if (meant or value) not in ("background", "foreground", "orphan"):
        raise click.UsageError(f'invalid cascade value ({value}). Must be "background", "foreground", or "orphan"')
    return meant or value


AT_ONCE = (
    "Immediate deletion does not wait for confirmation that the running resource has been terminated. "
    "The resource may continue to run on the cluster indefinitely."
)


@click.command()
@cluster_options
@selection_options(every=True, all_namespaces=True)
@click.option("--ignore-not-found", is_flag=True, help="Treat missing objects as deleted.")
@click.option(
    "--cascade",
    is_flag=False,
    flag_value="background",
    default="background",
    show_default=True,
    metavar="[background|foreground|orphan]",
    callback=_cascade,
    help="Deletion of owned objects.",
)
@click.option(
    "--grace-period",
    type=int,
    default=-1,
    metavar="SECONDS",
    help="Seconds before a Pod on a node is terminated. In the embedded cluster such a Pod remains until --force.",
)
@click.option("-i", "--interactive", is_flag=True, help="Ask for confirmation before deleting.")
@click.option("--now", is_flag=True, help="Same as --grace-period=1.")
@click.option("--force", is_flag=True, help="Report the deletion as forced, as kubectl does.")
@click.option(
    "--wait",
    type=bool,
    is_flag=False,
    flag_value=True,
    default=None,
    help="Wait until the objects are gone. Default: true for a real cluster, as in kubectl.",
)
@timeout_option("Time to wait")
@dry_run_option
@click.option("-o", "--output", metavar="[name]", help="Print only names.")
@console_options
def delete(
    where: ClusterLocation, selection: Selection, ignore_not_found: bool, now: bool, interactive: bool, **options: Any
) -> int:
    """Delete live objects.

    Select objects by name, by file, by label (-l), or with --all for a whole kind. All objects are looked up before
    the first deletion, so a namespace may precede its contents. An object with finalizers remains and is reported. If
    an object is rejected, the error is printed, the other objects are still deleted, and the exit code is 1.
    """
    from ...actions.delete import DeletionTarget
    from ..failures import Failures

    how = _DeleteOptions(**{**options, **_waiting(where, options)})
    _check(how, now)
    if now:
        how = replace(how, grace_period=1)
    if how.at_once:
        console().warn(AT_ONCE)
    failures = Failures()
    with opened(where, "change" if how.dry_run == NONE else "read") as cluster:
        found = live_objects(
            cluster, selection, failures, ignore_missing=ignore_not_found or selection.picks, doing="deleting"
        )
        doomed = list(dict.fromkeys(map(DeletionTarget.of, found)))
        if interactive and doomed and not _confirmed(doomed):
            echo("deletion is cancelled")
            return failures.exit_code
        gone = [one for one in doomed if _delete(cluster, one, how, failures)]
        if selection.picks and not doomed and not failures.count:
            echo("No resources found")
        if how.wait and how.dry_run == NONE:
            _wait(cluster, gone, how, failures)
    return failures.exit_code


FOREVER = 7 * 24 * 3600.0
"""Seconds that kubectl waits by default."""


def _waiting(where: ClusterLocation, options: dict[str, Any]) -> dict[str, Any]:
    """Whether to wait, and the time limit.

    In the embedded cluster, an object is deleted at once, or it waits for a controller or user to remove its
    finalizers.
    """
    wait = where.is_server if options["wait"] is None else options["wait"]
    given = click.get_current_context().get_parameter_source("timeout")
    is_default = where.is_server and given is ParameterSource.DEFAULT
    return {"wait": wait, "timeout": FOREVER if is_default else options["timeout"]}


def _check(how: _DeleteOptions, now: bool) -> None:
    if how.output not in (None, "name"):
        raise click.UsageError(f"unexpected -o output mode: {how.output}. We only support '-o name'")
    if now and how.grace_period != -1:
        raise click.UsageError("--now and --grace-period cannot be specified together")
    if how.force and (now or how.grace_period > 0):
        raise click.UsageError("--force and --grace-period greater than 0 cannot be specified together")


def _confirmed(doomed: list[DeletionTarget]) -> bool:
    """Whether the user confirms the deletion."""
    from ...manifests.objects import title

    echo(f"You are about to delete the following {len(doomed)} resource(s):")
    for one in doomed:
        echo(title(one.head))
    echo_text("Do you want to continue? (y/N): ", nl=False)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _delete(cluster: Cluster, one: DeletionTarget, how: _DeleteOptions, failures: Failures) -> bool:
    """Delete an object and report it. Return whether the deletion succeeded."""
    from ...actions.delete import delete, waits_for
    from ...manifests.objects import title

    before = failures.count
    with failures.catch(title(one.head)):
        delete(cluster, one, how.cascade, how.dry_run, how.grace)
        echo(title(one.head) if how.output else _line(one, how))
        waiting = waits_for(cluster, one) if how.dry_run == NONE and not how.wait else []
        if waiting:
            console().say(f"{title(one.head)} remains until its finalizers are removed: {', '.join(waiting)}")
    return failures.count == before


def _line(one: DeletionTarget, how: _DeleteOptions) -> str:
    from ..runs.result_lines import deleted

    done = "force deleted" if how.at_once else "deleted"
    return shown(f"{deleted(one.head, done)}{WORDS[how.dry_run]}")


def _wait(cluster: Cluster, doomed: list[DeletionTarget], how: _DeleteOptions, failures: Failures) -> None:
    from ...actions.delete import wait_until_gone
    from ...manifests.objects import title

    for one in doomed:
        with failures.catch(title(one.head)):
            wait_until_gone(cluster, one, how.timeout)
