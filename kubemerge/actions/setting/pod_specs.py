"""Where an object has the spec of its Pods, and how a change of it is sent."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import engine
from engine.values.plain import kind_name

from ...apiserver.unchecked import maps
from ...cluster import Reference
from ..generators.parts import BadOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...cluster import Cluster, Object

_TEMPLATE = ("spec", "template", "spec")
PLACES: dict[str, tuple[str, ...]] = {
    "Pod": ("spec",),
    **dict.fromkeys(("ReplicationController", "Deployment", "DaemonSet", "ReplicaSet"), _TEMPLATE),
    **dict.fromkeys(("StatefulSet", "Job"), _TEMPLATE),
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
}
"""The path of the spec of a Pod by kind."""
_GROUPS = {"", "apps", "batch", "extensions"}


def go_type(content: Object) -> str:
    """The Go type of an object, as kubectl's messages have it."""
    group, _, version = content["apiVersion"].rpartition("/")
    own = "." not in group or group.endswith(".k8s.io")
    return f"*{version}.{content['kind']}" if own else "*unstructured.Unstructured"


def copied(content: Object) -> tuple[Object, dict[str, Any]]:
    """A copy of the object, and the spec of its Pods in that copy."""
    place = PLACES.get(content["kind"]) if content["apiVersion"].rpartition("/")[0] in _GROUPS else None
    if place is None:
        raise BadOptions(f"the object is not a pod or does not have a pod template: {go_type(content)}")
    after = deepcopy(content)
    spec: dict[str, Any] = after
    for step in place:
        spec = map_at(spec, step)
    return after, spec


def map_at(owner: dict[str, Any], field: str) -> dict[str, Any]:
    """The map in a field, which is created if it is missing or null; BadOptions if it is something else."""
    if owner.get(field) is None:
        owner[field] = {}
    inside = owner[field]
    if not isinstance(inside, dict):
        raise BadOptions(f"{field} is {kind_name(inside)}, not an object")
    return inside


def containers(spec: dict[str, Any], pattern: str = "*") -> Iterator[dict[str, Any]]:
    """The containers with a name like this, those that start first at the end."""
    for field in ("containers", "initContainers"):
        yield from (one for _, one in maps(spec, field) if _matches(str(one.get("name", "")), pattern))


def _matches(name: str, pattern: str) -> bool:
    from fnmatch import fnmatchcase

    return fnmatchcase(name, pattern.replace("[", "[[]").replace("?", "[?]"))


def changed(cluster: Cluster, before: Object, after: Object) -> Object:
    """The strategic merge patch from one to the other; empty if nothing changes."""
    schema = cluster.schema(before["apiVersion"], before["kind"])
    patch: Object = engine.two_way_patch(before, after, schema)
    return patch


def patch(cluster: Cluster, live: Object, patch: Object, manager: str, *, dry_run: bool) -> Object:
    """The object after the patch."""
    return cluster.patch(Reference.of(live), patch, "strategic", manager=manager, dry_run=dry_run)


def with_zeros(content: Object) -> Object:
    """An object of a file as kubectl prints it: with the fields that Go always writes."""
    from engine.serverside.typed.zero_value_tables import fields_of

    after = deepcopy(content)
    for path, _, text in (word.partition("=") for word in fields_of(content["apiVersion"], content["kind"])):
        *steps, last = path.split(".")
        holder = after
        for step in steps:
            holder = holder.setdefault(step, {})
        holder.setdefault(last, json.loads(text))
    if content["kind"] in PLACES:
        after, spec = copied(after)
        for one in containers(spec):
            one.setdefault("resources", {})
    return after
