"""Complete and create generated objects: set the namespace and the `--save-config` annotation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from engine import MergeError
from engine.directives import ANNOTATION

from ...cluster import ClusterError

if TYPE_CHECKING:
    from ...cluster import Cluster, Object

_FIRST = ("name", "generateName", "namespace")


class NotCreated(MergeError):
    """An object that the cluster rejects, as kubectl reports it."""


def prepared(content: Object, namespace: str | None, *, save: bool) -> Object:
    """The object in the requested namespace, with the last-applied annotation if it is to be saved."""
    metadata = content["metadata"]
    if namespace:
        first = {key: metadata[key] for key in _FIRST if key in metadata}
        rest = {key: value for key, value in metadata.items() if key not in first}
        metadata = {**first, "namespace": namespace, **rest}
    placed = {**content, "metadata": metadata}
    if not save:
        return placed
    annotations = {**(metadata.get("annotations") or {}), ANNOTATION: f"{_as_go(placed)}\n"}
    return {**placed, "metadata": {**metadata, "annotations": annotations}}


def _as_go(content: Object) -> str:
    """The object as JSON in one line, its fields in their order."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    for one in "<>&\u2028\u2029":
        text = text.replace(one, f"\\u{ord(one):04x}")
    return text


def create(
    cluster: Cluster, content: Object, namespace: str | None, manager: str, *, dry_run: bool, failed: str = ""
) -> Object:
    """The object after its creation. kubectl starts some of its rejection messages with `failed`."""
    whole = {**content, "metadata": {**content["metadata"], **({"namespace": namespace} if namespace else {})}}
    try:
        return cluster.create(whole, manager=manager, dry_run=dry_run)
    except ClusterError as error:
        if not failed:
            raise
        raise NotCreated(f"{failed}{error}") from None
