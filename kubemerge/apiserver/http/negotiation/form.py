"""The form of an answer, and objects, lists and events in it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...errors import ClusterError
from ...kinds.facts import stored_in
from . import partial
from .media_types import JSON, YAML

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...protocol import Cluster, Object, Resource

SHAPES = ("Table", "PartialObjectMetadata", "PartialObjectMetadataList")
"""What an object may be turned into."""
VERSIONS = ("v1", "v1beta1")
"""The versions of these shapes."""


class WrongShape(ClusterError):
    """A list that was asked for as one object, or the other way round."""

    code, reason = 406, "NotAcceptable"


@dataclass(frozen=True)
class Form:
    """The form of an answer: its media type, and what objects are turned into."""

    media_type: str = JSON
    shape: str = ""
    """One of SHAPES; empty for objects as they are."""
    version: str = "v1"
    """The version of the shape."""
    objects: str = "Metadata"
    """What rows of a Table have of their objects: "Metadata", "Object" or "None"."""
    pretty: bool = False
    """Whether JSON is to be indented."""

    def with_objects(self, objects: str) -> Form:
        """The same form, with this of the objects in the rows of a Table."""
        return replace(self, objects=objects)

    @property
    def api_version(self) -> str:
        """The apiVersion of what has another shape."""
        return f"meta.k8s.io/{self.version}"

    def of_object(self, one: Object, resource: Resource, cluster: Cluster) -> Object:
        """The answer for one object; a Status stays as it is."""
        if not self.shape or _is_status(one):
            return one
        if self.shape == "PartialObjectMetadataList":
            raise WrongShape(_mismatch(self.shape, "not a list", resource, ""))
        if self.shape == "PartialObjectMetadata":
            return partial.metadata_of(one, self.api_version)
        version = {"resourceVersion": found} if (found := one["metadata"].get("resourceVersion")) else {}
        from . import tables  # slow to import, and only for those who print

        return tables.table([one], version, resource, cluster, self.api_version, self.objects)

    def of_list(self, objects: Iterable[Object], resource: Resource, cluster: Cluster, metadata: Object) -> Object:
        """The answer for a list with this metadata: resourceVersion, continue, remainingItemCount."""
        if self.shape == "PartialObjectMetadata":
            raise WrongShape(_mismatch(self.shape, "a list", resource, "List"))
        if self.shape == "Table":
            from . import tables

            return tables.table(objects, metadata, resource, cluster, self.api_version, self.objects)
        if self.shape:
            items = [partial.metadata_of(one, self.api_version) for one in objects]
            return partial.list_of(items, self.api_version, self.shape, metadata)
        items = [_without_type(one) for one in objects] if resource.built_in else list(objects)
        return partial.list_of(items, resource.api_version, f"{resource.kind}List", metadata)

    def of_event(self, type_: str, one: Object, resource: Resource, cluster: Cluster, *, first: bool) -> Object:
        """A watch event; only the first one in a stream has the definitions of a Table's columns."""
        if self.shape == "PartialObjectMetadataList":  # which servers do not make of one object, and do not refuse
            return {"type": type_, "object": one}
        shaped = self.of_object(one, resource, cluster)
        if shaped.get("kind") == "Table" and not first:
            shaped["columnDefinitions"] = None
        return {"type": type_, "object": shaped}

    def encoded(self, document: Object) -> bytes:
        """The body of an answer."""
        if self.media_type == YAML:
            from ...text.yaml_out import dump

            return dump(document).encode()
        return json_bytes(document, pretty=self.pretty)


def json_bytes(document: Object, *, pretty: bool = False) -> bytes:
    """A document as JSON on one line that ends; or as people read it."""
    if pretty:
        return json.dumps(document, ensure_ascii=False, indent=2).encode()
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _is_status(one: Object) -> bool:
    return one.get("kind") == "Status" and one.get("apiVersion") == "v1"


def _without_type(one: Object) -> Object:
    """An object as an element of a list, which says once what its elements are."""
    return {field: value for field, value in one.items() if field not in ("apiVersion", "kind")}


def _mismatch(shape: str, so: str, resource: Resource, list_: str) -> str:
    group = stored_in(resource.group, resource.kind).partition(".")[0] or "core"
    kind = f"{group}.{resource.kind}" if resource.built_in else "unstructured.Unstructured"
    return f"you requested {shape}, but the requested object is {so} (*{kind}{list_})"
