"""Random documents of a kind: one with many fields, parts of it, and changes to it."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from engine.tables.rules import SCALARS, Rule

if TYPE_CHECKING:
    from random import Random

    from engine.tables.schema import Schema

Object = dict[str, Any]

VALUES: dict[str, tuple[Any, ...]] = {
    "string": ("a", "b", "c", "", "a<b>&\u2028é", 'x"y\\z'),
    "integer": (0, 1, 2, 80, 443, 8080),
    "number": (0, 1, 1.5, 2.0, -1),
    "boolean": (True, False),
    "int-or-string": (1, 80, "http", "25%"),
    "quantity": ("1", "0.5", "500m", "1Gi", 2),
}
ANY: tuple[Any, ...] = (
    {"a": 1},
    {"a": {"b": "x"}, "c": [1, 2]},
    [1, "a", {"b": 1}],
    "x",
    5,
    True,
    1.5,
    {"e": {}},
    {"l": []},
    None,
)
SERVED = ("name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink")
DEEPEST = 8


class Drawer:
    """Draws documents of one kind."""

    def __init__(self, random: Random, schema: Schema | None) -> None:
        self.random, self.schema = random, schema

    def document(self, api_version: str, kind: str) -> Object:
        """A document with most fields."""
        if self.schema is None:
            found: Object = {"spec": self.anything(0), "status": self.anything(0), "data": self.anything(0)}
        else:
            found = self.fields(self.schema.type.rule, 0)
        metadata = found.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        for name in SERVED:
            metadata.pop(name, None)
        metadata.setdefault("labels", {"app": "a", "b": "c"})
        if self.random.random() < 0.5:
            metadata["finalizers"] = self.random.sample(["a", "b", "c"], 2)
        return {
            **found,
            "apiVersion": api_version,
            "kind": kind,
            "metadata": {"name": "n", "namespace": "s", **metadata},
        }

    def fields(self, rule: Rule, depth: int) -> Object:
        assert self.schema is not None
        holder = self.schema.struct(rule)
        if holder is None:
            return {}
        names = list(holder.fields)
        most = 40 if depth < 2 else 6 if depth < 5 else 3
        if len(names) > most:
            names = self.random.sample(names, most)
        found = {}
        for name in names:
            if self.random.random() < 0.85:
                found[name] = self.value(holder.fields[name], depth + 1)
        if holder.rule.open and self.random.random() < 0.5:
            found["unknown"] = self.anything(2)
        return found

    def value(self, rule: Rule, depth: int) -> Any:
        """A value of a field; sometimes null, or empty."""
        if self.random.random() < 0.03:
            return None
        if rule.kind == "primitive":
            return self.random.choice(VALUES[rule.of or "string"])
        if rule.kind == "any":
            return deepcopy(self.random.choice(ANY))
        if depth > DEEPEST or self.random.random() < 0.05:
            return [] if rule.kind == "list" else {}
        if rule.kind == "list":
            return self.items(rule, depth)
        if rule.free_keys:
            return {key: self.inside(rule, depth) for key in self.random.sample(["a", "b", "c.d/e"], 2)}
        return self.fields(rule, depth)

    def inside(self, rule: Rule, depth: int) -> Any:
        if rule.of is None:
            return deepcopy(self.random.choice(ANY[:-1]))
        if rule.of in SCALARS:
            return self.random.choice(VALUES[rule.of])
        assert self.schema is not None
        inner, holder = self.schema.inside(rule)
        if holder is not None:
            return self.fields(inner, depth + 1)
        return self.value(inner, depth + 1) or ([] if inner.kind == "list" else {})

    def items(self, rule: Rule, depth: int) -> list[Any]:
        items = [self.inside(rule, depth) for _ in range(self.random.randint(1, 3))]
        if rule.list_type == "atomic":
            return items
        assert self.schema is not None
        found = {}
        holder = None if rule.of is None or rule.of in SCALARS else self.schema.inside(rule)[1]
        for item in items:
            if isinstance(item, dict):
                for key in rule.map_keys:
                    known = holder.fields.get(key) if holder else None
                    if known is not None and (known.default is None or self.random.random() < 0.6):
                        item[key] = self.random.choice(VALUES[known.of or "string"])
                    else:
                        item.pop(key, None)
            elif item is None:
                continue
            keys = (
                {
                    key: item.get(key, holder.fields[key].default if holder and key in holder.fields else None)
                    for key in rule.map_keys
                }
                if isinstance(item, dict)
                else item
            )
            found[repr(keys)] = item
        return list(found.values())

    def anything(self, depth: int) -> Any:
        """A value without a schema."""
        if depth > 3 or self.random.random() < 0.3:
            return deepcopy(self.random.choice(ANY))
        return {key: self.anything(depth + 1) for key in self.random.sample("abcd", 3)}

    # ---- parts and changes -------------------------------------------------------------------------------------------

    def part(self, value: Any, keep: float) -> Any:
        """A part of a value: some fields and elements are left out, and a few values are changed."""
        if isinstance(value, dict):
            return {key: self.part(inner, keep) for key, inner in value.items() if self.random.random() < keep}
        if isinstance(value, list):
            items = [self.part_of_item(item, keep) for item in value if self.random.random() < keep]
            if self.random.random() < 0.2:
                self.random.shuffle(items)
            return items
        return self.other(value) if self.random.random() < 0.08 else value

    def part_of_item(self, item: Any, keep: float) -> Any:
        """A part of an element that keeps its scalars, which may be its keys."""
        if not isinstance(item, dict):
            return item
        return {
            key: self.part(inner, keep) if isinstance(inner, (dict, list)) else inner
            for key, inner in item.items()
            if not isinstance(inner, (dict, list)) or self.random.random() < keep
        }

    def other(self, value: Any) -> Any:
        """Another scalar of the same type."""
        for values in VALUES.values():
            if type(value) in {type(one) for one in values} and value in values:
                return self.random.choice([one for one in values if type(one) is type(value)])
        return value

    def joined(self, one: Any, other: Any) -> Any:
        """One value overlaid with parts of another one."""
        if isinstance(one, dict) and isinstance(other, dict):
            return {**one, **{key: self.joined(one.get(key), inner) for key, inner in other.items()}}
        return deepcopy(other)

    def repeated(self, value: Any) -> Any:
        """The value with a repeated element in some lists."""
        if isinstance(value, dict):
            return {key: self.repeated(inner) for key, inner in value.items()}
        if isinstance(value, list):
            items = [self.repeated(item) for item in value]
            if items and self.random.random() < 0.3:
                items.insert(self.random.randint(0, len(items)), self.part_of_item(self.random.choice(items), 0.7))
            return items
        return value
