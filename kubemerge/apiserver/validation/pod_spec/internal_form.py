"""Pods, claims and volumes in messages, which a server prints as its internal types with every field."""

from __future__ import annotations

import json
from difflib import unified_diff
from typing import TYPE_CHECKING, Any

from engine.serverside.typed.zero_value_tables import nulls_of
from engine.values.quantities import BadQuantity, canonical

from ...eras import ASKED, NO_END
from ...problems import Printed, invalid
from ...unchecked import as_map
from ..metadata import FIELDS, OWNED_BY
from .go_types import CHANGED, NEWEST, types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...problems import Problem
    from ...unchecked import Object

LISTS = ("[]", "{}")
"""The beginnings of the types of lists and maps."""
ZERO: dict[str, Any] = {"s": "", "i": 0, "b": False, "q": "0", "o": 0}
_ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})
SELECTOR = ("matchLabels", "matchExpressions", "key", "operator", "values")
CONDITION = ("type", "status", "observedGeneration", "lastTransitionTime", "reason", "message")
"""The fields of types that are the same internally and in the API, in the order of the Go types."""


HOST_FIELDS = ("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers")
HOST_FIELDS_UNTIL = 36
"""Fields of a Pod that its internal security context has, and the last minor release in which it has them."""


def in_each_era(problem: Callable[[int], Problem]) -> Iterator[Problem]:
    """Return a problem with a printed value or difference, once for each text. It is called with a minor release."""
    found: list[Problem] = []
    asked = ASKED.get()
    for minor in CHANGED if asked is None else (next((one for one in CHANGED if asked <= one), NEWEST),):
        since, until = (0 if minor == CHANGED[0] else minor), (NO_END if minor == NEWEST else minor)
        one = problem(minor)
        if found and found[-1] == one:
            since = found.pop().since
        found.append(one._replace(since=since, until=until))
    yield from found


def on_one_line(type_: str, value: Any, minor: int = NEWEST) -> str:
    """Return the value on one line."""
    return json.dumps(_shown(type_, value, minor), ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)


def printed_invalid(at: str, type_: str, value: Any, why: str) -> Iterator[Problem]:
    """The value of the field is invalid. It is printed as the internal type of the release."""
    return in_each_era(lambda minor: invalid(at, Printed(on_one_line(type_, value, minor)), why))


def as_sent(type_: str, value: Any) -> str:
    """Return the value on one line as it was sent, in the order of its type and without empty lists and maps."""
    return json.dumps(_in_order(type_, value), ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)


def _in_order(type_: str, value: Any) -> Any:
    if isinstance(value, list):
        return [_in_order(type_.removeprefix("[]"), one) for one in value]
    if type_.startswith("{}"):
        return {key: _in_order(type_[2:], one) for key, one in sorted(as_map(value).items())}
    fields = types().get(type_.removeprefix("*"))
    if fields is None or not isinstance(value, dict):
        return _of_meta(value)
    found: Object = {}
    printed = nulls_of(type_.removeprefix("*"), None)
    for inside, outside, inner in fields:
        if inside == "~":
            found |= _in_order(inner, value)
        elif outside in value and (value[outside] not in ([], {}) or outside in printed or not inner.startswith(LISTS)):
            found[outside] = _in_order(inner, value[outside])
    return found


def difference(type_: str, before: Any, after: Any, minor: int = NEWEST) -> str:
    """Return the lines that differ between two values. Empty if they are equal."""
    one, other = (
        [f"{line}\n" for line in json.dumps(_shown(type_, side, minor), ensure_ascii=False, indent=1).split("\n")]
        for side in (before, after)
    )
    return "".join(list(unified_diff(one, other))[2:]).translate(_ESCAPED)


def _shown(type_: str, value: Any, minor: int) -> Any:
    if type_.startswith("*"):
        return None if value is None else _shown(type_[1:], value, minor)
    if type_.startswith("[]"):
        return [_shown(type_[2:], one, minor) for one in value] if isinstance(value, list) else None
    if type_.startswith("{}"):
        return {key: _shown(type_[2:], value[key], minor) for key in sorted(value)} if isinstance(value, dict) else None
    if type_ == "m":
        return _of_meta(value)
    if type_ in ZERO:
        return ZERO[type_] if value is None else _quantity(value) if type_ == "q" else value
    return _struct(type_, as_map(value), minor)


def _quantity(value: Any) -> Any:
    """A quantity as it is printed. An invalid one is reported elsewhere, and stays unchanged."""
    try:
        return canonical(value)
    except BadQuantity:
        return value


def _struct(type_: str, value: Object, minor: int) -> Object:
    found: Object = {}
    if type_ == "PodSpec" and minor <= HOST_FIELDS_UNTIL:
        of_host = {field: value[field] for field in HOST_FIELDS if field in value}
        value = {**value, "securityContext": {**as_map(value.get("securityContext")), **of_host}}
    for inside, outside, inner in types(minor)[type_]:
        if inner == "ObjectMeta":
            found |= _metadata(as_map(value.get("metadata")))
        elif inside == "~":
            found |= _struct(inner, value, minor)
        else:
            found[inside] = _shown(inner, value.get(outside), minor)
    return found


def _metadata(metadata: Object) -> Object:
    given = {field: metadata[field] for field in FIELDS if metadata.get(field)}
    shown = {field: _of_meta(one) for field, one in given.items()}
    if "ownerReferences" in given:
        shown["ownerReferences"] = [_owner(one) for one in given["ownerReferences"]]
    return shown


def _owner(reference: Object) -> Object:
    shown = {field: reference.get(field, "") for field in OWNED_BY}
    return shown | {field: reference[field] for field in ("controller", "blockOwnerDeletion") if field in reference}


def _of_meta(value: Any) -> Any:
    """A value of a type that is the same internally and in the API."""
    if isinstance(value, dict):
        known = CONDITION if "lastTransitionTime" in value else SELECTOR
        first = [field for field in known if field in value]
        return {field: _of_meta(value[field]) for field in (*first, *sorted(value.keys() - set(first)))}
    return value
