"""Responses of a server, whose content is validated before use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError
from engine.values.go_json import decode
from engine.values.plain import kind_name

from ...apiserver.errors import ConnectError
from . import limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...apiserver.protocol import Object

_SHAPES: dict[str, type] = {
    **dict.fromkeys(("name", "generateName", "namespace", "uid", "resourceVersion"), str),
    **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), str),
    **dict.fromkeys(("labels", "annotations"), dict),
    **dict.fromkeys(("finalizers", "ownerReferences", "managedFields"), list),
}
"""The types of metadata fields. Each may be null, which some servers print for empty."""
_TEXTS = ("labels", "annotations")
_MAPS = ("ownerReferences", "managedFields")


class Response(NamedTuple):
    """The status code, headers and body of a response."""

    code: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        """Whether the request succeeded. Redirects count as failures, and are not followed."""
        return 200 <= self.code < 300

    def json(self) -> Any:
        """Parse the body as JSON. Raise ConnectError for anything else."""
        if sum(map(self.body.count, (b",", b"[", b"{"))) > limits.VALUES:
            raise ConnectError(f"the server sent a response with more than {limits.VALUES} values")
        try:
            return decode(self.body)
        except MergeError:
            raise ConnectError(
                "the server returned something that is not JSON. Check that it is an API server"
            ) from None

    def map(self) -> Object:
        """Parse the body as a JSON map. Raise ConnectError for anything else."""
        return require_map(self.json(), "an object")


def require_map(value: Any, expected: str) -> Object:
    """Return the value, which must be a map. Raise ConnectError for anything else."""
    if not isinstance(value, dict):
        raise _unexpected(f"{kind_name(value)} instead of {expected}")
    return value


def require_maps(holder: Mapping[str, Any], field: str) -> list[Object]:
    """Return the maps of an optional list. Raise ConnectError for anything else."""
    found = holder.get(field)
    if found is None:
        return []
    if not isinstance(found, list):
        raise _unexpected(f"{field} that are {kind_name(found)} and not a list")
    return [require_map(one, f"an object in {field}") for one in found]


def check_object(content: Any, *, named: bool = True) -> Object:
    """Return an object of a server after checking the types of its kind and metadata."""
    found = require_map(content, "an object")
    for field in ("apiVersion", "kind"):
        if not isinstance(found.get(field), str):
            raise _unexpected(f"an object whose {field} is {kind_name(found.get(field))}")
    metadata = require_map(found.get("metadata") or {}, "metadata")
    for field, shape in _SHAPES.items():
        value = metadata.get(field)
        if value is not None and not isinstance(value, shape):
            raise _unexpected(f"an object whose metadata.{field} is {kind_name(value)}")
    for field in _TEXTS:
        for value in (metadata.get(field) or {}).values():
            if not isinstance(value, str):
                raise _unexpected(f"an object with {kind_name(value)} in metadata.{field}")
    for field in _MAPS:
        require_maps(metadata, field)
    if named and not metadata.get("name"):
        raise _unexpected("an object without a name")
    return found


def _unexpected(what: str) -> ConnectError:
    return ConnectError(f"the server returned {what}. Check that it is an API server")
