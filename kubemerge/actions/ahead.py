"""Asking a server ahead for the objects that are next: reads are several at once, and writes stay in their order."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from engine import MergeError

from ..cluster import AsksAhead, Reference
from .requests import placed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..cluster import Cluster
    from ..manifests.objects import Manifest

DISTANCE = 16
"""How many objects are asked for before it is their turn."""


def asked_ahead(
    cluster: Cluster, manifests: Iterable[Manifest], namespace: str | None, distance: int = DISTANCE
) -> Iterator[Manifest]:
    """The same objects; a cluster that is far away has been asked for the live ones when it is their turn."""
    if not isinstance(cluster, AsksAhead):
        yield from manifests
        return
    waiting: deque[Manifest] = deque()
    for one in manifests:
        with suppress(MergeError):  # it is told when it is the object's turn
            resource = cluster.resource(*one.key)
            cluster.ahead([Reference.of(placed(one.content, resource, namespace, cluster.namespace))])
        waiting.append(one)
        if len(waiting) > distance:
            yield waiting.popleft()
    yield from waiting
