"""The objects of requests as an audit event contains them, and deprecated kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError

from ...audit_annotations import annotate

if TYPE_CHECKING:
    from ...cluster import EmbeddedCluster
    from ...protocol import Object, Resource
    from ..messages import Request


def note_object(cluster: EmbeddedCluster, request: Request, content: Object) -> None:
    """Record the object of a request, decoded and with default values."""
    if request.audit is not None:
        request.audit.sent(content, lambda: _decoded(cluster, content))


def note_virtual(request: Request, content: Object, api_version: str, kind: str, status: Any = None) -> None:
    """Record the object of a request of a kind that is not stored. A server prints the status of some kinds."""
    if request.audit is not None:
        head = {"kind": kind, "apiVersion": api_version}
        printed = {**content, **head, **({"status": status} if status is not None else {})}
        request.audit.sent(content, lambda: printed)


def _decoded(cluster: EmbeddedCluster, content: Object) -> Any:
    try:
        return cluster.decoded(content)
    except MergeError:
        return None  # the request is rejected


def note_deprecation(cluster: EmbeddedCluster, resource: Resource) -> None:
    """Annotate a request for a deprecated version of a kind."""
    removed = cluster.deprecated_until(resource)
    if removed is None:
        return
    annotate("k8s.io/deprecated", "true")
    if removed:
        annotate("k8s.io/removed-release", removed)
