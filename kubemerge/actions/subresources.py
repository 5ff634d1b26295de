"""Parts of live objects that the API serves by paths of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cluster.embedded.scale import scale_of
from ..cluster.errors import ClusterError
from .targets import definition_of

if TYPE_CHECKING:
    from ..cluster import Cluster, Object


SCALE = "scale"


class NoSubresource(ClusterError):
    """A part that objects of a kind do not have."""

    code, reason = 404, "NotFound"

    def __init__(self) -> None:
        super().__init__("the server could not find the requested resource")


def part_of(cluster: Cluster, live: Object, subresource: str) -> Object:
    """The part of an object: all of it for its status, and a Scale for `scale`."""
    resource = cluster.resource(live["apiVersion"], live["kind"])
    if subresource == "status" and resource.has_status:
        return live
    if subresource == SCALE and resource.scaled_by is not None:
        return scale_of(live, resource, None if resource.built_in else definition_of(cluster, resource))
    raise NoSubresource
