"""Sending a change of one live object, or working out what it would come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..cluster import BadRequest, Reference
from .dry_run import CLIENT, SERVER

if TYPE_CHECKING:
    from engine import Schema

    from ..cluster import Cluster, Object


def sent(
    cluster: Cluster, live: Object, patch: Any, patch_type: str, dry_run: str, *, subresource: str | None = None
) -> Object:
    """The object after the patch; one that asks for a resourceVersion is refused if the object has another."""
    reference = Reference.of(live)
    if dry_run != CLIENT:
        return cluster.patch(reference, patch, patch_type, subresource=subresource, dry_run=dry_run == SERVER)
    from ..cluster.embedded.patching import patched

    resource = cluster.resource(reference.api_version, reference.kind)
    return patched(live, patch, patch_type, resource, lambda: _schema(cluster, reference))


def _schema(cluster: Cluster, reference: Reference) -> Schema:
    found = cluster.schema(reference.api_version, reference.kind)
    if found is None:
        raise BadRequest(f"nobody here knows how {reference.kind} merges; use --dry-run=server")
    return found


def pinned(patch: Object, version: str | None) -> Object:
    """The patch for no other state of the object than this; for any, if no resourceVersion is given."""
    if not version:
        return patch
    return {**patch, "metadata": {**patch.get("metadata", {}), "resourceVersion": version}}
