"""The three types of patches, applied as the API server applies them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import engine
from engine.gojson import decode, encode
from engine.guard import with_room
from engine.values import kind_name, same

from .errors import BadRequest, Invalid, UnsupportedMediaType

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema

    from .protocol import Object, Resource


def patched(live: Object, patch: Any, patch_type: str, resource: Resource, schema: Callable[[], Schema]) -> Object:
    """The live object as the patch makes it. What is wrong with the patch itself is told by the engine's errors."""
    if patch_type not in resource.patch_types:
        raise UnsupportedMediaType(resource.called, patch_type, resource.patch_types)
    wanted, what = (list, "a list of operations") if patch_type == "json" else (dict, "a map")
    if not isinstance(patch, wanted):
        raise BadRequest(f"a patch of the type {patch_type!r} is {what}, not {kind_name(patch)}")
    patch = decode(encode(patch))
    if patch_type == "json":
        return _by_operations(live, patch, resource)
    if patch_type == "merge":
        return engine.json_apply_patch(live, patch)
    return engine.apply_patch(live, patch, schema())


def _by_operations(live: Object, operations: list[Any], resource: Resource) -> Object:
    """The live object after the operations of RFC 6902, all of them or none."""
    from jsonpatch import JsonPatchException
    from jsonpointer import JsonPointerException

    wrong = (JsonPatchException, JsonPointerException, TypeError, LookupError, ValueError, AttributeError)
    try:
        patch = _patch_of(operations)
    except wrong as error:
        raise BadRequest(f"the JSON patch is not in order: {_said(error)}; see RFC 6902") from None
    try:
        result = with_room(lambda: patch.apply(live))
    except wrong as error:
        said = f'{resource.title} "{live["metadata"]["name"]}" is not as the JSON patch expects it: {_said(error)}'
        raise Invalid(f"{said}; look at the object again", [_said(error)]) from None
    if not isinstance(result, dict):
        raise BadRequest(f"the JSON patch makes the whole object into {kind_name(result)}; leave it a map")
    return result


def _said(error: Exception) -> str:
    """The library's message in one line."""
    return " ".join(str(error).split()) or type(error).__name__


def _patch_of(operations: list[Any]) -> Any:
    import jsonpatch

    class Test(jsonpatch.TestOperation):
        """`test` as JSON compares: to Python, true is 1."""

        def apply(self, obj: Any) -> Any:
            holder, part = self.pointer.to_last(obj)
            found = holder if part is None else self.pointer.walk(holder, part)
            if not same(found, self.operation["value"]):
                raise jsonpatch.JsonPatchTestFailed(f"the test of {self.location} failed")
            return obj

    class Patch(jsonpatch.JsonPatch):
        """The six operations of RFC 6902; the library has more."""

        operations = MappingProxyType(
            {
                "add": jsonpatch.AddOperation,
                "copy": jsonpatch.CopyOperation,
                "move": jsonpatch.MoveOperation,
                "remove": jsonpatch.RemoveOperation,
                "replace": jsonpatch.ReplaceOperation,
                "test": Test,
            }
        )

    return Patch(operations)
