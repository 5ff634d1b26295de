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
    from .rules import Default, TypePosition

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
    _fill(result, plan_of(content["apiVersion"], record.kind, minor))
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


class Plan:
    """The defaults of one type in a release, and the positions of other types in it."""

    __slots__ = ("places", "rows")

    def __init__(self, rows: Sequence[Default], places: Sequence[_Place]) -> None:
        self.rows = [_Row(row) for row in rows]
        self.places = places


class _Row:
    """A default with its path split, which each write needs."""

    __slots__ = ("above", "default", "field", "is_scalar", "unset", "value", "when")

    def __init__(self, default: Default) -> None:
        self.default, self.unset, self.when = default, default.unset, default.when
        *self.above, self.field = default.field.split(".")
        self.value = default.value
        self.is_scalar = isinstance(self.value, (str, bool, int))


class _Place:
    """The position of a type with its path split."""

    __slots__ = ("_minor", "_plan", "_record", "first", "position", "steps", "when")

    def __init__(self, position: TypePosition, record: KindRecord, minor: int) -> None:
        self.position, self._record, self._minor, self.when = position, record, minor, position.when
        self._plan: Plan | None = None
        parts = [(part, part.rstrip("[]?")) for part in position.path.split(".")]
        self.steps = [(name, part == name, part.endswith("[]")) for part, name in parts]
        """The parts of the path: a field, whether it is created, and whether its elements follow."""
        name, is_created, _ = self.steps[0]
        self.first = "" if is_created else name
        """The field without which the position does not exist, if there is one."""

    def plan(self) -> Plan:
        """The defaults of the type. Most objects lack most types, so each is read on first use."""
        if self._plan is None:
            self._plan = _plan((self.position.type,), self._record, self._minor)
        return self._plan


@lru_cache(maxsize=1024)
def plan_of(api_version: str, kind: str, minor: int) -> Plan:
    """Return the defaults of a kind and of all types in it."""
    record = find(api_version, kind)
    if record is None:
        return Plan([], [])
    name = f"{api_version} {kind}"
    return _plan((name,) if name in record.places else (name, kind), record, minor)


def _plan(types: tuple[str, ...], record: KindRecord, minor: int) -> Plan:
    groups = [group for group in (*TABLE, *record.defaults) if not set(types).isdisjoint(group.types)]
    rows = [row for group in groups for row in group.rows if row.in_release(minor)]
    places = record.places.get(types[-1]) or PLACES.get(types[-1], ())
    return Plan(rows, [_Place(place, record, minor) for place in places])


def _fill(owner: Object, plan: Plan) -> None:
    for row in plan.rows:
        if row.unset is not None:
            there = get_path(owner, row.default.field) if row.above else owner.get(row.field)
            if there not in row.unset:
                continue
        if row.when is None or row.when.holds(owner):
            _put(owner, row)
    for place in plan.places:
        if (not place.first or place.first in owner) and (place.when is None or place.when.holds(owner)):
            for inner in _at(owner, place):
                _fill(inner, place.plan())


def _put(owner: Object, row: _Row) -> None:
    """Set a field, and create maps above it. Leave a value that is not a map to validation."""
    value = row.value
    if value is REMOVED:
        (get_path(owner, ".".join(row.above)) if row.above else owner).pop(row.field, None)
        return
    inner: Any = owner
    for part in row.above:
        inner = inner.setdefault(part, {}) if isinstance(inner, dict) else None
    if not isinstance(inner, dict):
        return
    if row.is_scalar:
        inner[row.field] = value
    elif isinstance(value, Computed):
        found = value.of(owner)
        inner[row.field] = found if value.is_shared else copied(found)
    else:
        inner[row.field] = copied(value)


def _at(owner: Object, place: _Place) -> Sequence[Object]:
    """The maps at a position in the table."""
    found = [owner]
    for name, is_created, is_list in place.steps:
        values = [one.setdefault(name, {}) if is_created else one.get(name) for one in found]
        if is_list:
            values = [item for one in values for item in (one if isinstance(one, list) else [one])]
        found = [one for one in values if isinstance(one, dict)]
        if not found:
            return ()
    return found
