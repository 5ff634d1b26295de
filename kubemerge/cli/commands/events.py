"""`kubemerge events`: the Events of a namespace, or about an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..generators.shared import list_option
from ..options.clusters import Where, cluster_namespace_option, cluster_options, opened
from ..terminal.console import console, console_options, echo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...cluster import Cluster, Object


@click.command("events")
@cluster_options
@cluster_namespace_option
@click.option("-A", "--all-namespaces", is_flag=True, help="In all namespaces.")
@click.option("--for", "about", metavar="TYPE/NAME", default="", help="Only those about this object.")
@list_option("--types", metavar="TYPES", help="Only these types: Normal, Warning.")
@click.option("--no-headers", is_flag=True, help="Leave out the titles of the columns.")
@click.option("-o", "--output", type=click.Choice(["yaml", "json", "name"]), help="Print the objects instead.")
@console_options
def events(
    where: Where,
    namespace: str | None,
    all_namespaces: bool,
    about: str,
    types: tuple[str, ...],
    no_headers: bool,
    output: str | None,
) -> int:
    """Print the Events that are in the cluster, the latest last. Nothing writes them here but whoever creates them."""
    from ...printers.events import in_order, rows
    from ...printers.tables import aligned

    if any(one.lower() not in ("normal", "warning") for one in types):
        raise click.ClickException("valid --types are Normal or Warning")
    with opened(where, "read") as cluster:
        at = None if all_namespaces else namespace or cluster.namespace
        found = _about(cluster, list(cluster.list("v1", "Event", namespace=at)), about)
    kinds = {one.lower() for one in types}
    found = in_order(one for one in found if not kinds or str(one.get("type")).lower() in kinds)
    if not found:
        console().say(f"No events found{'' if all_namespaces else f' in {at} namespace'}.")
        return 0
    if output:
        _print(found, output)
        return 0
    for line in aligned(rows(found, namespaces=all_namespaces, headers=not no_headers)):
        echo(line)
    return 0


def _about(cluster: Cluster, found: Sequence[Object], about: str) -> Sequence[Object]:
    from ...actions.targets import kind_called
    from ...printers.events import is_about

    if not about:
        return found
    word, slash, name = about.partition("/")
    if not slash:
        raise click.ClickException("--for must be in resource/name form")
    if "/" in name:
        raise click.ClickException("arguments in resource/name form may not have more than one slash")
    resource = kind_called(cluster, word)
    return [one for one in found if is_about(one, resource.api_version, resource.kind, name)]


def _print(found: Sequence[Object], output: str) -> None:
    from ...output.object_text import without_managed_fields
    from ..terminal.stdout import print_list

    if output == "name":
        return  # as kubectl, which has a List that it cannot name
    empty = {"apiVersion": "v1", "items": [], "kind": "EventList", "metadata": {}}
    print_list(map(without_managed_fields, found), output, empty)
