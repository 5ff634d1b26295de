"""`kubemerge autoscale`: create a HorizontalPodAutoscaler for an object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...actions.requests import CLIENT, mode
from ...actions.serverside.managers import AUTOSCALE
from ..generators.shared import Creation, printed, required, save_config_option, sent
from ..options.clusters import Where, cluster_options, dry_run_option, manager_option, opened, result_option
from ..options.objects import Selection, live_objects, naming_options
from ..runs.operating.set import NOTHING_NAMED
from ..terminal.console import console, console_options

if TYPE_CHECKING:
    from ...actions.generators.autoscaling import Autoscaling
    from ...cluster import Cluster, Object

_DEPRECATED = (
    "Flag --cpu-percent has been deprecated, Use --cpu with percentage or resource quantity format (e.g., '70%' for "
    "utilization or '500m' for milliCPU)."
)


@click.command()
@cluster_options
@naming_options
@click.option("--name", metavar="NAME", default="", help="The name of the new object; that of the object by default.")
@click.option("--min", "least", type=int, default=-1, metavar="COUNT", help="The lowest number of Pods.")
@click.option("--max", "most", type=int, metavar="COUNT", help="The highest number of Pods.")
@click.option("--cpu", metavar="TARGET", default="", help="The CPU to aim at: 70% of what is requested, or 500m.")
@click.option(
    "--memory", metavar="TARGET", default="", help="The memory to aim at: 60% of what is requested, or 200Mi."
)
@click.option("--cpu-percent", type=int, metavar="PERCENT", help="The older way to say --cpu PERCENT%.")
@save_config_option
@dry_run_option
@manager_option(AUTOSCALE)
@result_option
@console_options
def autoscale(where: Where, selection: Selection, cpu_percent: int | None, **options: Any) -> int:
    """Create a HorizontalPodAutoscaler for an object that can be scaled."""
    from ...actions.generators import autoscaling
    from ..failures import Failures

    if cpu_percent is not None:
        console().report(_DEPRECATED)
    required({"max": options["most"]})
    how = Creation.taken(options, namespace=selection.namespace)
    wanted = autoscaling.Autoscaling(cpu_percent=-1 if cpu_percent is None else cpu_percent, **options)
    autoscaling.check(wanted)
    failures = Failures()
    if not selection.words and not selection.config:
        failures.tell(NOTHING_NAMED)
        return failures.exit_code
    with opened(where, mode(how.dry_run)) as cluster:
        for live in live_objects(cluster, selection, failures):
            with failures.past():
                resource = cluster.resource(live["apiVersion"], live["kind"])
                after = _created(cluster, autoscaling.autoscaler(live, resource, wanted), how, wanted)
                printed(after, how, "created" if how.dry_run == CLIENT else "autoscaled")
    return failures.exit_code


def _created(cluster: Cluster, content: Object, how: Creation, wanted: Autoscaling) -> Object:
    from ...actions.generators.autoscaling import why_not_older
    from ...actions.generators.sending import NotCreated
    from ...cluster import ClusterError

    try:
        return sent(cluster, content, how, save=how.save_config and how.dry_run != CLIENT)
    except ClusterError:
        why = why_not_older(wanted)
        if not why:
            raise
        older = "the configuration is incompatible with autoscaling/v1"
        raise NotCreated(f"failed to create autoscaling/v2 HPA and {older}: {why}") from None
