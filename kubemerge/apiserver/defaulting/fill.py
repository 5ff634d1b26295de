"""Defaulting, which the API server applies to every written object before validation."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from engine.values.plain import copied

from ..crd.definitions import defaults as definitions
from ..eras import minor_of
from ..registry.table import find
from ..unchecked import get_path
from .allocated import keep_allocated
from .pods import PODS, SERVICES_AND_CLAIMS, VOLUMES
from .rules import REMOVED, Computed
from .secrets import SECRETS
from .type_positions import PLACES
from .workloads import WORKLOADS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..registry.record import KindRecord
    from ..unchecked import Object
    from .rules import Default

TABLE = (*WORKLOADS, *PODS, *VOLUMES, *SERVICES_AND_CLAIMS, *SECRETS)
"""The defaults of shared types. Others are in the records of kinds."""


def fill(
    content: dict[str, Any],
    before: dict[str, Any] | None,
    release: str | None,
    definition: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a copy of an object with all defaults and allocated fields of this release.

    `before` is the object before the write, None for a creation. `definition` is the CustomResourceDefinition of a
    custom resource.
    """
    return with_allocated(apply_defaults(content, release, definition), before, release)


def apply_defaults(
    content: dict[str, Any], release: str | None, definition: dict[str, Any] | None = None, *, read: bool = False
) -> dict[str, Any]:
    """Return a copy of an object with its defaults.

    A field with a value keeps it, so a default is only applied again after the field was cleared. `read`: the object
    was decoded, so that all nulls in it are printed ones.
    """
    minor = minor_of(release)
    if definition is not None:
        from ..crd import objects as custom  # most clusters have no custom resources

        return custom.apply_defaults(content, definition, release)
    if f"{content.get('apiVersion')} {content.get('kind')}" in definitions.KINDS:
        return definitions.apply_defaults(content, minor)
    result: dict[str, Any] = copied(content)
    record = find(content.get("apiVersion"), content.get("kind"))
    if record is None:
        return result
    if not record.nulls and not read:
        given = {field: value for field, value in result.items() if value is not None}
        result = {field: value if field == "status" else _without_nulls(value) for field, value in given.items()}
    name = f"{content['apiVersion']} {record.kind}"
    _fill(result, (name,) if name in record.places else (name, record.kind), minor, record)
    return result


def with_allocated(content: dict[str, Any], before: dict[str, Any] | None, release: str | None) -> dict[str, Any]:
    """Keep allocated fields of the object before, in place."""
    return keep_allocated(content, before, minor_of(release))


PRINTED = frozenset({"sources"})
"""Fields that are printed as null. None of the defaults depends on such a null."""


def _without_nulls(value: Any) -> Any:
    """A copy without nulls, which count as absent."""
    if isinstance(value, dict):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None or key in PRINTED}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value


def _fill(owner: Object, types: tuple[str, ...], minor: int, record: KindRecord) -> None:
    for default in defaults_of(types, minor, record.versions[0], record.kind):
        if _is_unset(owner, default) and (default.when is None or default.when.holds(owner)):
            _put(owner, default.field, default.value)
    for place in record.places.get(types[-1]) or PLACES.get(types[-1], ()):
        if place.when is None or place.when.holds(owner):
            for inner in _at(owner, place.path):
                _fill(inner, (place.type,), minor, record)


@lru_cache(maxsize=1024)
def defaults_of(types: tuple[str, ...], minor: int, api_version: str, kind: str) -> tuple[Default, ...]:
    """Return the rows of some types in a release."""
    record = find(api_version, kind)
    rows = (*TABLE, *(record.defaults if record else ()))
    groups = [group for group in rows if not set(types).isdisjoint(group.types)]
    return tuple(row for group in groups for row in group.rows if row.in_release(minor))


def _is_unset(owner: Object, default: Default) -> bool:
    return default.unset is None or get_path(owner, default.field) in default.unset


def _put(owner: Object, path: str, value: Any) -> None:
    """Set a field, and create maps above it. Leave a value that is not a map to validation."""
    value = value.of(owner) if isinstance(value, Computed) else value
    *parts, last = path.split(".")
    if value is REMOVED:
        (get_path(owner, ".".join(parts)) if parts else owner).pop(last, None)
        return
    inner: Any = owner
    for part in parts:
        inner = inner.setdefault(part, {}) if isinstance(inner, dict) else None
    if isinstance(inner, dict):
        inner[last] = copied(value)


def _at(owner: Object, path: str) -> Sequence[Object]:
    """The maps at a position in the table."""
    found = [owner]
    for name, is_created, is_list in _steps(path):
        values = [one.setdefault(name, {}) if is_created else one.get(name) for one in found]
        if is_list:
            values = [item for one in values for item in (one if isinstance(one, list) else [one])]
        found = [one for one in values if isinstance(one, dict)]
        if not found:
            return ()
    return found


@lru_cache(maxsize=1024)
def _steps(path: str) -> tuple[tuple[str, bool, bool], ...]:
    """The parts of a path in the table: a field, whether it is created, and whether its elements follow."""
    parts = [(part, part.rstrip("[]?")) for part in path.split(".")]
    return tuple((name, part == name, part.endswith("[]")) for part, name in parts)
