"""`kubemerge expose`: create a Service for an object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ...actions.requests import mode
from ...actions.serverside.managers import EXPOSE
from ..generators.shared import Creation, printed, save_config_option, sent
from ..options.clusters import Where, cluster_options, dry_run_option, manager_option, opened, result_option
from ..options.objects import Selection, live_objects, naming_options
from ..runs.operating.set import NOTHING_NAMED
from ..terminal.console import console_options

if TYPE_CHECKING:
    from ...cluster import Cluster, Object


@click.command()
@cluster_options
@naming_options
@click.option("--name", metavar="NAME", default="", help="The name of the Service; that of the object by default.")
@click.option("--port", metavar="NUMBER", default="", help="The port; those of the object by default.")
@click.option("--target-port", metavar="PORT", default="", help="The port of the containers, a number or a name.")
@click.option("--protocol", metavar="PROTOCOL", default="", help="TCP, UDP or SCTP; that of the object by default.")
@click.option("--type", "type_", metavar="TYPE", default="", help="ClusterIP, NodePort, LoadBalancer or ExternalName.")
@click.option("--selector", metavar="LABELS", default="", help="The Pods; those of the object by default.")
@click.option("-l", "--labels", metavar="LABELS", default="", help="The labels; those of the object by default.")
@click.option("--external-ip", metavar="ADDRESS", default="", help="An address outside of the cluster.")
@click.option("--load-balancer-ip", metavar="ADDRESS", default="", help="The address of the load balancer.")
@click.option("--session-affinity", metavar="AFFINITY", default="", help="None or ClientIP.")
@click.option("--cluster-ip", metavar="ADDRESS", default="", help="The address inside of the cluster, or None.")
@click.option("--overrides", metavar="JSON", default="", help="What to lay over the Service.")
@click.option(
    "--override-type", metavar="TYPE", default="merge", show_default=True, help="How: json, merge or strategic."
)
@save_config_option
@dry_run_option
@manager_option(EXPOSE)
@result_option
@console_options
def expose(where: Where, selection: Selection, overrides: str, override_type: str, **options: Any) -> int:
    """Create a Service for a Pod, Service, Deployment, ReplicaSet or ReplicationController."""
    from ...actions.generators.exposing import Exposing, exposed
    from ..failures import Failures

    how = Creation.taken(options, namespace=selection.namespace)
    wanted = Exposing(**options)
    failures = Failures()
    if not selection.words and not selection.config:
        failures.tell(NOTHING_NAMED)
        return failures.exit_code
    with opened(where, mode(how.dry_run)) as cluster:
        for live in live_objects(cluster, selection, failures):
            with failures.past():
                resource = cluster.resource(live["apiVersion"], live["kind"])
                service = _overridden(cluster, exposed(live, resource, wanted), overrides, override_type)
                printed(sent(cluster, service, how, save=how.save_config and how.dry_run != "client"), how, "exposed")
    return failures.exit_code


def _overridden(cluster: Cluster, content: Object, text: str, patch_type: str) -> Object:
    from ...actions.generators.pods import overridden

    return overridden(content, text, patch_type, cluster)
