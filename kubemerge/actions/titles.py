"""What an object is called in what people read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..manifests.identity import Reference

if TYPE_CHECKING:
    from ..cluster import Object


def title(content: Object) -> str:
    """The object as kubectl calls it: `deployment.apps/nginx`."""
    return Reference.of(content).id.title


def deleted(content: Object, done: str = "deleted") -> str:
    """What kubectl says of an object that it has deleted: `configmap "a" deleted from default namespace`."""
    kind, _, name = title(content).partition("/")
    namespace = content["metadata"].get("namespace")
    return f'{kind} "{name}" {done}{f" from {namespace} namespace" if namespace else ""}'
