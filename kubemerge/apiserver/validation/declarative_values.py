"""Declarative rules of single values: formats, limits, unions and enums, in the words of `api/validate`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..problems import (
    DUPLICATE,
    FORBIDDEN,
    INVALID,
    REQUIRED,
    TOO_FEW,
    Printed,
    Problem,
    too_long,
    too_many,
    typed_shown,
)
from ..text.go_text import quoted
from . import names
from .declarative_rules import GoType
from .pod_spec import internal_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


NO_SHAPE = GoType()


def union(at: str, members: Sequence[str], given: Sequence[str]) -> Iterator[Problem]:
    """The problem of a union without a member, or with several."""
    every = ", ".join(f"`{one}`" for one in members)
    if not given:
        yield Problem(INVALID, at, "", f"must specify one of: {every}", origin="union")
    elif len(given) > 1:
        yield Problem(INVALID, at, f"{{{', '.join(given)}}}", f"must specify exactly one of: {every}", origin="union")


def at_most_one(at: str, members: Sequence[Sequence[tuple[str, Any]]], given: Sequence[bool]) -> Problem:
    """The problem of a list that has more than one item of a kind."""
    field = at.rpartition(".")[2]
    listed = [f"{field}[{{{', '.join(f'{quoted(key)}: {quoted(value)}' for key, value in one)}}}]" for one in members]
    both = ", ".join(one for one, is_given in zip(listed, given, strict=True) if is_given)
    every = ", ".join(f"`{one}`" for one in listed)
    return Problem(INVALID, at, f"{{{both}}}", f"must specify at most one of: {every}", origin="zeroOrOneOf")


def dependent(rule: str, path: str, trigger: str, is_set: bool, other_is_set: bool) -> Iterator[Problem]:
    """The problem of a field that another field requires or forbids."""
    if is_set and not other_is_set and rule == "dependentRequired":
        yield Problem(REQUIRED, path, detail=f"must be set when {trigger} is set", origin=rule)
    elif is_set and other_is_set and rule == "dependentForbidden":
        yield Problem(FORBIDDEN, path, detail=f"may not be set when {trigger} is set", origin=rule)


def duplicate(at: str, value: Any, of: str) -> Problem:
    """The problem of a duplicate element."""
    return Problem(DUPLICATE, at, Printed(internal_form.as_sent(of.rpartition(".")[2], value)) if of else value)


def _max_items(at: str, value: Any, most: int, _: GoType = NO_SHAPE) -> Iterator[Problem]:
    if len(value) > most:
        yield too_many(at, len(value), most)._replace(origin="maxItems")


def _min_items(at: str, value: Any, least: int, _: GoType = NO_SHAPE) -> Iterator[Problem]:
    if len(value) < least:
        detail = f"must have at least {least} {'item' if least == 1 else 'items'}"
        yield Problem(TOO_FEW, at, len(value), detail, origin="minItems")


def _max_length(at: str, value: str, most: int, _: GoType = NO_SHAPE) -> Iterator[Problem]:
    if len(value) > most:
        yield too_long(at, most, "characters")._replace(origin="maxLength")


def _max_bytes(at: str, value: str, most: int, _: GoType = NO_SHAPE) -> Iterator[Problem]:
    if len(value.encode("utf-8", "surrogatepass")) > most:
        yield too_long(at, most)._replace(origin="maxBytes")


def _minimum(at: str, value: int, least: int, _: GoType = NO_SHAPE) -> Iterator[Problem]:
    if value < least:
        yield Problem(INVALID, at, value, f"must be greater than or equal to {least}", origin="minimum")


def _maximum(at: str, value: int, most: int, _: GoType = NO_SHAPE) -> Iterator[Problem]:
    if value > most:
        yield Problem(INVALID, at, value, f"must be less than or equal to {most}", origin="maximum")


def _neq(at: str, value: Any, other: Any, _: GoType = NO_SHAPE) -> Iterator[Problem]:
    if value == other:
        detail = f"must not be equal to {quoted(other) if isinstance(other, str) else other}"
        yield Problem(INVALID, at, value, detail, origin="neq")


def _format(at: str, value: str, name: str, shape: GoType) -> Iterator[Problem]:
    origin = f"format={name}"
    if name in _WORDED:
        for why in _WORDED[name](value):
            yield Problem(INVALID, at, Printed(typed_shown(value)) if shape.is_named else value, why, origin=origin)
    elif name in _OWN:
        for problem in _OWN[name](at, value):
            yield problem._replace(origin=origin)


_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NO_PATH = "a name must be a domain-prefixed path, such as 'example.com/my-prop'"
_LONGEST_DOMAIN, _LONGEST_IDENTIFIER, _LONGEST_POOL = 63, 32, 253


def _prefixed_key(value: str) -> Iterator[str]:
    yield from list(names.key(value)) or ([] if "/" in value else ["must include a prefix (e.g. 'example.com/key')"])


def _path_segment(value: str) -> Iterator[str]:
    if value in (".", ".."):
        yield f"may not be '{value}'"
        return
    yield from (f"may not contain '{sign}'" for sign in "/%" if sign in value)


def _uuid(at: str, value: str) -> Iterator[Problem]:
    if not _UUID.fullmatch(value):
        yield Problem(INVALID, at, value, "must be a lowercase UUID in 8-4-4-4-12 format")


def _pool_name(at: str, value: str) -> Iterator[Problem]:
    yield from _max_bytes(at, value, _LONGEST_POOL)
    for index, part in enumerate(value.split("/")):
        if not part:
            yield Problem(INVALID, at, value, f"segment {index}: must not be empty")
        for why in names.declared_subdomain(part) if part else ():
            yield Problem(INVALID, at, part, f"segment {index}: {why}")


def _extended_resource(at: str, value: str) -> Iterator[Problem]:
    if "/" not in value:
        yield Problem(INVALID, at, value, _NO_PATH)
    elif "kubernetes.io/" in value:
        yield Problem(INVALID, at, value, 'must not have "kubernetes.io/" domain')
    if value.startswith("requests."):
        yield Problem(INVALID, at, value, 'must not have "requests." prefix')
    for why in names.key(f"requests.{value}"):
        yield Problem(INVALID, at, value, why)


def _fully_qualified(at: str, value: str) -> Iterator[Problem]:
    domain, slash, name = value.partition("/")
    if not slash:
        yield from _identifier(at, value)
        yield Problem(INVALID, at, value, "a fully qualified name must be a domain and a name separated by a slash")
    elif "/" not in name:
        if not domain:
            yield Problem(INVALID, at, "", "prefix must not be empty")
        else:
            yield from _max_bytes(at, domain, _LONGEST_DOMAIN)
            for why in names.declared_subdomain(domain):
                yield Problem(INVALID, at, domain, f"prefix: {why}")
        if not name:
            yield Problem(INVALID, at, "", "name must not be empty")
        else:
            yield from _identifier(at, name)


def _identifier(at: str, name: str) -> Iterator[Problem]:
    yield from _max_bytes(at, name, _LONGEST_IDENTIFIER)
    for why in names.c_identifier(name):
        yield Problem(INVALID, at, name, why)


_WORDED: dict[str, Callable[[str], Iterator[str]]] = {
    "k8s-short-name": names.declared_label,
    "k8s-long-name": names.declared_subdomain,
    "k8s-long-name-caseless": names.subdomain_in_any_case,
    "k8s-label-key": names.key,
    "k8s-label-value": names.label_value,
    "k8s-prefixed-label-key": _prefixed_key,
    "k8s-path-segment-name": _path_segment,
}
_OWN: dict[str, Callable[[str, str], Iterator[Problem]]] = {
    "k8s-uuid": _uuid,
    "k8s-resource-pool-name": _pool_name,
    "k8s-extended-resource-name": _extended_resource,
    "k8s-resource-fully-qualified-name": _fully_qualified,
}
JUDGES: dict[str, Callable[[str, Any, Any, GoType], Iterator[Problem]]] = {
    "format": _format,
    "maxItems": _max_items,
    "maxProperties": _max_items,
    "minItems": _min_items,
    "minProperties": _min_items,
    "maxLength": _max_length,
    "maxBytes": _max_bytes,
    "minimum": _minimum,
    "maximum": _maximum,
    "neq": _neq,
}
"""Rules of a single value, by their tag names."""
