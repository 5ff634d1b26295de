"""Shared parts of requests: dry run, namespace, and the object's expected state."""

from __future__ import annotations

from collections import deque
from contextlib import suppress

from engine import MergeError

from ..apiserver.errors import BadRequest
from ..apiserver.identity import DEFAULT_NAMESPACE, Reference
from .serverside.managers import PATCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from engine import Schema

    from ..cluster import Cluster, Object, Resource
    from ..manifests.objects import Manifest

# ---- dry run --------------------------------------------------------------------------------------------------------

NONE, CLIENT, SERVER = "none", "client", "server"

WORDS = {NONE: "", CLIENT: " (dry run)", SERVER: " (server dry run)"}
"""The text that kubectl appends to a result."""


def mode(dry_run: str) -> str:
    """The mode in which the cluster is opened for changes."""
    return "write" if dry_run == NONE else "rehearse"


# ---- the namespace ---------------------------------------------------------------------------------------------------


class OtherNamespace(MergeError):
    """An object in a different namespace than the requested one."""

    def __init__(self, own: str, asked: str) -> None:
        self.own, self.asked = own, asked
        super().__init__(
            f'the namespace from the provided object "{own}" does not match the namespace "{asked}". '
            f"You must pass '--namespace={own}' to perform this operation."
        )


def placed(content: Object, resource: Resource, namespace: str | None, otherwise: str = DEFAULT_NAMESPACE) -> Object:
    """The object with its namespace filled in, which is kubectl's first step. The same object if it has one."""
    own = content["metadata"].get("namespace")
    return in_namespace(content, namespace or own or otherwise, namespaced=resource.namespaced)


def in_namespace(content: Object, namespace: str | None, *, namespaced: bool) -> Object:
    """The object in this namespace, if one is requested. Cluster-scoped objects never have one."""
    metadata = content["metadata"]
    if not namespaced:
        if "namespace" not in metadata:
            return content
        return {**content, "metadata": {key: value for key, value in metadata.items() if key != "namespace"}}
    check_namespace(content, namespace)
    if metadata.get("namespace") or not namespace:
        return content
    return {**content, "metadata": {**metadata, "namespace": namespace}}


def check_namespace(content: Object, namespace: str | None) -> None:
    """Reject an object whose namespace differs from the requested one.

    With `--local`, kubectl checks nothing else, because it cannot look up which kinds are namespaced.
    """
    own = content["metadata"].get("namespace")
    if own and namespace and own != namespace:
        raise OtherNamespace(own, namespace)


# ---- objects of a server --------------------------------------------------------------------------------------------

DISTANCE = 16
"""Number of objects that are requested ahead of their turn."""


def prefetched(
    cluster: Cluster, manifests: Iterable[Manifest], namespace: str | None, distance: int = DISTANCE
) -> Iterator[Manifest]:
    """The same objects. Live objects of a remote cluster are requested ahead of their turn."""
    from ..apiserver.protocol import AsksAhead

    if not isinstance(cluster, AsksAhead):
        yield from manifests
        return
    waiting: deque[Manifest] = deque()
    try:
        for one in manifests:
            with suppress(MergeError):  # reported when it is the object's turn
                resource = cluster.resource(*one.key)
                cluster.ahead([Reference.of(placed(one.content, resource, namespace, cluster.namespace))])
            waiting.append(one)
            if len(waiting) > distance:
                yield waiting.popleft()
    except MergeError:  # objects that were read come before the failure
        yield from waiting
        raise
    yield from waiting


# ---- a patch of one live object -------------------------------------------------------------------------------------


def sent(
    cluster: Cluster,
    live: Object,
    patch: Any,
    patch_type: str,
    dry_run: str,
    *,
    manager: str = PATCH,
    subresource: str | None = None,
    validate: str | None = None,
) -> Object:
    """The object after the patch. A patch with a resourceVersion is rejected if the object has another one."""
    reference = Reference.of(live)
    if dry_run != CLIENT:
        rehearsed = dry_run == SERVER
        return cluster.patch(
            reference,
            patch,
            patch_type,
            manager=manager,
            subresource=subresource,
            dry_run=rehearsed,
            field_validation=validate,
        )
    from ..apiserver.patches.patch_types import apply_patch

    resource = cluster.resource(reference.api_version, reference.kind)
    return apply_patch(live, patch, patch_type, resource, lambda: _schema(cluster, reference))


def _schema(cluster: Cluster, reference: Reference) -> Schema:
    found = cluster.schema(reference.api_version, reference.kind)
    if found is None:
        raise BadRequest(f"no schema has the merge rules of {reference.kind}. Use --dry-run=server")
    return found


def uid_of(live: Object) -> str:
    """The uid of a live object; empty if it has none, as objects of some aggregated APIs do."""
    return live["metadata"].get("uid") or ""


def version_of(live: Object) -> str:
    """The resourceVersion of a live object; empty if it has none, as objects of some aggregated APIs do."""
    return live["metadata"].get("resourceVersion") or ""


def pinned(patch: Object, version: str | None) -> Object:
    """The patch, valid only for this resourceVersion. Without one, it is valid for any."""
    if not version:
        return patch
    return {**patch, "metadata": {**patch.get("metadata", {}), "resourceVersion": version}}
