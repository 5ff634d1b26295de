"""`kubemerge describe`: print details of live objects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ..options.clusters import ClusterLocation, cluster_options, opened
from ..options.objects import Selection, live_objects, selection_options
from ..terminal.console import console, console_options, echo_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...cluster import Cluster, Object
    from ..failures import Failures

_NOTHING = (
    'error: You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of '
    "supported resources."
)


@click.command("describe")
@cluster_options
@selection_options(all_namespaces=True)
@click.option(
    "--show-events",
    type=bool,
    is_flag=False,
    flag_value=True,
    help="Include Events. Default: true for a single object.",
)
@console_options
def describe(where: ClusterLocation, selection: Selection, show_events: bool | None) -> int:
    """Show details of live objects.

    The details are those that the cluster stores. Values of Secrets are not shown. If no object has the given name,
    all objects whose names start with it are shown.
    """
    from ..failures import Failures

    failures = Failures()
    if not selection.words and not selection.config:
        failures.report_lines(_NOTHING)
        return failures.exit_code
    with opened(where, "read") as cluster:
        objects, by_prefix = _objects(cluster, selection, failures)
        alone = len(objects) == 1 and not by_prefix and not failures.count
        around = _Around(cluster, events=alone if show_events is None else show_events)
        for index, one in enumerate(objects):
            text = _text(cluster, one, around)
            echo_text(f"{text}\n" if by_prefix else f"\n\n{text}" if index else text, nl=False)
    if not objects and not failures.count:
        console().say(f"No resources found{selection.where(cluster)}")
    return failures.exit_code


def _objects(cluster: Cluster, selection: Selection, failures: Failures) -> tuple[Sequence[Object], bool]:
    """The selected objects, and whether the names are only prefixes."""
    named = len(selection.words) == 2 and "," not in selection.words[0] and "/" not in selection.words[0]
    if not named:
        return list(live_objects(cluster, selection, failures, bare=True)), False
    found = list(live_objects(cluster, selection, failures, bare=True, ignore_missing=True))
    if found:
        return found, False
    kind, prefix = selection.words
    every = live_objects(cluster, replace(selection, words=(kind,)), failures, bare=True)
    found = [one for one in every if one["metadata"]["name"].startswith(prefix)]
    if not found:
        list(live_objects(cluster, selection, failures, bare=True))
    return found, True


def _text(cluster: Cluster, one: Object, around: _Around) -> str:
    from ...printers.describe.kinds import described

    return described(one, cluster.resource(one["apiVersion"], one["kind"]), around)


class _Around:
    """The cluster's other objects, for the description of one."""

    def __init__(self, cluster: Cluster, *, events: bool) -> None:
        self._cluster, self._events = cluster, events

    def get(self, api_version: str, kind: str, namespace: str | None, name: str) -> Object | None:
        """An object; None if it does not exist."""
        from ...cluster import NoMatch, NotFound, Reference

        try:
            return self._cluster.get(Reference(api_version, kind, name, namespace))
        except (NotFound, NoMatch):
            return None

    def all(self, api_version: str, kind: str, namespace: str | None) -> Iterator[Object]:
        """The objects of a kind; none if there is no such kind in this release."""
        from ...cluster import NoMatch

        try:
            yield from self._cluster.list(api_version, kind, namespace=namespace)
        except NoMatch:
            return

    def events(self, one: Object) -> Sequence[Object] | None:
        """The Events about an object; None if they are not asked for."""
        if not self._events:
            return None
        metadata = one["metadata"]
        namespace = metadata.get("namespace")
        return [each for each in self.all("v1", "Event", namespace) if _is_about(each, one)]


def _is_about(event: Object, one: Object) -> bool:
    about, metadata = event.get("involvedObject") or {}, one["metadata"]
    uids = {metadata.get("uid"), metadata["name"] if one["kind"] == "Node" else None} - {None}
    return (
        about.get("name") == metadata["name"]
        and (about.get("namespace") or "") == (metadata.get("namespace") or "")
        and (one["kind"] == "Pod" or about.get("kind") == one["kind"])
        and about.get("uid") in uids
    )
