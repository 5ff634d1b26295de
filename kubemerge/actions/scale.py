"""Set the number of replicas of an object, and read subresources."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ..apiserver.crd.lookup import definition_of
from ..apiserver.errors import ClusterError, NoResource
from ..apiserver.protocol import Reference
from ..apiserver.scale import scale_of
from ..apiserver.unchecked import as_map, get_path
from .requests import CLIENT, SERVER, pinned, version_of
from .serverside.managers import KUBECTL

if TYPE_CHECKING:
    from ..cluster import Cluster, Object, Resource


SCALE = "scale"


def part_of(cluster: Cluster, live: Object, subresource: str) -> Object:
    """The subresource of an object: the whole object for `status`, and a Scale for `scale`."""
    resource = cluster.resource(live["apiVersion"], live["kind"])
    if subresource == "status" and resource.has_status:
        return live
    if subresource == SCALE and resource.scaled_by is not None:
        return scale_of(live, resource, None if resource.built_in else definition_of(cluster, resource))
    raise NoResource


class NoScale(ClusterError):
    """An object of a kind that cannot be scaled."""

    code, reason = 404, "NotFound"

    def __init__(self, resource: Resource) -> None:
        part = "" if resource.built_in else "; give its CustomResourceDefinition subresources.scale"
        super().__init__(
            "the server could not find the requested resource", advice=f"{resource.kind} cannot be scaled{part}"
        )


class NotAsExpected(MergeError):
    """An object that is not in the state that the request expects."""

    def __init__(self, what: str, expected: object, now: object) -> None:
        super().__init__(f"Expected {what} to be {expected}, was {now}")


@dataclass(frozen=True)
class Scaling:
    """The wanted number of replicas, and the preconditions for setting it."""

    replicas: int
    current: int | None = None
    version: str | None = None


def scaled(cluster: Cluster, live: Object, wanted: Scaling, dry_run: str) -> Object:
    """The object as it was read, with the new number of replicas, as kubectl prints it.

    The preconditions are checked again at the moment of the write.
    """
    resource = cluster.resource(live["apiVersion"], live["kind"])
    path = resource.scaled_by
    if path is None:
        raise NoScale(resource)
    version = version_of(live)
    now = get_path(live, path) or 0
    if wanted.current is not None and now != wanted.current:
        raise NotAsExpected("replicas", wanted.current, now)
    if wanted.version is not None and version != wanted.version:
        raise NotAsExpected("resource version", wanted.version, version)
    expects = wanted.current is not None or wanted.version is not None
    if dry_run != CLIENT:
        patch = pinned({"spec": {"replicas": wanted.replicas}}, version if expects else None)
        rehearsed = dry_run == SERVER
        where = Reference.of(live)
        cluster.patch(where, patch, "merge", manager=KUBECTL, subresource=SCALE, dry_run=rehearsed)
    after: Object = _with(live, path.split("."), wanted.replicas)
    return after


def _with(owner: Any, path: list[str], value: Any) -> Any:
    """A map with this value at this path."""
    return {**as_map(owner), path[0]: _with(as_map(owner).get(path[0]), path[1:], value)} if path else value
