"""Create one object, as kubectl does, with a hint if its namespace is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.clientside.last_applied import annotations_of, with_last_applied
from engine.directives import ANNOTATION

from ..cluster import NotFound
from .requests import CLIENT, SERVER
from .serverside.managers import CREATE

if TYPE_CHECKING:
    from ..cluster import Cluster, Object


class NoNamespace(NotFound):
    """An object whose namespace does not exist."""

    def __init__(self, name: str) -> None:
        super().__init__("namespaces", name)
        self.advice = "apply its Namespace first"


def created(
    cluster: Cluster, content: Object, manager: str, *, dry_run: bool = False, validate: str | None = None
) -> Object:
    """The object after its creation. A missing namespace raises NoNamespace, whose message contains the fix."""
    try:
        return cluster.create(content, manager=manager, dry_run=dry_run, field_validation=validate)
    except NotFound as error:
        raise NoNamespace(error.name) if error.called == "namespaces" else error from None


def without_version(content: Object) -> Object:
    """The object without its resourceVersion: a new object cannot have one, even if its config sets it."""
    metadata = {key: value for key, value in content["metadata"].items() if key != "resourceVersion"}
    return {**content, "metadata": metadata}


def remembered(config: Object, *, save: bool) -> Object:
    """The config as it is sent: with the last-applied annotation, if it is to be saved or already exists."""
    return with_last_applied(config) if save or annotations_of(config).get(ANNOTATION) else config


def create(
    cluster: Cluster, config: Object, dry_run: str, manager: str = CREATE, validate: str | None = None
) -> Object:
    """The object after its creation. A resourceVersion in the config is left out, because a new object has none."""
    content = without_version(config)
    return (
        content
        if dry_run == CLIENT
        else created(cluster, content, manager, dry_run=dry_run == SERVER, validate=validate)
    )
