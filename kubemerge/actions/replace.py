"""Replace an object: update it as a whole, or delete and recreate it if fields are immutable."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine import MergeError

from ..cluster import AlreadyExists, NotFound, Recreates, Reference
from .create import created, without_version
from .delete import PROPAGATIONS, DeletionTarget, wait_until_gone
from .requests import CLIENT, SERVER
from .serverside.managers import REPLACE

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cluster import Cluster, Object


class NotRestored(MergeError):
    """An object that was deleted, and could not be recreated or restored."""

    def __init__(self, error: MergeError, restoring: MergeError) -> None:
        super().__init__(
            f"the object was deleted and could not be recreated: {error}. The old one could not be "
            f"restored: {restoring}"
        )


def replace(
    cluster: Cluster,
    config: Object,
    dry_run: str,
    manager: str = REPLACE,
    subresource: str | None = None,
    validate: str | None = None,
) -> Object:
    """Replace the whole live object by the config. A resourceVersion in the config has to be the latest."""
    if dry_run == CLIENT:
        return config
    rehearsed = dry_run == SERVER
    config = _of_the_latest(cluster, config)
    return cluster.replace(
        config, manager=manager, subresource=subresource, dry_run=rehearsed, field_validation=validate
    )


def _of_the_latest(cluster: Cluster, config: Object) -> Object:
    """The config with the live object's resourceVersion, if it has none. Some kinds require it for updates."""
    if config["metadata"].get("resourceVersion"):
        return config
    try:
        live = cluster.get(Reference.of(config))
    except NotFound:  # some kinds are created then
        return config
    version = live["metadata"].get("resourceVersion")
    return {**config, "metadata": {**config["metadata"], "resourceVersion": version}}


def create_anew(
    cluster: Cluster,
    config: Object,
    cascade: str,
    timeout: float,
    manager: str = REPLACE,
    validate: str | None = None,
) -> tuple[Object, bool]:
    """Delete the object if it exists, and create it. Return the new object and whether an old one existed.

    Nothing is deleted for a config that would be rejected.
    """
    content = without_version(config)
    try:
        created(cluster, content, manager, dry_run=True, validate=validate)
        return created(cluster, content, manager, validate=validate), False
    except AlreadyExists:
        pass
    try:
        live = cluster.get(Reference.of(content))
        return recreated(cluster, live, content, manager, timeout, cascade=cascade, validate=validate), True
    except NotFound:  # deleted in the meantime
        return created(cluster, content, manager, validate=validate), False


def recreated(
    cluster: Cluster,
    live: Object,
    wanted: Object,
    manager: str,
    timeout: float,
    *,
    cascade: str = "background",
    validate: str | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Object:
    """Create the wanted object in place of exactly this live one.

    If this takes two steps, as for an object with finalizers, and the new object is rejected, the old one is restored.
    """
    doomed, wanted = DeletionTarget.of(live), without_version(wanted)
    if isinstance(cluster, Recreates):
        anew = cluster.recreate(wanted, uid=doomed.uid, manager=manager, field_validation=validate)
        if anew is not None:
            return anew
    else:
        cluster.delete(doomed.reference, uid=doomed.uid, propagation=PROPAGATIONS[cascade])
    wait_until_gone(cluster, doomed, timeout, sleep)
    try:
        return created(cluster, wanted, manager, validate=validate)
    except MergeError as error:
        _bring_back(cluster, live, manager, error)
        raise


def _bring_back(cluster: Cluster, live: Object, manager: str, error: MergeError) -> None:
    try:
        created(cluster, without_version(live), manager)
    except MergeError as restoring:
        raise NotRestored(error, restoring) from None
