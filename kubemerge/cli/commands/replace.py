"""`kubemerge replace`: replace live objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...actions.requests import NONE, mode
from ...actions.serverside.managers import REPLACE
from ..options.clusters import (
    ClusterLocation,
    cluster_namespace_option,
    cluster_options,
    dry_run_option,
    files_option,
    manager_option,
    opened,
    result_option,
)
from ..options.durations import timeout_option
from ..options.objects import resource_of
from ..options.shared import recursive_option
from ..options.validation import validate_option
from ..terminal.console import console_options, echo
from ..wording import source_of

if TYPE_CHECKING:
    from ...cluster import Cluster, Object


@click.command()
@cluster_options
@files_option
@recursive_option
@cluster_namespace_option
@click.option("--save-config", is_flag=True, help="Store the config in the last-applied-configuration annotation.")
@click.option("--force", is_flag=True, help="Delete and recreate the object.")
@click.option(
    "--cascade",
    type=click.Choice(["background", "foreground", "orphan"]),
    default="background",
    show_default=True,
    help="With --force: deletion of owned objects. The embedded cluster collects no garbage, so this has no "
    "effect there.",
)
@click.option(
    "--grace-period",
    type=int,
    default=-1,
    metavar="SECONDS",
    help="Accepted but ignored: the embedded cluster runs no containers.",
)
@timeout_option("Time to wait with --force")
@click.option("--subresource", type=click.Choice(["status"]), help="Replace only this subresource.")
@dry_run_option
@manager_option(REPLACE)
@validate_option
@result_option
@console_options
def replace(
    where: ClusterLocation,
    config: tuple[str, ...],
    recursive: bool,
    namespace: str | None,
    save_config: bool,
    force: bool,
    cascade: str,
    grace_period: int,
    timeout: float,
    subresource: str | None,
    dry_run: str,
    manager: str,
    validate: str,
    output: str | None,
    show_managed_fields: bool,
) -> int:
    """Replace live objects with objects from files.

    Every field is replaced, so values of other writers are lost. A resourceVersion in the file must be current. If an
    object does not exist or is rejected, the error is printed, the other objects are still replaced, and the exit code
    is 1. Missing objects of some kinds (Service, Role, Lease, ...) are created.
    """
    from ...actions.create import remembered
    from ...actions.replace import replace
    from ...actions.requests import placed
    from ..failures import Failures
    from ..runs.result_lines import Results

    _check(config, force, grace_period, subresource, dry_run)
    failures, results = Failures(), Results(output, dry_run, managed_fields=show_managed_fields)
    with opened(where, "change" if where.cluster and dry_run == NONE else mode(dry_run)) as cluster:
        for manifest in failures.manifests(config, recursive=recursive):
            with failures.catch(manifest.place, manifest.title, doing="replacing", source=source_of(manifest)):
                wanted = placed(manifest.content, resource_of(cluster, manifest), namespace, cluster.namespace)
                wanted = remembered(wanted, save=save_config)
                if force:
                    results.done(_anew(cluster, wanted, cascade, timeout, manager, validate, output), "replaced")
                else:
                    results.done(replace(cluster, wanted, dry_run, manager, subresource, validate), "replaced")
    results.finish()
    return failures.exit_code


def _check(config: tuple[str, ...], force: bool, grace_period: int, subresource: str | None, dry_run: str) -> None:
    rules = {
        "must specify one of -f and -k": not config,
        "--dry-run can not be used when --force is set": force and dry_run != NONE,
        "--subresource can not be used with --force": force and subresource,
        "--grace-period must have --force specified": grace_period >= 0 and not force,
    }
    for rule, broken in rules.items():
        if broken:
            raise click.UsageError(rule)


def _anew(
    cluster: Cluster, wanted: Object, cascade: str, timeout: float, manager: str, validate: str, output: str | None
) -> Object:
    from ...actions.replace import create_anew
    from ..runs.result_lines import deleted

    after, was_there = create_anew(cluster, wanted, cascade, timeout, manager, validate)
    if was_there and output is None:
        echo(deleted(wanted))
    return after
