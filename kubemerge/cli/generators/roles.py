"""`create role`, `clusterrole`, `rolebinding` and `clusterrolebinding`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ..terminal.console import console
from .shared import creating, list_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...cluster import Cluster, Object

_verb_option = list_option("--verb", "verbs", metavar="VERB", help="Allowed verbs: get,list. May be repeated.")
_resource_option = list_option(
    "--resource", "resources", metavar="RESOURCE", help="Resources: pods, deployments.apps, pods/log. May be repeated."
)
_name_option = click.option(
    "--resource-name", "names", metavar="NAME", multiple=True, help="Names of objects. May be repeated."
)


@contextmanager
def _plainly() -> Iterator[None]:
    """A context that reports unserved resources in kubectl's words."""
    from ...actions.generators.roles import NoMatch

    try:
        yield
    except NoMatch as error:
        console().report(str(error))
        raise click.exceptions.Exit(2) from None


def _warn(wanted: Any) -> None:
    from ...actions.generators.roles import unusual

    for sentence in unusual(wanted):
        console().report(f"Warning: {sentence}")


@click.command("role")
@_verb_option
@_resource_option
@_name_option
@creating()
def role(cluster: Cluster, name: str, **options: Any) -> Object:
    """Create a Role with one rule for each group of resources."""
    from ...actions.generators import roles

    wanted = roles.RequestedResource(**options)
    _warn(wanted)
    with _plainly():
        return roles.role(cluster, name, wanted)


@click.command("clusterrole")
@_verb_option
@_resource_option
@_name_option
@list_option("--non-resource-url", "urls", metavar="PATH", help="Request path of the API server. May be repeated.")
@click.option(
    "--aggregation-rule",
    "aggregation",
    metavar="LABELS",
    default="",
    help="Aggregate the rules of ClusterRoles with these labels.",
)
@creating()
def cluster_role(cluster: Cluster, name: str, **options: Any) -> Object:
    """Create a ClusterRole with one rule for each group of resources."""
    from ...actions.generators import roles

    wanted = roles.RequestedResource(**options)
    if wanted.resources and not wanted.aggregation:
        _warn(wanted)
    with _plainly():
        return roles.cluster_role(cluster, name, wanted)


def _subjects(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--user`, `--group` and `--serviceaccount`."""
    for option in (
        click.option(
            "--serviceaccount",
            "accounts",
            metavar="NAMESPACE:NAME",
            multiple=True,
            help="A ServiceAccount. May be repeated.",
        ),
        click.option("--group", "groups", metavar="NAME", multiple=True, help="A group. May be repeated."),
        click.option("--user", "users", metavar="NAME", multiple=True, help="A user. May be repeated."),
    ):
        command = option(command)
    return command


@click.command("rolebinding")
@click.option("--role", metavar="NAME", default="", help="The Role.")
@click.option("--clusterrole", "cluster_role", metavar="NAME", default="", help="The ClusterRole.")
@_subjects
@creating("failed to create rolebinding: ")
def role_binding(_: Cluster, name: str, role: str, cluster_role: str, **options: Any) -> Object:
    """Create a RoleBinding to a Role or a ClusterRole."""
    from ...actions.generators import roles

    return roles.role_binding(name, role=role, cluster_role=cluster_role, subjects=roles.Subjects(**options))


@click.command("clusterrolebinding")
@click.option("--clusterrole", "cluster_role", metavar="NAME", help="The ClusterRole.")
@_subjects
@creating("failed to create clusterrolebinding: ", needs=[("clusterrole", "cluster_role")])
def cluster_role_binding(_: Cluster, name: str, cluster_role: str, **options: Any) -> Object:
    """Create a ClusterRoleBinding."""
    from ...actions.generators import roles

    bound = roles.Subjects(**options)
    return roles.cluster_role_binding(name, cluster_role=cluster_role, subjects=bound)


COMMANDS = {
    "role": role,
    "clusterrole": cluster_role,
    "rolebinding": role_binding,
    "clusterrolebinding": cluster_role_binding,
}
