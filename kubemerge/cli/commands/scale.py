"""`kubemerge scale`: set the number of replicas."""

from __future__ import annotations

import click

from ...actions.requests import NONE
from ..options.clusters import ClusterLocation, cluster_options, dry_run_option, opened, result_option
from ..options.objects import Selection, live_objects, selection_options
from ..terminal.console import console_options

ANY = -1
"""The value that kubectl reads as any number of replicas."""


@click.command()
@cluster_options
@selection_options(every=True)
@click.option(
    "--replicas", type=click.IntRange(min=0), required=True, metavar="COUNT", help="The new number of replicas."
)
@click.option(
    "--current-replicas", type=click.IntRange(min=-1), metavar="COUNT", help="Scale only if this is the current number."
)
@click.option("--resource-version", metavar="VERSION", help="Scale only if the object has this resourceVersion.")
@dry_run_option
@result_option
@console_options
def scale(
    where: ClusterLocation,
    selection: Selection,
    replicas: int,
    current_replicas: int | None,
    resource_version: str | None,
    dry_run: str,
    output: str | None,
    show_managed_fields: bool,
) -> int:
    """Set the number of replicas.

    Deployments, StatefulSets, and custom resources with a scale subresource can be scaled. If an object is rejected,
    the error is printed, the other objects are still scaled, and the exit code is 1.
    """
    from ...actions.scale import Scaling, scaled
    from ...manifests.objects import title
    from ..failures import Failures
    from ..runs.result_lines import Results

    if resource_version and not selection.one:
        raise click.UsageError("--resource-version may only be used with a single object")
    wanted = Scaling(replicas, None if current_replicas == ANY else current_replicas, resource_version)
    failures, results = Failures(), Results(output, dry_run, managed_fields=show_managed_fields)
    some = False
    with opened(where, "change" if dry_run == NONE else "read") as cluster:
        for live in live_objects(cluster, selection, failures):
            some = True
            with failures.catch(title(live)):
                results.done(scaled(cluster, live, wanted, dry_run), "scaled")
    if not some and not failures.count:
        failures.add("no objects passed to scale")
    results.finish()
    return failures.exit_code
