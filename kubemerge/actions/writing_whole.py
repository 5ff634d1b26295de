"""Creating objects, and putting one in place of another, as kubectl does: whole, and without a merge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.clientside.last_applied import annotated, annotations_of
from engine.directives import ANNOTATION

from ..cluster import AlreadyExists, NotFound, Reference
from .creating import created, without_version
from .dry_run import CLIENT, SERVER
from .recreating import recreated

if TYPE_CHECKING:
    from ..cluster import Cluster, Object


def remembered(config: Object, *, save: bool) -> Object:
    """The config as it is sent: with the annotation of apply, if that is to be saved or is there already."""
    return annotated(config) if save or annotations_of(config).get(ANNOTATION) else config


def create(cluster: Cluster, config: Object, dry_run: str) -> Object:
    """The object after its creation. A resourceVersion in the config is left out, for a new object has none."""
    content = without_version(config)
    return content if dry_run == CLIENT else created(cluster, content, dry_run=dry_run == SERVER)


def replace(cluster: Cluster, config: Object, dry_run: str, subresource: str | None = None) -> Object:
    """The object as the config has it, and nothing of what it was; a resourceVersion in it has to be the latest."""
    if dry_run == CLIENT:
        return config
    return cluster.replace(config, subresource=subresource, dry_run=dry_run == SERVER)


def create_anew(cluster: Cluster, config: Object, cascade: str, timeout: float) -> tuple[Object, bool]:
    """The object deleted, if it is there, and created; and whether it was there.

    Nothing is deleted for a config that would be refused.
    """
    content = without_version(config)
    try:
        created(cluster, content, dry_run=True)
        return created(cluster, content), False
    except AlreadyExists:
        pass
    try:
        live = cluster.get(Reference.of(content))
        return recreated(cluster, live, content, timeout, cascade=cascade), True
    except NotFound:  # somebody else was quicker
        return created(cluster, content), False
