"""Comparing two types field by field: each pair of types is compared once, even if many kinds contain it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .aspects import SEVERITY, differing, is_other_kind, severity
from .effects import effect, effect_of_gone, effect_of_new

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine import Rule, Schema

    from .fields import ComparedField, Fields

    Pair = tuple[str, str]
    """The names of two types, left and right."""


class FieldDiff(NamedTuple):
    """The difference in one field of a type, independent of the path that leads to it."""

    place: str
    aspects: tuple[str, ...]
    severity: str
    before: Rule | None
    after: Rule | None
    effect: str


class TypeDiff(NamedTuple):
    """The difference in one field, and the rest of the path that leads to it."""

    rest: str
    diff: FieldDiff


class TypePairs(NamedTuple):
    """The result for a pair of types, and all pairs encountered for it."""

    found: tuple[TypeDiff, ...]
    encountered: frozenset[Pair]


class Pairs:
    """Compares the types of two sides.

    A type may contain itself, such as JSONSchemaProps. A pair nested in itself is not compared again, so the result for
    a pair may depend on the pairs around it. A result is reused only if none of the pairs encountered for it is among
    the pairs that are currently around it.
    """

    def __init__(self, left: Fields, right: Fields) -> None:
        self.left, self.right = left, right
        self._known: dict[Pair, TypePairs] = {}

    def compare(self, left: Schema, right: Schema) -> tuple[TypeDiff, ...]:
        """The differences between two kinds."""
        pair = left.type.name, right.type.name
        before, after = self.left.field(left.type.rule), self.right.field(right.type.rule)
        return (*_changed("", pair[1], before, after), *self._types(pair, (pair,)).found)

    def _types(self, pair: Pair, inside: tuple[Pair, ...]) -> TypePairs:
        """The differences between two types, nested in these pairs (themselves included)."""
        known = self._known.get(pair)
        if known is not None and known.encountered.isdisjoint(inside):
            return known
        left, right = self.left.of(pair[0]), self.right.of(pair[1])
        if left is None or right is None:
            seen = self._below(self.left.itself(pair[0]), self.right.itself(pair[1]), inside)
        else:
            seen = self._fields(pair[1], left, right, inside)
        if seen.encountered.isdisjoint(inside[:-1]):
            seen = TypePairs(seen.found, seen.encountered - {pair})
            self._known[pair] = seen
        return seen

    def _fields(
        self, name: str, left: Mapping[str, ComparedField], right: Mapping[str, ComparedField], inside: tuple[Pair, ...]
    ) -> TypePairs:
        found: list[TypeDiff] = []
        encountered: set[Pair] = set()
        for step in sorted({*left, *right}):
            before, after = left.get(step), right.get(step)
            if before and after:
                found += _changed(step, name + step, before, after)
                below = self._below(before, after, inside)
                found += (TypeDiff(step + rest, diff) for rest, diff in below.found)
                encountered |= below.encountered
            elif after:
                found.append(TypeDiff(step, _new(name + step, after)))
            elif before:
                found.append(TypeDiff(step, _gone(name + step, before)))
        return TypePairs(tuple(found), frozenset(encountered))

    def _below(self, before: ComparedField, after: ComparedField, inside: tuple[Pair, ...]) -> TypePairs:
        """The differences between the contents of two fields; none are listed for fields of different kinds."""
        if before.target is None or after.target is None or is_other_kind(before.traits, after.traits):
            return TypePairs((), frozenset())
        pair = before.target, after.target
        whole: tuple[TypeDiff, ...] = ()
        if before.step:
            element, other = self.left.itself(pair[0]), self.right.itself(pair[1])
            whole = tuple(_changed(before.step, pair[1], element, other))
        if pair in inside:
            return TypePairs(whole, frozenset({pair}))
        seen = self._types(pair, (*inside, pair))
        below = tuple(TypeDiff(before.step + rest, diff) for rest, diff in seen.found)
        return TypePairs(whole + below, seen.encountered | {pair})


def _changed(step: str, place: str, before: ComparedField, after: ComparedField) -> Iterator[TypeDiff]:
    """The difference between two fields, if any."""
    aspects = differing(before.traits, after.traits)
    if aspects:
        level = severity(aspects, before[:2], after[:2])
        text = effect(before, after)
        yield TypeDiff(step, FieldDiff(place, aspects, level, before.rule, after.rule, text))


def _new(place: str, after: ComparedField) -> FieldDiff:
    return FieldDiff(place, ("field added",), SEVERITY["field added"], None, after.rule, effect_of_new(after))


def _gone(place: str, before: ComparedField) -> FieldDiff:
    return FieldDiff(place, ("field removed",), SEVERITY["field removed"], before.rule, None, effect_of_gone(before))
