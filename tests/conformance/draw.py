"""Random values that fit a rule, from pools so small that keys collide, repeat and sort in surprising ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from engine import Rule, Schema

STRINGS = ("a", "b", "c", "d", "B", "a/b", "10", "9", "x y", "é<&>", "")
KEYS = ("a", "b", "c", "d", "B", "10", "9")
INTEGERS = (0, 1, 2, 9, 10, 80, 100, 443, -1)
FLOATS = (0.5, 1.0, 1.5, 1e6, 1e-7, 1e21)
SCALARS: dict[str, tuple[Any, ...]] = {
    "string": STRINGS,
    "integer": INTEGERS,
    "number": (*INTEGERS, *FLOATS),
    "boolean": (True, False),
    "int-or-string": (80, 443, "80", "http", "25%"),
    "quantity": ("100m", "1", "1Gi", 1, 2),
}
ANYTHING = (*STRINGS, *INTEGERS, *FLOATS, True, False)


class Draw:
    """Values of one schema. `size` is the approximate number of fields in a map and of elements in a list."""

    def __init__(self, schema: Schema, random: Random, size: int = 3) -> None:
        self.schema, self.random, self.size = schema, random, size
        self._interests: dict[str, int] = {}

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def one(self, pool: Sequence[Any]) -> Any:
        return pool[self.random.randrange(len(pool))]

    def some(self, pool: Sequence[Any], most: int) -> list[Any]:
        """Up to `most` different ones, in random order."""
        return self.random.sample(list(pool), min(len(pool), self.random.randint(0, most)))

    def document(self) -> dict[str, Any]:
        """A whole object, with apiVersion and kind if it is one."""
        value = self._struct(self.schema.type.rule, 5)
        if self.schema.kind is not None:
            value |= {"apiVersion": self.schema.api_version, "kind": self.schema.kind}
        return value

    def value(self, rule: Rule, depth: int = 3) -> Any:
        """A value that the API server would accept, as far as the rule shows."""
        if rule.kind == "list":
            return self.elements(rule, depth)
        if rule.kind == "map":
            return self._struct(rule, depth) if self.fields(rule) else self._free(rule, depth)
        if rule.kind == "any" or rule.of not in SCALARS:
            return self.anything(min(depth, 2))
        return self.one(SCALARS[rule.of])

    def anything(self, depth: int = 2) -> Any:
        """Some JSON without a rule."""
        shape = self.random.randrange(6) if depth > 0 else 0
        if shape == 4:
            return [self.anything(depth - 1) for _ in range(self.random.randint(0, 2))]
        if shape == 5:
            return {key: self.anything(depth - 1) for key in self.some(KEYS, 2)}
        return self.one(ANYTHING)

    def elements(self, rule: Rule, depth: int) -> list[Any]:
        """A list; elements with a merge key mostly have different ones."""
        count = self.random.randint(0, self.size + 1) if depth > 0 else 0
        drawn = [self.element(rule, depth - 1) for _ in range(count)]
        return drawn if self.chance(0.03) else unique(drawn, rule.merge_key)

    def element(self, rule: Rule, depth: int = 1) -> Any:
        """One element of a list, with its merge key."""
        inner = self.inner(rule)
        value = self.value(inner, depth)
        if rule.merge_key and isinstance(value, dict):
            value = {rule.merge_key: self.merge_key_value(rule), **value}
        return value

    def merge_key_value(self, rule: Rule) -> Any:
        """A possible value of an element's merge key."""
        field = self.fields(self.inner(rule)).get(rule.merge_key or "")
        if field is not None and field.of in ("integer", "number"):
            return self.one((1, 9, 10, 53, 80, 100))
        return self.one(KEYS)

    def fields(self, rule: Rule) -> dict[str, Rule]:
        """The fields of a map's type; none for labels, lists and scalars."""
        struct = self.schema.struct(rule)
        return dict(struct.fields) if struct else {}

    def inner(self, rule: Rule) -> Rule:
        """The rule of list elements, or of the values under free keys."""
        return self.schema.inside(rule)[0]

    def chosen_fields(self, rule: Rule, most: int) -> dict[str, Rule]:
        """Some fields, preferably those with non-trivial merging."""
        fields = self.fields(rule)
        names = list(fields)
        weights = [self._interest(fields[name]) for name in names]
        wanted = self.random.choices(names, weights, k=self.random.randint(1, max(1, most))) if names else []
        return {name: fields[name] for name in wanted}

    def _struct(self, rule: Rule, depth: int) -> dict[str, Any]:
        if depth <= 0:
            return {}
        return {name: self.value(field, depth - 1) for name, field in self.chosen_fields(rule, self.size + 1).items()}

    def _free(self, rule: Rule, depth: int) -> dict[str, Any]:
        inner = self.inner(rule)
        return {key: self.value(inner, depth - 1) for key in self.some(KEYS, self.size)} if depth > 0 else {}

    def _interest(self, rule: Rule, levels: int = 4) -> int:
        """The weight of a field: by its own strategy, or by the fields below."""
        if rule.strategies:
            return 12
        if rule.kind == "primitive":
            return 2
        if rule.of is None or levels == 0:
            return 1
        if rule.of not in self._interests:
            self._interests[rule.of] = 1  # for a recursive type
            below = [self._interest(field, levels - 1) for field in self.fields(self._held(rule)).values()]
            self._interests[rule.of] = max(2, max(below, default=2) - 1)
        return self._interests[rule.of]

    def _held(self, rule: Rule) -> Rule:
        return self.inner(rule) if rule.kind == "list" or rule.free_keys else rule


def unique(elements: list[Any], merge_key: str | None) -> list[Any]:
    """The elements without those whose identity occurred before."""
    seen: list[Any] = []
    kept = []
    for element in elements:
        identity = element.get(merge_key) if merge_key and isinstance(element, dict) else element
        if identity not in seen:
            seen.append(identity)
            kept.append(element)
    return kept
