"""Aspects in which two rules of a field can differ, and their severities."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.tables.rules import SCALARS

from ..output import words

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Rule

KINDS = ("kind added", "kind removed")
FIELDS = ("field added", "field removed")

SEVERITY = {
    "kind added": "info",
    "kind removed": "breaking",
    "field added": "info",
    "field removed": "breaking",
    "stored": "notable",
    "not stored": "breaking",
}


SERVER_SIDE = frozenset({"list type", "map keys", "map type"})
"""The aspects of a field's ownership, which only server-side apply uses."""


def severity_in(applied: bool, severity: str) -> str:
    """The severity of a change in a kind; if the kind is never applied, no apply can lose anything."""
    return severity if applied else "info"


class Traits(NamedTuple):
    """The properties of a rule that are compared, one attribute per aspect; equal for two spellings of one rule."""

    field_kind: tuple[str, bool, str | None]
    """The kind, whether keys are free, and the contents: a scalar word, "fields", "elements", or None if open."""
    strategy: frozenset[str]
    merge_key: str | None
    list_type: str | None
    map_keys: tuple[frozenset[str], object]
    """The keys and, for a field that is a key, its default. It does not matter if they are derived."""
    map_type: bool


ASPECTS: dict[str, Callable[[Traits], object]] = {
    "field kind": lambda traits: traits.field_kind,
    "strategy": lambda traits: traits.strategy,
    "merge key": lambda traits: traits.merge_key,
    "list type": lambda traits: traits.list_type,
    "map keys": lambda traits: traits.map_keys,
    "map type": lambda traits: traits.map_type,
}
"""Every aspect of a field that both sides have, with the trait it is read from."""


def traits(rule: Rule, inside: str | None) -> Traits:
    """The traits of a rule; `inside` is the kind of its value, its elements or its values."""
    return Traits(
        (rule.kind, rule.free_keys, inside),
        frozenset(rule.strategies),
        rule.merge_key,
        rule.list_type,
        (frozenset(rule.map_keys), rule.default),
        rule.map_type == "atomic",
    )


def differing(before: Traits, after: Traits) -> tuple[str, ...]:
    """The aspects in which two fields differ."""
    if before == after:
        return ()
    return tuple(name for name, trait in ASPECTS.items() if trait(before) != trait(after))


def is_other_kind(before: Traits, after: Traits) -> bool:
    """Whether the fields are of kinds that merge differently; all scalars merge the same way."""
    (*kind, inside), (*other, inside_other) = before.field_kind, after.field_kind
    return kind != other or (inside != inside_other and not {inside, inside_other} <= SCALARS)


def severity(aspects: tuple[str, ...], before: tuple[Rule, Traits], after: tuple[Rule, Traits]) -> str:
    """The severity of a change of a field that both sides have.

    A difference that `kubectl apply` ignores does not count, such as the merge key of a string.
    """
    if is_other_kind(before[1], after[1]) or words.client_side(before[0]) != words.client_side(after[0]):
        return "breaking"
    return "notable" if SERVER_SIDE & {*aspects} else "info"
