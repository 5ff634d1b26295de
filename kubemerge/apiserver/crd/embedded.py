"""Embedded objects of custom resources, which have a kind and metadata like every object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.guard import with_room

from ..errors import BadRequest
from ..problems import Problem, required
from ..schemas.problems import invalid
from ..unchecked import as_map, as_text
from ..validation import metadata as metadata_checks
from ..validation import object_names
from ..validation.names import label
from .definitions.names import label_1035

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..schemas.schemas import Schema

    Object = dict[str, Any]
    ReadMetadata = Callable[[Any], Object]

WORD = "x-kubernetes-embedded-resource"


def coerce(content: Object, schema: Schema, read: ReadMetadata) -> Object:
    """Return the object with all embedded metadata decoded: unknown fields are dropped."""
    if not schema.uses(WORD):
        return content
    try:
        return with_room(lambda: _coerced(content, schema, read, ""))
    except _Unreadable as error:
        kind, version = content["kind"], content["apiVersion"].rpartition("/")[2]
        raise BadRequest(f'{kind} in version "{version}" cannot be handled as a {kind}: {error}') from None


class _Unreadable(Exception):
    """Embedded metadata that cannot be decoded."""


def _coerced(value: Any, schema: Schema, read: ReadMetadata, at: str) -> Any:
    if type(value) is dict:
        found = {}
        for key, inner in value.items():
            if schema.embedded and key == "metadata" and inner is not None:
                found[key] = _metadata_of(f"{at}.{key}" if at else key, inner, read)
                continue
            if schema.embedded and key in ("apiVersion", "kind") and not isinstance(inner, str):
                raise _Unreadable(invalid(f"{at}.{key}" if at else key, inner, "must be a string"))
            known = schema.child(key)
            if known is not None and known.uses(WORD):
                is_key = schema.field(key) is None
                found[key] = _coerced(inner, known, read, f"{at}[{key}]" if is_key else f"{at}.{key}" if at else key)
            else:
                found[key] = inner
        return found
    if type(value) is list and schema.items is not None and schema.items.uses(WORD):
        return [_coerced(item, schema.items, read, f"{at}[{index}]") for index, item in enumerate(value)]
    return value


def _metadata_of(at: str, value: Any, read: ReadMetadata) -> Object:
    try:
        return read(value)
    except BadRequest as error:
        raise _Unreadable(invalid(at, value, str(error))) from None


def problems(content: Object, schema: Schema) -> list[Problem]:
    """Validate the embedded objects of an object."""
    return with_room(lambda: list(_problems("", content, schema))) if schema.uses(WORD) else []


def _problems(at: str, value: Any, schema: Schema) -> Iterator[Problem]:
    if type(value) is dict:
        if schema.embedded:
            yield from _of_object(at, value)
        for key, inner in value.items():
            known = schema.field(key)
            if known is not None and known.uses(WORD):
                yield from _problems(f"{at}.{key}" if at else key, inner, known)
            elif known is None and schema.extra is not None and schema.extra.uses(WORD):
                yield from _problems(f"{at}[{key}]", inner, schema.extra)
    elif type(value) is list and schema.items is not None and schema.items.uses(WORD):
        for place, item in enumerate(value):
            yield from _problems(f"{at}[{place}]", item, schema.items)


def _of_object(at: str, value: Object) -> Iterator[Problem]:
    yield from (required(f"{at}.{name}") for name in ("apiVersion", "kind") if name not in value)
    version, kind = value.get("apiVersion"), value.get("kind")
    if "apiVersion" in value:
        why = _of_version(as_text(version))
        if why:
            yield invalid(f"{at}.apiVersion", version, why)
    if "kind" in value:
        why = _of_kind(as_text(kind))
        if why:
            yield invalid(f"{at}.kind", kind, why)
    if "metadata" in value:
        yield from _of_metadata(at, as_map(value["metadata"]))


def _of_version(version: str) -> str:
    if not version:
        return "must not be empty"
    return f"unexpected GroupVersion string: {version}" if version.count("/") > 1 else ""


def _of_kind(kind: str) -> str:
    if not kind:
        return "must not be empty"
    found = ",".join(label_1035(kind.lower()))
    return f"may have mixed case, but should otherwise match: {found}" if found else ""


def _of_metadata(at: str, metadata: Object) -> Iterator[Problem]:
    """Validate embedded metadata. Its name is optional."""
    found: list[Problem] = []
    name = metadata.get("name")
    if isinstance(name, str) and name:
        found += (invalid("metadata.name", name, why) for why in object_names.path_segment(name))
    namespace = metadata.get("namespace")
    if isinstance(namespace, str) and namespace:
        found += (invalid("metadata.namespace", namespace, why) for why in label(namespace))
    found += metadata_checks.problems(metadata, ".", "")
    yield from (one._replace(path=f"{at}.{one.path}") for one in found)
