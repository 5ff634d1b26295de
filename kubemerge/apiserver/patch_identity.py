"""Patches and object identity: the changes that the API server ignores or rejects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.paths import render

from .decoding import type_errors, type_search
from .decoding.field_validation import unreadable
from .decoding.go_kinds import JSON_TYPES
from .decoding.registered_kinds import wrong_kind
from .eras import NO_END
from .errors import BadRequest, ClusterError, Invalid
from .kinds.builtin_kinds import NAMESPACE, facts_of
from .metadata import copy_as_json, missing_version
from .problems import invalid
from .scale import KIND as SCALE
from .unchecked import as_map

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Schema

    from .decoding.field_validation import Patched
    from .identity import ObjectId
    from .protocol import Object, Resource
    from .resources import Kinds

NOWHERE = (None, "")
OTHER_NAMESPACE = "the namespace of the provided object does not match the namespace sent on the request"
NAMES_NAMESPACES_UNTIL = 23
"""The last minor release that names the namespaces of an update for another one."""
NO_VERSION = (None, "", "0")


def keep_identity(
    content: Object,
    live: Object,
    resource: Resource,
    kinds: Kinds,
    patch_type: str,
    shown: Patched,
    subresource: str | None = None,
    check_fields: Callable[[Object], None] | None = None,
) -> Object:
    """Return the patched object with its original identity. Reject a patch that changes it.

    `shown` is the object printed in the error if the patched object cannot be decoded. `check_fields` looks for unknown
    fields, which a server does when it decodes the object, before it compares names.
    """
    metadata = content.get("metadata")
    content = {**content, "metadata": {} if metadata is None else metadata}
    if patch_type == "strategic":
        converted = _converted(content, resource, kinds, shown)
        content = {**converted, **{field: live[field] for field in ("apiVersion", "kind")}}
    else:
        _check_types(content, resource, kinds, shown)
        if resource.built_in:
            content |= _read_as(content, live, shown, kinds)
        else:
            _check_custom(content, live, shown)
    metadata = content["metadata"]
    if check_fields is not None:
        check_fields(content)
    if subresource == "status" and not resource.built_in:  # such a write keeps the metadata
        metadata = {**metadata, "uid": live["metadata"]["uid"]}
    return {**content, "metadata": _metadata(metadata, live, resource, kinds.minor)}


def config_of(content: Any, resource: Resource, key: ObjectId) -> Object:
    """Return the config of a server-side apply, with the name of the request by default."""
    return _config(content, (resource.api_version, resource.kind), key)


def scale_config(content: Any, resource: Resource, key: ObjectId, minor: int) -> Object:
    """Return the Scale of a server-side apply to the subresource."""
    config = _config(content, SCALE, key)
    check_identity(config, resource, key, minor)
    return config


def _config(content: Any, expected: tuple[str, str], key: ObjectId) -> Object:
    found = copy_as_json(content)
    if (found["apiVersion"], found["kind"]) != expected:
        version = found["apiVersion"] if "/" in found["apiVersion"] else f"/{found['apiVersion']}"
        raise BadRequest(
            f"invalid object type: {version}, Kind={found['kind']}",
            advice=f"the request is for {expected[0]}, Kind={expected[1]}",
        )
    if as_map(content.get("metadata")).get("managedFields") is not None:
        raise BadRequest("metadata.managedFields must be nil", advice="leave it out of config")
    metadata = as_map(content.get("metadata"))
    return {**content, "metadata": {**metadata, "name": metadata.get("name") or key.name}}


def check_identity(config: Object, resource: Resource, key: ObjectId, minor: int = NO_END) -> None:
    """Reject a config of another name or namespace than that of the request."""
    check_name(config["metadata"]["name"], key.name)
    if resource.namespaced:
        check_namespace(config["metadata"].get("namespace"), key.namespace, minor)
    elif in_own_namespace(resource, minor):
        check_namespace(config["metadata"].get("namespace"), key.name, minor)


def in_own_namespace(resource: Resource, minor: int) -> bool:
    """Whether the namespace of an update is compared with the object's own name: that of a Namespace, until 1.23."""
    return minor <= NAMES_NAMESPACES_UNTIL and (resource.group, resource.kind) == NAMESPACE


def check_name(name: Any, asked: str) -> None:
    """Reject an object without a name, or with another name than the request."""
    if name in NOWHERE:
        raise _unnamed(asked)
    if name != asked:
        raise BadRequest(f"the name of the object ({name}) does not match the name on the URL ({asked})")


def _unnamed(asked: str) -> BadRequest:
    return BadRequest(f"the name of the object ({asked} based on URL) was undeterminable: name must be provided")


def check_namespace(namespace: Any, asked: Any, minor: int = NO_END) -> None:
    """Reject an object of another namespace than that of the request. An empty one is accepted.

    `minor` is the release of an update, whose message names both namespaces in older releases.
    """
    if namespace in (*NOWHERE, asked):
        return
    if minor <= NAMES_NAMESPACES_UNTIL:
        raise BadRequest(
            f"the namespace of the object ({namespace}) does not match the namespace on the request ({asked})"
        )
    raise BadRequest(OTHER_NAMESPACE, advice=f"it is {namespace}, and not {asked}")


def _converted(content: Object, resource: Resource, kinds: Kinds, shown: Patched) -> Object:
    """Return the result of a strategic patch, which is not decoded from JSON."""
    try:
        return type_errors.converted(content, resource, kinds)
    except type_errors.NotConverted as error:
        raise unreadable(shown(), error.why, error.advice) from None


def _check_types(content: Object, resource: Resource, kinds: Kinds, shown: Patched) -> None:
    """Reject values of a wrong type: the request can be decoded, but the patched object cannot."""
    metadata = content["metadata"]
    if not resource.built_in and not isinstance(metadata, dict):
        raise unreadable(shown(), type_errors.not_metadata(metadata), "look at metadata")
    problem, advice = type_errors.unreadable(content, resource, kinds, shown.text)
    if problem:
        raise unreadable(shown(), problem, advice)


def check_integers(shown: Patched, schema: Schema) -> None:
    """Reject a built-in object from a JSON patch if an integer in it has a fraction."""
    found = type_search.type_mismatch(shown.content, schema, literal=True)
    if found is not None and isinstance(found.value, float):
        why = type_errors.decoding_error(found, schema, shown.resource, shown.text, str(found.value))
        raise unreadable(shown(), why, f"look at {render(found.at)}")


def _read_as(content: Object, live: Object, shown: Patched, kinds: Kinds) -> Object:
    """Return apiVersion and kind of a built-in object. A server decodes one without apiVersion, but finds no name."""
    api_version, kind = content.get("apiVersion"), content.get("kind")
    if api_version in NOWHERE:
        raise _unnamed(live["metadata"]["name"])
    expected = live["apiVersion"], live["kind"]
    if (api_version, kind or live["kind"]) != expected:
        raise unreadable(shown(), wrong_kind(api_version, kind or live["kind"], expected, kinds.tables))
    return {"kind": live["kind"]}


def _check_custom(content: Object, live: Object, shown: Patched) -> None:
    for field, called in (("apiVersion", "apiVersion"), ("kind", "Kind")):
        value = content.get(field)
        if value not in NOWHERE and not isinstance(value, str):
            go = JSON_TYPES[type(value)]
            said = f"json: cannot unmarshal {go} into Go struct field .{field} of type string"
            raise unreadable(shown(), f"couldn't get version/kind; json parse error: {said}")
        if value in NOWHERE and field == "kind":
            raise unreadable(shown(), f"Object '{called}' is missing", f"leave it {live[field]}")
        if value in NOWHERE:
            advice = f"leave it {live[field]}"
            raise ClusterError(f"Internal error occurred: Object '{called}' is missing", advice=advice)
    title = ".".join(filter(None, (content["kind"], content["apiVersion"].rpartition("/")[0])))
    wrong = [
        invalid(field, content[field], f"must be {live[field]}")
        for field in ("apiVersion", "kind")
        if content[field] != live[field]
    ]
    if wrong:
        raise Invalid.of(title, live["metadata"]["name"], wrong)


def _metadata(metadata: Object, live: Object, resource: Resource, minor: int) -> Object:
    now = live["metadata"]
    check_name(metadata.get("name"), now["name"])
    if resource.namespaced:
        check_namespace(metadata.get("namespace"), now["namespace"], minor)
    elif in_own_namespace(resource, minor):
        check_namespace(metadata.get("namespace"), now["name"], minor)
    if metadata.get("resourceVersion") in NO_VERSION and _needs_version(resource):
        raise Invalid.of(resource.called, now["name"], [missing_version(minor)])
    return {"uid": now.get("uid")} | metadata | {field: now[field] for field in ("namespace",) if field in now}


def _needs_version(resource: Resource) -> bool:
    return not resource.built_in or facts_of(resource.group, resource.kind).needs_version
