"""Replica counts of custom resources at the paths of their definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..problems import Problem, required
from ..schemas.problems import go_text, invalid
from ..schemas.schemas import version_in, version_of
from ..text.go_text import GO_TYPES
from ..unchecked import as_map, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

MOST = 2**31 - 1
A_MAP = "map[string]interface{}"
PATHS: dict[str, tuple[type, str, Any]] = {
    "specReplicasPath": (int, "int64", 0),
    "statusReplicasPath": (int, "int64", 0),
    "labelSelectorPath": (str, "string", ""),
}
"""The paths in a definition's scale, each with the Go type of its value and the printed missing value."""

ROOTS = {
    "specReplicasPath": ((".spec.",), ".spec"),
    "statusReplicasPath": ((".status.",), ".status"),
    "labelSelectorPath": ((".spec.", ".status."), "either .spec or .status"),
}
"""The required start of each path, and its message."""
NEEDED = ("specReplicasPath", "statusReplicasPath")


def scale_of(definition: Object, version: str) -> Object:
    """Return the `subresources.scale` of a version in a CustomResourceDefinition, or an empty map."""
    return as_map(as_map(version_of(definition, version).get("subresources")).get("scale"))


def of_spec(content: Object, definition: Object) -> list[Problem]:
    """Validate the replicas in spec."""
    return list(_problems(content, definition, ("specReplicasPath",)))


def of_status(content: Object, definition: Object) -> list[Problem]:
    """Validate the replicas and the selector in status."""
    return list(_problems(content, definition, ("statusReplicasPath", "labelSelectorPath")))


def _problems(content: Object, definition: Object, fields: tuple[str, ...]) -> Iterator[Problem]:
    scale = scale_of(definition, version_in(content))
    for field in fields:
        path = scale.get(field)
        if isinstance(path, str) and path.startswith("."):
            yield from _at(content, path, *PATHS[field])


def _at(content: Object, path: str, wanted: type, called: str, absent: Any) -> Iterator[Problem]:
    value: Any = content
    steps = path[1:].split(".")
    for depth, step in enumerate(steps, 1):
        if value is None or step not in value:
            return
        value = value[step]
        if value is None and depth < len(steps):
            return
        last = depth == len(steps)
        if type(value) is not (wanted if last else dict):
            expected = called if last else A_MAP
            is_a = f"{go_text(value)} is of the type {GO_TYPES[type(value)]}, expected {expected}"
            yield invalid(path, absent, f"{path} accessor error: {is_a}")
            return
    if wanted is int and value < 0:
        yield invalid(path, value, "should be a non-negative integer")
    elif wanted is int and value > MOST:
        yield invalid(path, value, f"should be less than or equal to {MOST}")


def of_subresources(subresources: Object, at: str) -> Iterator[Problem]:
    """Validate the paths of a definition's scale."""
    scale = subresources.get("scale")
    for field, (places, called) in ROOTS.items() if isinstance(scale, dict) else ():
        path = as_text(as_map(scale).get(field))
        if not path and field in NEEDED:
            yield required(f"{at}.scale.{field}")
        elif path and not path.startswith("."):
            yield invalid(f"{at}.scale.{field}", path, "must be a simple json path starting with .")
        elif path and not path.startswith(places):
            yield invalid(f"{at}.scale.{field}", path, f"should be a json path under {called}")
