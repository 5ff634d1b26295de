"""The form of a response, applied to objects, lists and events."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...errors import ClusterError
from ...kinds.builtin_kinds import stored_in
from . import partial
from .media_types import JSON, YAML

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...protocol import Cluster, Object, Resource

SHAPES = ("Table", "PartialObjectMetadata", "PartialObjectMetadataList")
"""The shapes that objects can be converted to."""
VERSIONS = ("v1", "v1beta1")
"""The versions of these shapes."""


class WrongShape(ClusterError):
    """A list requested in the shape of an object, or the reverse."""

    code, reason = 406, "NotAcceptable"


@dataclass(frozen=True)
class Form:
    """The form of a response: its media type, and the shape of objects."""

    media_type: str = JSON
    shape: str = ""
    """One of SHAPES. Empty for unchanged objects."""
    version: str = "v1"
    """The version of the shape."""
    objects: str = "Metadata"
    """The part of an object in a row of a Table: "Metadata", "Object" or "None"."""
    pretty: bool = False
    """Whether to indent JSON."""

    def with_objects(self, objects: str) -> Form:
        """Return the form with this part of objects in the rows of a Table."""
        return replace(self, objects=objects)

    @property
    def api_version(self) -> str:
        """The apiVersion of the shape."""
        return f"meta.k8s.io/{self.version}"

    def of_object(self, one: Object, resource: Resource, cluster: Cluster) -> Object:
        """Return one object in this form. A Status stays unchanged."""
        if not self.shape or _is_status(one):
            return one
        if self.shape == "PartialObjectMetadataList":
            raise WrongShape(_mismatch(self.shape, "not a list", resource, ""))
        if self.shape == "PartialObjectMetadata":
            return partial.metadata_of(one, self.api_version)
        version = {"resourceVersion": found} if (found := one["metadata"].get("resourceVersion")) else {}
        from . import tables  # slow to import, and only used by clients that print tables

        part = "scale" if _is_scale(one) else ""
        return tables.table([one], version, resource, cluster, self.api_version, self.objects, part)

    def of_virtual(self, one: Object) -> Object:
        """Return an object that is never stored in this form, which is not a Table. A Status stays unchanged."""
        return partial.metadata_of(one, self.api_version) if self.shape and not _is_status(one) else one

    def of_list(self, objects: Iterable[Object], resource: Resource, cluster: Cluster, metadata: Object) -> Object:
        """Return a list with this metadata: resourceVersion, continue, remainingItemCount."""
        if self.shape == "PartialObjectMetadata":
            raise WrongShape(_mismatch(self.shape, "a list", resource, "List"))
        if self.shape == "Table":
            from . import tables

            return tables.table(objects, metadata, resource, cluster, self.api_version, self.objects)
        if self.shape:
            items = [partial.metadata_of(one, self.api_version) for one in objects]
            return partial.list_of(items, self.api_version, self.shape, metadata)
        items = [_without_type(one) for one in objects] if resource.built_in else list(objects)
        metadata = metadata if resource.built_in else {"continue": "", **metadata}  # a map in Go, not a struct
        return partial.list_of(items, resource.api_version, f"{resource.kind}List", metadata)

    def of_event(self, type_: str, one: Object, resource: Resource, cluster: Cluster, *, first: bool) -> Object:
        """Return a watch event. Only the first one in a stream has the columns of a Table."""
        if self.shape == "PartialObjectMetadataList":  # servers neither convert one object to it nor reject it
            return {"type": type_, "object": one}
        shaped = self.of_object(one, resource, cluster)
        if shaped.get("kind") == "Table" and not first:
            shaped["columnDefinitions"] = None
        return {"type": type_, "object": shaped}

    def encoded(self, document: Object) -> bytes:
        """Return the body of a response."""
        if self.media_type == YAML:
            from ...text.yaml_out import dump

            return dump(document).encode()
        return json_bytes(document, pretty=self.pretty)


def json_bytes(document: Object, *, pretty: bool = False) -> bytes:
    """Return a document as one line of JSON, or indented."""
    if pretty:
        return json.dumps(document, ensure_ascii=False, indent=2).encode()
    return _compact(document).encode() + b"\n"


_compact = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
"""`json.dumps`, without the setup that it repeats for each text. No document contains itself."""


def _is_status(one: Object) -> bool:
    return one.get("kind") == "Status" and one.get("apiVersion") == "v1"


def _is_scale(one: Object) -> bool:
    return one.get("kind") == "Scale" and one.get("apiVersion") == "autoscaling/v1"


def _without_type(one: Object) -> Object:
    """An object as an element of a list, whose type the list contains."""
    return {field: value for field, value in one.items() if field not in ("apiVersion", "kind")}


def _mismatch(shape: str, so: str, resource: Resource, list_: str) -> str:
    group = stored_in(resource.group, resource.kind).partition(".")[0] or "core"
    kind = f"{group}.{resource.kind}" if resource.built_in else "unstructured.Unstructured"
    return f"you requested {shape}, but the requested object is {so} (*{kind}{list_})"
