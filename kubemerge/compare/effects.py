"""The effect of a change on an apply, in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..output import words
from .aspects import is_other_kind

if TYPE_CHECKING:
    from engine import Rule

    from .fields import ComparedField

KIND_ADDED = "the kind was added"
KIND_REMOVED = "the kind was removed, so an apply of such an object fails"
NO_OBJECT_REMOVED = "the kind was removed, but it is not an object that users apply"

_CLIENT = {
    "value": ("the value is now replaced", "the value was replaced"),
    "anything": ("maps in it now merge key by key", "maps in it merged key by key"),
    "list": ("the list is now replaced as a whole", "the list was replaced as a whole"),
    "entries": ("entries now merge by {key}", "entries merged by {key}"),
    "set": ("values are now added to the existing ones", "values were added to the existing ones"),
    "map": (
        "fields now merge one by one, and fields missing in the config are kept",
        "fields merged one by one, and fields missing in the config were kept",
    ),
    "keys": (
        "keys now merge one by one, and keys missing in the config are kept",
        "keys merged one by one, and keys missing in the config were kept",
    ),
    "map replaced": ("the map is now replaced as a whole", "the map was replaced as a whole"),
    "entries retained": (
        "entries now merge by {key}, and fields of an entry missing in the config are dropped by retainKeys",
        "entries merged by {key}, and fields of an entry missing in the config were dropped by retainKeys",
    ),
    "map retained": (
        "fields missing in the config are now dropped by retainKeys",
        "fields missing in the config were dropped by retainKeys",
    ),
}
"""The behaviour of `kubectl apply` for a field: the new one, and the old one."""

_BRIEFLY = {("map", "map retained"): "they were kept", ("map retained", "map"): "they were dropped by retainKeys"}
"""The old behaviour in short, where the first half of the sentence implies most of it."""

_NOUNS = {
    "boolean": ("a boolean", "booleans"),
    "int-or-string": ("an integer or a string", "integers or strings"),
    "integer": ("an integer", "integers"),
    "number": ("a number", "numbers"),
    "quantity": ("a quantity", "quantities"),
    "string": ("a string", "strings"),
    "fields": ("a map with fields", "maps with fields"),
    "elements": ("", "lists or maps"),
}


WHOLE_LIST = "the whole list"


def effect(before: ComparedField, after: ComparedField) -> str:
    """The effect of a changed field that both sides have."""
    if before.traits.field_kind != after.traits.field_kind:
        alike = not is_other_kind(before.traits, after.traits) and before.traits[1:] == after.traits[1:]
        same = ", and it merges as before" if alike else ""
        return f"the field now holds {_noun(after)} instead of {_noun(before)}{same}"
    sentences = []
    if words.client_side(before.rule) != words.client_side(after.rule):
        sentences.append(_client(before.rule, after.rule))
    if before.traits[3:] != after.traits[3:]:
        sentences.append(_server(before, after))
    return (
        ", and ".join(sentences)
        or "nothing merges differently, because the changed properties have no effect on this field"
    )


def effect_of_new(after: ComparedField) -> str:
    """The effect of a new field."""
    return f"the field was added, and holds {_noun(after)}"


def effect_of_gone(before: ComparedField) -> str:
    """The effect of a removed field."""
    return f"the field was removed, and its value in a config is rejected or lost (it held {_noun(before)})"


def _client(before: Rule, after: Rule) -> str:
    old, new = _behaviour(before), _behaviour(after)
    then = _BRIEFLY.get((old, new)) or _CLIENT[old][1].format(key=before.merge_key)
    return f"{_CLIENT[new][0].format(key=after.merge_key)} (before: {then})"


def _behaviour(rule: Rule) -> str:
    """A word for the behaviour of `kubectl apply` for a field."""
    retained = " retained" if "retainKeys" in rule.strategies else ""
    if rule.kind == "list":
        if "merge" not in rule.strategies:
            return "list"
        return f"entries{retained}" if rule.merge_key else "set"
    if rule.kind == "primitive":
        return "value"
    if "replace" in rule.strategies:
        return "map replaced"
    if rule.kind == "any":
        return "anything"
    return "map retained" if retained else "keys" if rule.free_keys else "map"


def _server(before: ComparedField, after: ComparedField) -> str:
    old, new = _owned(before), _owned(after)
    if old == new:
        return f"server-side apply now uses {_key(after.rule)} for a missing key (before: {_key(before.rule)})"
    return f"server-side apply now tracks the owner of {new} (before: {old}){_stored_lists(old, new)}"


def _stored_lists(old: str, new: str) -> str:
    """The effect on the owners of lists that are stored already."""
    if old == WHOLE_LIST:
        return ". Stored entries have no owner until the next apply, and an entry that this apply leaves out remains"
    if new == WHOLE_LIST:
        return ". Managers of single entries then share the whole list, so a change by one of them is a conflict"
    return ""


def _owned(field: ComparedField) -> str:
    """The unit that server-side apply owns."""
    rule = field.rule
    if rule.kind != "list":
        return "the whole map" if rule.map_type == "atomic" else f"each {('key' if rule.free_keys else 'field')}"
    if rule.list_type == "set":
        return "each value"
    if rule.list_type != "map":
        return WHOLE_LIST
    whole = ", each as a whole" if rule.map_type == "atomic" else ""
    return f"entries by {' + '.join(rule.map_keys)}{whole}"


def _key(rule: Rule) -> str:
    return "nothing" if rule.default is None else repr(rule.default)


def _noun(field: ComparedField) -> str:
    """The contents of a field: `a list of strings`."""
    kind, free_keys, inside = field.traits.field_kind
    if kind == "any":
        return "anything"
    if kind == "primitive" or (kind == "map" and not free_keys):
        return _NOUNS.get(inside or "", ("a value", ""))[0]
    return f"a {kind} of {_NOUNS[inside][1] if inside else 'anything'}"
