"""The replica counts of custom resources, which are where their definition says, and what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.unchecked import a_map, maps, text

from ..refusals import invalid, required, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.values.unchecked import Object

MOST = 2**31 - 1
GO_TYPES = {
    bool: "bool",
    dict: "map[string]interface {}",
    float: "float64",
    int: "int64",
    list: "[]interface {}",
    str: "string",
}
A_MAP = "map[string]interface{}"
PATHS: dict[str, tuple[type, str, Any]] = {
    "specReplicasPath": (int, "int64", 0),
    "statusReplicasPath": (int, "int64", 0),
    "labelSelectorPath": (str, "string", ""),
}
"""The paths in a definition's scale, each with the Go type of its value and how a missing one is shown."""

ROOTS = {
    "specReplicasPath": ((".spec.",), ".spec"),
    "statusReplicasPath": ((".status.",), ".status"),
    "labelSelectorPath": ((".spec.", ".status."), "either .spec or .status"),
}
"""Where each path has to begin, and how a message says that."""
NEEDED = ("specReplicasPath", "statusReplicasPath")


def scale_of(definition: Object, version: str) -> Object:
    """The `subresources.scale` of a version in a CustomResourceDefinition; empty if it has none."""
    spec = a_map(definition.get("spec"))
    versions = spec.get("versions")
    named = (one for one in versions or () if a_map(one).get("name") == version) if isinstance(versions, list) else ()
    parts = a_map(a_map(next(iter(named), None)).get("subresources")) or a_map(spec.get("subresources"))
    return a_map(parts.get("scale"))


def problems(content: Object, definition: Object) -> Iterator[str]:
    """Replica counts and a selector of the wrong type, in the API's words."""
    scale = scale_of(definition, str(content["apiVersion"]).rpartition("/")[2])
    for field, (wanted, called, absent) in PATHS.items():
        path = scale.get(field)
        if isinstance(path, str) and path.startswith("."):
            yield from _at(content, path, wanted, called, absent)


def _at(content: Object, path: str, wanted: type, called: str, absent: Any) -> Iterator[str]:
    value: Any = content
    steps = path[1:].split(".")
    for depth, step in enumerate(steps, 1):
        value = value.get(step)
        if value is None:
            return
        last = depth == len(steps)
        if type(value) is not (wanted if last else dict):
            expected = called if last else A_MAP
            is_a = f"{_as_go(value)} is of the type {GO_TYPES[type(value)]}, expected {expected}"
            yield invalid(path, absent, f"{path} accessor error: {is_a}")
            return
    if wanted is int and value < 0:
        yield invalid(path, value, "should be a non-negative integer")
    elif wanted is int and value > MOST:
        yield invalid(path, value, f"should be less than or equal to {MOST}")


def of_definition(definition: Object) -> Iterator[str]:
    """Paths of a CustomResourceDefinition's scale that cannot be used."""
    spec = a_map(definition.get("spec"))
    parts = [a_map(version.get("subresources")) for _, version in maps(spec, "versions")]
    if spec.get("subresources") or (parts and all(one == parts[0] for one in parts)):
        yield from _paths("spec.subresources.scale", a_map(spec.get("subresources")) or parts[0])
        return
    for index, one in enumerate(parts):
        yield from _paths(f"spec.versions[{index}].subresources.scale", one)


def _paths(at: str, subresources: Object) -> Iterator[str]:
    scale = subresources.get("scale")
    for field, (places, called) in ROOTS.items() if isinstance(scale, dict) else ():
        path = text(a_map(scale).get(field))
        if not path and field in NEEDED:
            yield required(f"{at}.{field}")
        elif path and not path.startswith("."):
            yield invalid(f"{at}.{field}", path, "must be a simple json path starting with .")
        elif path and not path.startswith(places):
            yield invalid(f"{at}.{field}", path, f"should be a json path under {called}")


def _as_go(value: Any) -> str:
    return value if isinstance(value, str) else shown(value)
