"""The merge tables of CustomResourceDefinitions."""

from __future__ import annotations

from engine.values.plain import same

from ...unchecked import as_map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engine import Tables

    from ...protocol import Object

_USED = ("group", "version", "versions", "validation", "scope", "preserveUnknownFields")
"""The fields of a spec, beside the kind, that determine its tables and whether it can be read."""
_MOST = 200
_checked: dict[object, tuple[list[Any], Tables]] = {}
"""Tables of definitions that were checked and not used yet. A definition is usually checked first, and then used."""


def tables_of(definition: Object) -> Tables:
    """Read a definition. Raises `MergeError` if it cannot be converted to tables."""
    import codegen  # slow to import, and only needed for definitions

    known = _checked.pop(_name(definition), None) if _checked else None
    return known[1] if known is not None and same(known[0], _used(definition)) else codegen.read(definition)


def check_readable(definition: Object) -> None:
    """Raise `MergeError` for a definition that cannot be converted to tables."""
    import codegen

    found = codegen.read(definition)
    if len(_checked) >= _MOST:
        _checked.clear()
    _checked[_name(definition)] = _used(definition), found


def _name(definition: Object) -> object:
    return repr(as_map(definition.get("metadata")).get("name"))


def _used(definition: Object) -> list[Any]:
    spec = as_map(definition.get("spec"))
    return [definition.get("apiVersion"), as_map(spec.get("names")).get("kind"), *(spec.get(name) for name in _USED)]
