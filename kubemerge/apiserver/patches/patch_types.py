"""The patch types, applied as the API server applies them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine.directives import ORDER, REMOVE, RETAIN
from engine.errors import (
    BadDirective,
    MergeError,
    MissingMergeKey,
    MixedElements,
    OrderMismatch,
    UnknownDirective,
    UnknownField,
)
from engine.values.go_json import decode, encode
from engine.values.guard import with_room
from engine.values.plain import kind_name

from ..decoding.go_kinds import JSON_TYPES
from ..errors import BadRequest, ClusterError, Invalid, UnknownReason, UnsupportedMediaType
from ..text.go_text import go_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema

    from ..protocol import Object, Resource


class PatchShape(NamedTuple):
    """The required shape of a patch type, in JSON, in Go and in words."""

    json: type[Any]
    go: str
    words: str
    while_doing: str = "error decoding patch: "


SHAPES = {
    "json": PatchShape(list, "[]handlers.jsonPatchOp", "a list of operations"),
    "merge": PatchShape(dict, "map[string]interface {}", "a map"),
    "strategic": PatchShape(dict, "map[string]interface {}", "a map", while_doing=""),
}
FORMS = {RETAIN: "retainKeys", ORDER: "setElementOrder list", REMOVE: "primitive list"}
"""Directives whose wrong form a server rejects by name."""
NOTHING = ("json", "strategic")
"""The types where null is a patch without changes."""


MOST_OPERATIONS = 10_000
"""The maximum number of operations of a JSON patch."""


class TooManyOperations(ClusterError):
    """A JSON patch with too many operations."""

    code, reason = 413, "RequestEntityTooLarge"

    def __init__(self, count: int) -> None:
        why = f"The allowed maximum operations in a JSON patch is {MOST_OPERATIONS}, got {count}"
        super().__init__(f"Request entity too large: {why}")


def apply_patch(
    live: Object, patch: Any, patch_type: str, resource: Resource, schema: Callable[[], Schema], *, exact: bool = False
) -> Object:
    """Apply a patch to the live object. Go rejects a strategic patch of a wrong type without a reason.

    `exact` keeps numbers such as 1.0, which are 1 otherwise.
    """
    if patch_type not in resource.patch_types:
        raise UnsupportedMediaType(resource.called, patch_type, resource.patch_types)
    if patch is None and patch_type in NOTHING:
        return live
    _check_shape(patch, patch_type)
    patch = patch if exact else decode(encode(patch))
    if patch_type == "json":
        if len(patch) > MOST_OPERATIONS:
            raise TooManyOperations(len(patch))
        return _by_operations(live, patch)
    if patch_type == "merge":
        return engine.json_apply_patch(live, patch)
    rules = schema()
    try:
        return engine.apply_patch(live, patch, rules)
    except MergeError as error:
        raise _refused(error) from None


def _refused(error: MergeError) -> ClusterError:
    """The server's error for a strategic patch that cannot be applied."""
    advice = str(error)
    if isinstance(error, BadDirective):
        form = FORMS.get(error.directive.partition("/")[0])
        return BadRequest(f"invalid patch format of {form}", advice=advice) if form else UnknownReason(advice)
    if isinstance(error, UnknownField) and not error.has_fields:
        why = f'unable to find api field in struct RawExtension for the json field "{error.field}"'
    elif isinstance(error, MissingMergeKey):
        why = f"map: {go_text(error.item)} does not contain declared merge key: {error.key}"
    elif isinstance(error, UnknownDirective):
        why = f"unknown patch type: {go_text(error.value)} in map: {go_text(error.patch)}"
    elif isinstance(error, MixedElements) and error.lists:
        why = f"list element types are not identical: {go_text([*error.lists])}"
    elif isinstance(error, OrderMismatch):
        lists = f"\n{go_text(error.patch)}\n doesn't match {ORDER} list:\n{go_text(error.order)}\n"
        why = f"The order in patch list:{lists}"
    else:
        return UnknownReason(advice)
    return UnknownReason(why, advice=advice)


def _check_shape(patch: Any, patch_type: str) -> None:
    shape = SHAPES[patch_type]
    if patch is None:
        advice = f"a patch of the type {patch_type!r} is {shape.words}, not null"
        raise BadRequest("Invalid JSON Patch", advice=advice)
    if not isinstance(patch, shape.json):
        advice = f"a patch of the type {patch_type!r} is {shape.words}, not {kind_name(patch)}"
        raise BadRequest(f"{shape.while_doing}{_unread(patch, f'value of type {shape.go}')}", advice=advice)
    for number, operation in enumerate(patch if patch_type == "json" else (), 1):
        _check_operation(operation, f"look at operation {number}")


def _check_operation(operation: Any, where: str) -> None:
    decoding = SHAPES["json"].while_doing
    if operation is not None and not isinstance(operation, dict):
        raise BadRequest(f"{decoding}{_unread(operation, 'value of type handlers.jsonPatchOp')}", advice=where)
    for field in ("op", "path", "from"):
        value = (operation or {}).get(field)
        if value is not None and not isinstance(value, str):
            said = _unread(value, f"struct field jsonPatchOp.{field} of type string")
            raise BadRequest(f"{decoding}{said}", advice=where)


def _unread(value: Any, go: str) -> str:
    return f"json: cannot unmarshal {JSON_TYPES[type(value)]} into Go {go}"


def _by_operations(live: Object, operations: list[Any]) -> Object:
    """Apply the operations of RFC 6902, all or none."""
    from .json_patch import BadJsonPatch, apply_json_patch

    try:
        result = with_room(lambda: apply_json_patch(live, operations))
    except BadJsonPatch as error:
        raise _rejected(str(error)) from None
    if not isinstance(result, dict):
        raise _rejected(f"they make the whole object into {kind_name(result)}; leave it a map")
    return result


def _rejected(why: str) -> Invalid:
    return Invalid("the server rejected our request due to an error in our request", advice=why)
