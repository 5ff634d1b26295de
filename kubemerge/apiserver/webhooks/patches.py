"""JSON patches of mutating webhooks, as a server applies them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.go_json import encode

from ..errors import InternalError, Invalid, NoMatch, UnknownReason
from ..http.bodies import InvalidJson, of_json
from ..policies.json_patch import apply_operations
from ..policies.patches import as_admitted, check_form
from ..policies.values import PatchError
from ..problems import invalid
from ..unchecked import as_map, as_text
from .calls import CallError
from .responses import SCHEME, TYPE_META, TYPES

if TYPE_CHECKING:
    from ..policies.request import Match
    from ..protocol import Object, Resource
    from ..resources import Kinds

UNDECODABLE = "received undecodable patch in webhook response: "


def operations_in(patch: bytes) -> list[Any]:
    """Return the operations of a patch. Raise CallError."""
    try:
        found = of_json(patch)
    except InvalidJson as error:
        raise CallError(f"{UNDECODABLE}{error}") from None
    if found is None:
        return []
    if not isinstance(found, list):
        kind = TYPES.get(type(found), "number")
        raise CallError(f"{UNDECODABLE}json: cannot unmarshal {kind} into Go value of type jsonpatch.Patch")
    for one in found:
        if not isinstance(one, dict):
            kind = TYPES.get(type(one), "number")
            raise CallError(f"{UNDECODABLE}json: cannot unmarshal {kind} into Go value of type jsonpatch.Operation")
    return found


def patched(content: Object, operations: list[Any], match: Match, kinds: Kinds) -> Object:
    """Return the object after a patch, decoded and with defaults. Raise InternalError."""
    try:
        found = apply_operations(content, [_operation(one) for one in operations])
    except PatchError as error:
        raise InternalError(str(error)) from None
    except (MergeError, RecursionError) as error:
        raise InternalError(str(error)) from None
    resource = match.resource
    if match.kind != (resource.api_version, resource.kind):  # a Scale or a Binding
        return found  # type: ignore[no-any-return]
    if not isinstance(found, dict):
        raise InternalError(f"couldn't get version/kind; json parse error: {_mismatch(found)}")
    if not resource.built_in:
        _check_custom(found, resource)
    else:
        found = {"apiVersion": resource.api_version, "kind": resource.kind, "metadata": {}, **found}
        _check_built_in(found, resource, kinds)
    check_form(found, resource, kinds, strict=False)
    return as_admitted(found, resource, kinds)


def _mismatch(found: Any) -> str:
    kind = TYPES.get(type(found), "number")
    return f"json: cannot unmarshal {kind} into Go value of type {TYPE_META}"


def _check_built_in(content: Object, resource: Resource, kinds: Kinds) -> None:
    """Raise InternalError for an object of another kind."""
    api_version, kind = str(content["apiVersion"]), str(content["kind"])
    if (api_version, kind) == (resource.api_version, resource.kind):
        return
    try:
        kinds.resource(api_version, kind)
    except NoMatch:
        said = f'no kind "{kind}" is registered for version "{api_version}" in scheme "{SCHEME}"'
        raise InternalError(said) from None
    into = f"{resource.group.partition('.')[0] or 'core'}.{resource.kind}"
    raise InternalError(f"converting ({api_version.rpartition('/')[2]}.{kind}) to ({into}): unknown conversion")


def _check_custom(content: Object, resource: Resource) -> None:
    """Reject a custom resource of another kind or version."""
    kind, api_version = content.get("kind"), content.get("apiVersion")
    if not kind:
        raise InternalError(f"Object 'Kind' is missing in '{encode(content)}'")
    if kind != resource.kind:
        name = as_text(as_map(content.get("metadata")).get("name"))
        problem = invalid("kind", kind, f"must be {resource.kind}")
        raise Invalid.of(f"{kind}.{resource.group}", name, [problem])
    if api_version != resource.api_version:
        raise UnknownReason(f"request to convert CR from an invalid group/version: {api_version}")


def _operation(one: Object) -> Object:
    """The operation with the types that Go reads. A wrong one is read as missing."""
    op, path = one.get("op"), one.get("path")
    found: Object = {"op": op if isinstance(op, str) else "unknown"}
    if not isinstance(path, str):
        raise PatchError(f"{found['op']} operation failed to decode path: missing value")
    found["path"] = path
    if isinstance(one.get("from"), str):
        found["from"] = one["from"]
    if "value" in one:
        found["value"] = one["value"]
    return found
