"""Creating objects, and putting one in place of another, as kubectl does: whole, and without a merge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import MergeError
from engine.last_applied import ANNOTATION, annotated, annotations_of

from ..cluster import AlreadyExists, NotFound, Recreates, Reference
from .apply import created
from .deleting import Doomed, delete, wait_until_gone
from .dry_run import CLIENT, SERVER

if TYPE_CHECKING:
    from ..cluster import Cluster, Object


class NotRestored(MergeError):
    """An object that was deleted, and not created anew."""

    def __init__(self, error: MergeError) -> None:
        super().__init__(f"it was deleted, and could not be created anew: {error}; create it from the file")


def remembered(config: Object, *, save: bool) -> Object:
    """The config as it is sent: with the annotation of apply, if that is to be saved or is there already."""
    return annotated(config) if save or annotations_of(config).get(ANNOTATION) else config


def create(cluster: Cluster, config: Object, dry_run: str) -> Object:
    """The object after its creation. A resourceVersion in the config is left out, for a new object has none."""
    content = _without_version(config)
    return content if dry_run == CLIENT else created(cluster, content, dry_run=dry_run == SERVER)


def replace(cluster: Cluster, config: Object, dry_run: str, subresource: str | None = None) -> Object:
    """The object as the config has it, and nothing of what it was; a resourceVersion in it has to be the latest."""
    if dry_run == CLIENT:
        return config
    return cluster.replace(config, subresource=subresource, dry_run=dry_run == SERVER)


def create_anew(cluster: Cluster, config: Object, cascade: str, timeout: float) -> tuple[Object, bool]:
    """The object deleted, if it is there, and created, as one step where the cluster can; and whether it was there.

    Nothing is deleted for a config that would be refused.
    """
    content = _without_version(config)
    try:
        created(cluster, content, dry_run=True)
    except AlreadyExists:
        pass
    else:
        return created(cluster, content), False
    try:
        doomed = Doomed.of(cluster.get(Reference.of(content)))
        anew = _deleted(cluster, doomed, content, cascade)
    except NotFound:  # somebody else was quicker
        return created(cluster, content), False
    if anew is not None:
        return anew, True
    wait_until_gone(cluster, doomed, timeout)
    try:
        return created(cluster, content), True
    except MergeError as error:
        raise NotRestored(error) from None


def _deleted(cluster: Cluster, doomed: Doomed, content: Object, cascade: str) -> Object | None:
    """Delete an object; what was created in its place, if that is one step."""
    if isinstance(cluster, Recreates):
        return cluster.recreate(content)
    delete(cluster, doomed, cascade, "none")
    return None


def _without_version(config: Object) -> Object:
    metadata = {key: value for key, value in config["metadata"].items() if key != "resourceVersion"}
    return {**config, "metadata": metadata}
