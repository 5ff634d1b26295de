"""Delete live objects and wait until they are gone."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import MergeError

from ..cluster import NoMatch, NotFound, Reference
from .requests import CLIENT, SERVER, uid_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cluster import Cluster, Object

PROPAGATIONS = {"background": "Background", "foreground": "Foreground", "orphan": "Orphan"}
"""Cascade modes for dependents: the command line's word and the API's."""
PAUSE = 0.5


class StillThere(MergeError):
    """An object that still exists after the wait."""

    def __init__(self, live: Object) -> None:
        kept = ", ".join(map(str, live["metadata"].get("finalizers") or ()))
        by = f" by its finalizers ({kept})" if kept else ""
        super().__init__(f"timed out waiting for the condition: the object is being deleted, but is kept{by}")


@dataclass(frozen=True)
class DeletionTarget:
    """An object to delete, reduced to the fields needed to delete and report it."""

    reference: Reference
    uid: str

    @classmethod
    def of(cls, live: Object) -> DeletionTarget:
        """The fields needed from a live object."""
        return cls(Reference.of(live), uid_of(live))

    @property
    def head(self) -> Object:
        """The part of the object that its title needs."""
        return self.reference.head


def delete(cluster: Cluster, doomed: DeletionTarget, cascade: str, dry_run: str, grace: int | None = None) -> None:
    """Delete one object. It may be gone already, with its namespace or with the definition of its kind."""
    if dry_run == CLIENT:
        return
    try:
        cluster.delete(
            doomed.reference, propagation=PROPAGATIONS[cascade], grace_period=grace, dry_run=dry_run == SERVER
        )
    except (NotFound, NoMatch):
        return


def wait_until_gone(
    cluster: Cluster, doomed: DeletionTarget, timeout: float, sleep: Callable[[float], None] = time.sleep
) -> None:
    """Wait until an object is gone, or another one has taken its name. Raise StillThere after `timeout` seconds."""
    pause = min(PAUSE, timeout)
    for _ in range(max(1, int(timeout / PAUSE))):
        if _remaining(cluster, doomed) is None:
            return
        sleep(pause)
    live = _remaining(cluster, doomed)
    if live is not None:
        raise StillThere(live)


def _remaining(cluster: Cluster, doomed: DeletionTarget) -> Object | None:
    try:
        live = cluster.get(doomed.reference)
    except (NotFound, NoMatch):
        return None
    return live if uid_of(live) == doomed.uid else None


def waits_for(cluster: Cluster, doomed: DeletionTarget) -> list[str]:
    """The finalizers that still keep a deleted object; none if it is gone."""
    live = _remaining(cluster, doomed)
    return list(map(str, live["metadata"].get("finalizers") or ())) if live else []
