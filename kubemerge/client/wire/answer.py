"""The answer of a server, and its content, which is checked before anything else sees it."""

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
"""The types of the fields of metadata; each may be null, as some servers print what is empty."""
_TEXTS = ("labels", "annotations")
_MAPS = ("ownerReferences", "managedFields")


class Answer(NamedTuple):
    """The code, the headers and the body of an answer."""

    code: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        """Whether it answers the request; a redirect does not, and is not followed."""
        return 200 <= self.code < 300

    def json(self) -> Any:
        """The body, which is JSON; a ConnectError if it is something else."""
        if sum(map(self.body.count, (b",", b"[", b"{"))) > limits.VALUES:
            raise ConnectError(f"the server sent a response with more than {limits.VALUES} values")
        try:
            return decode(self.body)
        except MergeError:
            raise ConnectError(
                "the server returned something that is not JSON. Check that it is an API server"
            ) from None

    def map(self) -> Object:
        """The body, which is a map in JSON; a ConnectError if it is something else."""
        return a_map(self.json(), "an object")


def a_map(value: Any, expected: str) -> Object:
    """The value, which is a map; a ConnectError if it is not."""
    if not isinstance(value, dict):
        raise _unexpected(f"{kind_name(value)} instead of {expected}")
    return value


def maps_in(holder: Mapping[str, Any], field: str) -> list[Object]:
    """The maps of a list, which may be missing or null; a ConnectError if it is something else."""
    found = holder.get(field)
    if found is None:
        return []
    if not isinstance(found, list):
        raise _unexpected(f"{field} that are {kind_name(found)} and not a list")
    return [a_map(one, f"an object in {field}") for one in found]


def checked(content: Any, *, named: bool = True) -> Object:
    """An object that a server sent, once its kind and metadata have the types that everything else relies on."""
    found = a_map(content, "an object")
    for field in ("apiVersion", "kind"):
        if not isinstance(found.get(field), str):
            raise _unexpected(f"an object whose {field} is {kind_name(found.get(field))}")
    metadata = a_map(found.get("metadata") or {}, "metadata")
    for field, shape in _SHAPES.items():
        value = metadata.get(field)
        if value is not None and not isinstance(value, shape):
            raise _unexpected(f"an object whose metadata.{field} is {kind_name(value)}")
    for field in _TEXTS:
        for value in (metadata.get(field) or {}).values():
            if not isinstance(value, str):
                raise _unexpected(f"an object with {kind_name(value)} in metadata.{field}")
    for field in _MAPS:
        maps_in(metadata, field)
    if named and not metadata.get("name"):
        raise _unexpected("an object without a name")
    return found


def _unexpected(what: str) -> ConnectError:
    return ConnectError(f"the server returned {what}. Check that it is an API server")
