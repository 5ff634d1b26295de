"""Printer columns of CustomResourceDefinitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode

from ..crd.lookup import definition_of
from ..kinds.builtin_kinds import stored_in
from ..unchecked import as_map, as_number, as_text, maps
from .ages import age, moment
from .columns.control import CONTROL
from .columns.network import NETWORK
from .columns.shared import CUSTOM, CUSTOM_SCALE, NAME, OTHERS, SCALE, Column
from .columns.storage import STORAGE
from .columns.workloads import WORKLOADS
from .jsonpath import path
from .jsonpath_steps import BadPath

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..protocol import Cluster, Object, Resource
    from .cells.shared import Cell

_NUMBERS: dict[str, Callable[[Any], Any]] = {"integer": int, "number": lambda value: value}
"""The conversion of numbers, by column type."""

BUILT_IN = {**CONTROL, **NETWORK, **STORAGE, **WORKLOADS}
"""kubectl's columns by group and kind."""


def columns_for(cluster: Cluster, resource: Resource, subresource: str = "") -> tuple[Column, ...]:
    """Return the columns of a kind, or of its subresource `scale`."""
    if subresource:
        return SCALE if resource.built_in else CUSTOM_SCALE
    if resource.built_in:
        return BUILT_IN.get((stored_in(resource.group, resource.kind), resource.kind), OTHERS)
    given = [column for _, column in maps(_version(cluster, resource), "additionalPrinterColumns")]
    return (NAME, *map(_column, given)) if given else CUSTOM


def _version(cluster: Cluster, resource: Resource) -> Object:
    definition = definition_of(cluster, resource)
    spec = as_map((definition or {}).get("spec"))
    named = (version for _, version in maps(spec, "versions") if version.get("name") == resource.version)
    version = next(named, {})
    return version if "additionalPrinterColumns" in version else spec


def _column(given: Object) -> Column:
    where = as_text(given.get("jsonPath") or given.get("JSONPath"))
    return Column(
        as_text(given.get("name")),
        _cell(where, as_text(given.get("type"))),
        as_number(given.get("priority")) or 0,
        as_text(given.get("type")),
        as_text(given.get("format")),
        as_text(given.get("description")) or f"Custom resource definition column (in JSONPath format): {where}",
    )


def _cell(where: str, kind: str) -> Cell:
    """The first value at the path, if it has the column's type. Empty if the path is invalid."""
    try:
        find = path(where)
    except BadPath:
        return lambda _: None

    def cell(one: Object) -> Any:
        try:
            found = next((value for value in find(one) if value is not None), None)
        except BadPath:
            return None
        return None if found is None else _typed(found, kind)

    return cell


def _typed(value: Any, kind: str) -> Any:
    if kind in _NUMBERS:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return _NUMBERS[kind](value) if is_number else None
    if kind == "boolean":
        return value if isinstance(value, bool) else None
    if kind == "date":
        return age(value) if moment(value) else "<invalid>"
    return value if isinstance(value, str) else encode(value)
