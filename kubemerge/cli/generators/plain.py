"""`create namespace`, `serviceaccount`, `quota`, `poddisruptionbudget`, `priorityclass` and `token`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .shared import creating

if TYPE_CHECKING:
    from ...cluster import Cluster, Object


@click.command("namespace")
@creating()
def namespace(_: Cluster, name: str) -> Object:
    """Create a Namespace."""
    from ...actions.generators import plain

    return plain.namespace(name)


@click.command("serviceaccount")
@creating("failed to create serviceaccount: ")
def service_account(_: Cluster, name: str) -> Object:
    """Create a ServiceAccount."""
    from ...actions.generators import plain

    return plain.service_account(name)


@click.command("quota")
@click.option("--hard", metavar="LIMITS", default="", help="Hard limits: cpu=1,memory=1Gi,pods=2.")
@click.option("--scopes", metavar="SCOPES", default="", help="Scopes that an object must match (comma-separated).")
@creating("failed to create quota: ")
def quota(_: Cluster, name: str, **options: Any) -> Object:
    """Create a ResourceQuota."""
    from ...actions.generators import plain

    return plain.quota(name, **options)


@click.command("poddisruptionbudget")
@click.option("--selector", metavar="LABELS", default="", help="Label selector for the Pods: app=web.")
@click.option("--min-available", metavar="AMOUNT", default="", help="Minimum number of available Pods: 2 or 50%.")
@click.option("--max-unavailable", metavar="AMOUNT", default="", help="Maximum number of unavailable Pods: 1 or 10%.")
@creating("failed to create poddisruptionbudgets: ")
def disruption_budget(_: Cluster, name: str, **options: Any) -> Object:
    """Create a PodDisruptionBudget."""
    from ...actions.generators import plain

    return plain.disruption_budget(name, **options)


@click.command("priorityclass")
@click.option("--value", type=int, default=0, metavar="NUMBER", help="The priority value.")
@click.option("--global-default", is_flag=True, help="Use this class for Pods that name none.")
@click.option("--description", metavar="TEXT", default="", help="Description of the class.")
@click.option(
    "--preemption-policy",
    metavar="POLICY",
    default="PreemptLowerPriority",
    show_default=True,
    help="Preemption of Pods with lower priority: PreemptLowerPriority or Never.",
)
@creating("failed to create priorityclass: ")
def priority_class(_: Cluster, name: str, **options: Any) -> Object:
    """Create a PriorityClass."""
    from ...actions.generators import plain

    return plain.priority_class(name, **options)


@click.command("token", context_settings={"ignore_unknown_options": True})
@click.argument("words", metavar="NAME", nargs=-1)
def token(words: tuple[str, ...]) -> int:  # noqa: ARG001 - whatever is asked for
    """Report that tokens are unavailable: the embedded cluster has no users and signs nothing."""
    raise click.ClickException("the embedded cluster signs no tokens. Connect to it without one")


COMMANDS = {
    "namespace": namespace,
    "ns": namespace,
    "serviceaccount": service_account,
    "sa": service_account,
    "quota": quota,
    "resourcequota": quota,
    "poddisruptionbudget": disruption_budget,
    "pdb": disruption_budget,
    "priorityclass": priority_class,
    "pc": priority_class,
    "token": token,
}
