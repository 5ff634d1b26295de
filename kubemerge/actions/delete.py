"""Deleting live objects, and waiting until they are gone."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import MergeError

from ..cluster import NoMatch, NotFound, Reference
from .requests import CLIENT, SERVER

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cluster import Cluster, Object

PROPAGATIONS = {"background": "Background", "foreground": "Foreground", "orphan": "Orphan"}
"""What becomes of the objects that one owns, in the words of the command line and of the API."""
PAUSE = 0.5


class StillThere(MergeError):
    """An object that does not go."""

    def __init__(self, live: Object) -> None:
        kept = ", ".join(map(str, live["metadata"].get("finalizers") or ()))
        by = f" by its finalizers ({kept})" if kept else ""
        super().__init__(f"timed out waiting for the condition: it is being deleted, and is still kept{by}")


@dataclass(frozen=True)
class Doomed:
    """An object to delete: no more of it than is needed to do it and to tell of it."""

    reference: Reference
    uid: str

    @classmethod
    def of(cls, live: Object) -> Doomed:
        """What is needed of a live object."""
        return cls(Reference.of(live), live["metadata"]["uid"])

    @property
    def head(self) -> Object:
        """As much of the object as its title needs."""
        return self.reference.head


def delete(cluster: Cluster, doomed: Doomed, cascade: str, dry_run: str) -> None:
    """Delete one object. That it went along with its namespace, or with the definition of its kind, is as good."""
    if dry_run == CLIENT:
        return
    try:
        cluster.delete(doomed.reference, propagation=PROPAGATIONS[cascade], dry_run=dry_run == SERVER)
    except (NotFound, NoMatch):
        return


def wait_until_gone(
    cluster: Cluster, doomed: Doomed, timeout: float, sleep: Callable[[float], None] = time.sleep
) -> None:
    """Wait until an object is gone, or another one has taken its name; StillThere after so many seconds."""
    for _ in range(max(1, int(timeout / PAUSE))):
        if _remaining(cluster, doomed) is None:
            return
        sleep(PAUSE)
    live = _remaining(cluster, doomed)
    if live is not None:
        raise StillThere(live)


def _remaining(cluster: Cluster, doomed: Doomed) -> Object | None:
    try:
        live = cluster.get(doomed.reference)
    except (NotFound, NoMatch):
        return None
    return live if live["metadata"]["uid"] == doomed.uid else None


def waits_for(cluster: Cluster, doomed: Doomed) -> list[str]:
    """The finalizers for which a deleted object is still there; none if it is gone."""
    live = _remaining(cluster, doomed)
    return list(map(str, live["metadata"].get("finalizers") or ())) if live else []
