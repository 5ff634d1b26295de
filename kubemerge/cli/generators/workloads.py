"""`create deployment`, `job`, `cronjob`, `service` and `ingress`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .shared import Aliased, Dashed, behind, creating, list_option

if TYPE_CHECKING:
    from ...cluster import Cluster, Object


@click.command("deployment", cls=Dashed)
@list_option("--image", "images", metavar="IMAGE", help="Container image. May be repeated.")
@click.option("--port", type=int, default=-1, metavar="NUMBER", help="Container port.")
@click.option("-r", "--replicas", type=int, default=1, metavar="COUNT", show_default=True, help="Number of Pods.")
@creating("failed to create deployment: ", needs=[("image", "images")])
def deployment(_: Cluster, name: str, images: tuple[str, ...], **options: Any) -> Object:
    """Create a Deployment from images.

    The words after `--` are the command of its container.
    """
    from ...actions.generators import workloads

    return workloads.deployment(name, images=images, command=behind(), **options)


@click.command("job", cls=Dashed)
@click.option("--image", metavar="IMAGE", default="", help="Container image.")
@click.option("--from", "source", metavar="cronjob/NAME", default="", help="The CronJob to create the Job from.")
@creating("failed to create job: ")
def job(cluster: Cluster, name: str, image: str, source: str) -> Object:
    """Create a Job from an image or a CronJob.

    The words after `--` are the command of its container.
    """
    from ...actions.generators import workloads
    from ...actions.generators.parts import BadOptions

    if bool(image) == bool(source):
        raise BadOptions("either --image or --from must be specified")
    if behind() and source:
        raise BadOptions("cannot specify --from and command")
    if not source:
        return workloads.job(name, image=image, command=behind())
    return workloads.job_of_cron_job(name, _cron_job(cluster, source))


def _cron_job(cluster: Cluster, source: str) -> Object:
    from ...actions.generators.parts import BadOptions
    from ...actions.targets import wanted

    namespace = click.get_current_context().params["namespace"]
    found = [cluster.get(one.reference(namespace or cluster.namespace)) for one in wanted(cluster, [source])]
    if found[0]["kind"] != "CronJob":
        api, _, kind = found[0]["apiVersion"].rpartition("/")[2], "", found[0]["kind"]
        raise BadOptions(f"unknown object type *{api}.{kind}")
    return found[0]


@click.command("cronjob", cls=Dashed)
@click.option("--image", metavar="IMAGE", help="Container image.")
@click.option("--schedule", metavar="CRON", help="The schedule: '*/5 * * * *'.")
@click.option("--restart", metavar="POLICY", default="", help="Restart policy of the containers: OnFailure or Never.")
@creating("failed to create cronjob: ", needs=[("image", "image"), ("schedule", "schedule")])
def cron_job(_: Cluster, name: str, image: str, schedule: str, restart: str) -> Object:
    """Create a CronJob from an image.

    The words after `--` are the command of its container.
    """
    from ...actions.generators import workloads

    return workloads.cron_job(name, image=image, schedule=schedule, restart=restart, command=behind())


# ---- services --------------------------------------------------------------------------------------------------------


@click.group("service", cls=Aliased, no_args_is_help=False)
def service() -> None:
    """Create a Service."""


_tcp_option = list_option(
    "--tcp", metavar="PORT[:TARGET]", help="A port, and its target port (a number or name). May be repeated."
)


def _service(name: str, type_: str, **options: Any) -> Object:
    from ...actions.generators import services

    return services.service(name, type_, **options)


@service.command("clusterip")
@_tcp_option
@click.option(
    "--clusterip", "cluster_ip", metavar="ADDRESS", default="", help="The cluster IP, or None for a headless Service."
)
@creating("failed to create ClusterIP service: ", saves=False)
def cluster_ip(_: Cluster, name: str, **options: Any) -> Object:
    """Create a Service that is reachable inside the cluster."""
    return _service(name, "ClusterIP", **options)


@service.command("nodeport")
@_tcp_option
@click.option("--node-port", type=int, default=0, metavar="NUMBER", help="The port on each node.")
@creating("failed to create NodePort service: ", saves=False)
def node_port(_: Cluster, name: str, **options: Any) -> Object:
    """Create a Service that is reachable on a port of each node."""
    return _service(name, "NodePort", **options)


@service.command("loadbalancer")
@_tcp_option
@creating("failed to create LoadBalancer service: ", saves=False)
def load_balancer(_: Cluster, name: str, **options: Any) -> Object:
    """Create a Service that is reachable through a load balancer."""
    return _service(name, "LoadBalancer", **options)


@service.command("externalname")
@_tcp_option
@click.option("--external-name", metavar="HOST", help="The external DNS name.")
@creating("failed to create ExternalName service: ", saves=False, needs=[("external-name", "external_name")])
def external_name(_: Cluster, name: str, **options: Any) -> Object:
    """Create a Service for an external DNS name."""
    return _service(name, "ExternalName", **options)


# ---- ingress ---------------------------------------------------------------------------------------------------------


@click.command("ingress")
@click.option(
    "--rule",
    "rules",
    metavar="HOST/PATH=SERVICE:PORT[,tls[=SECRET]]",
    multiple=True,
    help="A rule: host/path=service:port. A path that ends in * matches as a prefix. May be repeated.",
)
@click.option("--default-backend", metavar="SERVICE:PORT", default="", help="Service for all other requests.")
@click.option("--class", "class_", metavar="NAME", default="", help="Class of the Ingress.")
@click.option("--annotation", "annotations", metavar="KEY=VALUE", multiple=True, help="An annotation. May be repeated.")
@creating("failed to create ingress: ")
def ingress(_: Cluster, name: str, **options: Any) -> Object:
    """Create an Ingress."""
    from ...actions.generators import ingresses

    return ingresses.ingress(name, **options)


COMMANDS: dict[str, click.Command] = {
    "deployment": deployment,
    "deploy": deployment,
    "job": job,
    "cronjob": cron_job,
    "cj": cron_job,
    "service": service,
    "svc": service,
    "ingress": ingress,
    "ing": ingress,
}
