"""Merge rules in words, and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine import Rule

_KINDS = {"primitive": "value", "map": "map", "list": "list", "any": "value of any kind"}


def noun(rule: Rule) -> str:
    """The type of the field: `list of core_v1.Container`, `map of string`, `string`."""
    if rule.kind == "list" or rule.free_keys:
        return f"{rule.kind} of {_called(rule.of) or 'anything'}"
    return _called(rule.of) or _KINDS[rule.kind]


def _called(of: str | None) -> str | None:
    """The readable name of a type. A type that has only a place and no name is a map."""
    name = of.partition(".")[2] if of and "." in of else of
    return "map" if name and {".", "["} & set(name) else name


def client_side(rule: Rule) -> str:
    """The treatment of the field by `kubectl apply` and strategic merge patches."""
    if rule.kind == "list":
        return _list(rule)
    if rule.kind == "primitive":
        return "replaced"
    if "replace" in rule.strategies:
        return "replaced as a whole"
    if rule.kind == "any":
        return "maps merge key by key, everything else is replaced"
    unit = "key" if rule.free_keys else "field"
    return f"merged {unit} by {unit}{_retained(rule)}"


def _list(rule: Rule) -> str:
    if "merge" not in rule.strategies:
        return "replaced as a whole"
    if rule.merge_key:
        return f"elements merge by {rule.merge_key}{_retained(rule)}"
    return "values are added to the existing set"


def _retained(rule: Rule) -> str:
    return ", and fields missing in config are dropped (retainKeys)" if "retainKeys" in rule.strategies else ""


def server_side(rule: Rule) -> str:
    """The treatment of the field by server-side apply."""
    derived = " (derived)" if rule.derived else ""
    if rule.kind == "list":
        if rule.list_type == "map":
            owned = "each owned as a whole" if rule.map_type == "atomic" else "each with its own owners"
            return f"elements are identified by {' + '.join(rule.map_keys)}{derived}, {owned}"
        return ("each value has its own owner" if rule.list_type == "set" else "owned as a whole") + derived
    if rule.kind == "map" and rule.map_type == "atomic":
        return "owned as a whole"
    return "owned" if rule.kind == "primitive" else "each field has its own owner"


def facts(rule: Rule | None) -> dict[str, Any] | None:
    """A rule for programs, as every `-o json` prints it."""
    if rule is None:
        return None
    return {
        "kind": rule.kind,
        "of": rule.of,
        "strategies": list(rule.strategies),
        "mergeKey": rule.merge_key,
        "listType": rule.list_type,
        "mapKeys": list(rule.map_keys),
        "derived": rule.derived,
        "mapType": rule.map_type,
        "clientSide": client_side(rule),
        "serverSide": server_side(rule),
    }
