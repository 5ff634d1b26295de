"""The columns that a CustomResourceDefinition gives its objects, and the JSONPath of their cells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..cluster import ClusterError, Reference
from ..cluster.looking import a_map, found, maps, number, text
from .ages import age
from .columns import COLUMNS, NAME, OTHERS, Column

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..cluster import Cluster, Object, Resource
    from .cells import Cell

_STEP = re.compile(
    r"""\.(?P<key>(?:\\.|[^.\[\]\\])+)|\[(?P<index>\d+|\*)\]"""
    r"""|\[\?\(@\.(?P<path>[\w.]+)\s*==\s*["'](?P<value>[^"']*)["']\)\]"""
)
"""A step of a path: a field, an element or all of them, or those elements that have a value in a field."""


def columns_for(cluster: Cluster, resource: Resource) -> tuple[Column, ...]:
    """The columns of a kind."""
    if resource.built_in:
        from ..cluster.scopes import stored_in

        return COLUMNS.get((stored_in(resource.group, resource.kind), resource.kind), OTHERS)
    given = [column for _, column in maps(_version(cluster, resource), "additionalPrinterColumns")]
    return (NAME, *map(_column, given)) if given else OTHERS


def _version(cluster: Cluster, resource: Resource) -> Object:
    """What the definition of a custom resource says of the version that is looked at."""
    for api_version in ("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"):
        try:
            live = cluster.get(Reference(api_version, "CustomResourceDefinition", resource.called))
        except ClusterError:
            continue
        spec = a_map(live.get("spec"))
        named = (version for _, version in maps(spec, "versions") if version.get("name") == resource.version)
        version = next(named, {})
        return version if "additionalPrinterColumns" in version else spec
    return {}


def _column(given: Object) -> Column:
    path = text(given.get("jsonPath") or given.get("JSONPath"))
    cell = _age_at(path) if given.get("type") == "date" else _at(path)
    return Column(text(given.get("name")).upper(), cell, (number(given.get("priority")) or 0) > 0)


def _at(path: str) -> Cell:
    return lambda one: ",".join(map(_said, values_at(one, path)))


def _age_at(path: str) -> Cell:
    return lambda one: next((age(value) for value in values_at(one, path)), "")


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    from engine.gojson import encode

    return encode(value) if isinstance(value, (dict, list)) else str(value)


def values_at(one: Any, path: str) -> list[Any]:
    """The values at a path such as `.status.conditions[?(@.type=="Ready")].status`; null counts as none."""
    values, place = [one], 0
    while place < len(path):
        step = _STEP.match(path, place)
        if step is None:
            return []
        place = step.end()
        values = [inner for value in values for inner in _inside(value, step) if inner is not None]
    return values


def _inside(value: Any, step: re.Match[str]) -> Iterable[Any]:
    if step["key"] is not None:
        return [a_map(value).get(step["key"].replace("\\", ""))]
    items = value if isinstance(value, list) else []
    if step["index"] == "*":
        return items
    if step["index"] is not None:
        return items[int(step["index"]) :][:1]
    return [item for item in items if str(found(item, step["path"])) == step["value"]]
