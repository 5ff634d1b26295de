"""Objects that are sent to a subresource, such as a Binding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import BadRequest
from ..patch_identity import check_namespace
from ..unchecked import as_map
from .audit.objects import note_virtual
from .typed_objects import typed_object_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..cluster import EmbeddedCluster
    from ..protocol import Object
    from .bodies import ExpectedKind
    from .messages import Request
    from .routing import Target


def admitted(
    cluster: EmbeddedCluster,
    target: Target,
    content: Object,
    kind: ExpectedKind,
    *,
    dry_run: bool,
    check: Callable[[Object], None] | None = None,
) -> Object:
    """Return the sent object after the admission policies. `check` is called between mutation and validation."""
    place = {field: value for field, value in (("name", target.name), ("namespace", target.namespace)) if value}
    metadata = {**place, **as_map(content.get("metadata"))}
    sent = {**content, "apiVersion": kind.api_version, "kind": kind.kind, "metadata": metadata}
    part = (kind.api_version, kind.kind)
    return cluster.admit_subresource(
        target.resource, target.reference, sent, target.part, part, dry_run=dry_run, check=check
    )


def sent_to(cluster: EmbeddedCluster, request: Request, target: Target, expected: ExpectedKind) -> Object:
    """Return the object of the body. Reject one of another kind, namespace or name than the path has."""
    content = typed_object_of(cluster, request, expected)
    note_virtual(request, content, expected.api_version, expected.kind)
    metadata = content["metadata"]
    check_namespace(metadata.get("namespace"), target.namespace)
    if target.name and metadata.get("name") != target.name:
        raise BadRequest(f"name in URL does not match name in {expected.kind} object")
    return content
