"""An object deleted and created anew, for what cannot be changed: in one step where the cluster can, else with care."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine import MergeError

from ..cluster import Recreates
from .creating import created, without_version
from .deleting import PROPAGATIONS, Doomed, wait_until_gone

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cluster import Cluster, Object


class NotRestored(MergeError):
    """An object that was deleted, could not be created anew, and not be brought back either."""

    def __init__(self, error: MergeError, restoring: MergeError) -> None:
        super().__init__(f"it was deleted, and could not be created anew: {error}; nor be brought back: {restoring}")


def recreated(
    cluster: Cluster,
    live: Object,
    wanted: Object,
    timeout: float,
    *,
    cascade: str = "background",
    sleep: Callable[[float], None] = time.sleep,
) -> Object:
    """The wanted object, created in place of exactly this live one.

    Where it takes two steps, above all for an object with finalizers, which is waited for, a live object whose
    successor is refused is brought back.
    """
    doomed, wanted = Doomed.of(live), without_version(wanted)
    if isinstance(cluster, Recreates):
        anew = cluster.recreate(wanted, uid=doomed.uid)
        if anew is not None:
            return anew
    else:
        cluster.delete(doomed.reference, uid=doomed.uid, propagation=PROPAGATIONS[cascade])
    wait_until_gone(cluster, doomed, timeout, sleep)
    try:
        return created(cluster, wanted)
    except MergeError as error:
        _bring_back(cluster, live, error)
        raise


def _bring_back(cluster: Cluster, live: Object, error: MergeError) -> None:
    try:
        created(cluster, without_version(live))
    except MergeError as restoring:
        raise NotRestored(error, restoring) from None
