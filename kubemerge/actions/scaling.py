"""Setting how many replicas there are to be of an object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import MergeError

from ..cluster.looking import found
from .sending import pinned, sent

if TYPE_CHECKING:
    from ..cluster import Cluster, Object


class NoReplicas(MergeError):
    """An object of a kind that has no number of replicas."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"{kind} has no spec.replicas, so it cannot be scaled; name a kind that has, as deployment")


class NotAsExpected(MergeError):
    """An object that is not in the state in which it is to be scaled."""

    def __init__(self, what: str, expected: object, now: object) -> None:
        super().__init__(f"Expected {what} to be {expected}, was {now}")


@dataclass(frozen=True)
class Scaling:
    """How many replicas there are to be, and what has to hold for it."""

    replicas: int
    current: int | None = None
    version: str | None = None


def scaled(cluster: Cluster, live: Object, wanted: Scaling, dry_run: str) -> Object:
    """The object with the new number of replicas. What is expected of it still holds when it is written."""
    schema = cluster.schema(live["apiVersion"], live["kind"])
    if schema is None or schema.rule("spec.replicas") is None:
        raise NoReplicas(live["kind"])
    version = live["metadata"]["resourceVersion"]
    now = found(live, "spec.replicas") or 0
    if wanted.current is not None and now != wanted.current:
        raise NotAsExpected("replicas", wanted.current, now)
    if wanted.version is not None and version != wanted.version:
        raise NotAsExpected("resource version", wanted.version, version)
    expects = wanted.current is not None or wanted.version is not None
    patch = pinned({"spec": {"replicas": wanted.replicas}}, version if expects else None)
    return sent(cluster, live, patch, "merge", dry_run)
