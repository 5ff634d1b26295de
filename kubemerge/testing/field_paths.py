"""The paths of all fields of all kinds of a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import engine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.tables.rules import Rule
    from engine.tables.schema import Schema

Path = tuple[str | int, ...]
"""Steps to a field. Every list is entered at its first element, every map with free keys at the key "a"."""
KEY = "a"
NOT_DESCENDED_INTO = {
    "metadata": "its fields are the same for every kind",
    "status": "servers drop it in creates",
    "ephemeralContainers": "servers reject it in creates",
}
"""Fields whose inner fields are not set one by one, with the reasons."""
SKIPPED = {("apiVersion",), ("kind",)}
LISTS_END_WITH = "List"


class Field(NamedTuple):
    """A field with its rule, and the type that holds it."""

    path: Path
    rule: Rule
    parent_type: str


def kinds_of(release: str) -> list[tuple[str, str]]:
    """The apiVersions and kinds that a release serves, without lists of objects."""
    return [key for key in engine.load(release).kinds() if not key[1].endswith(LISTS_END_WITH)]


def fields_of(schema: Schema) -> Iterator[Field]:
    """Every field of a kind. A type is not entered again inside itself."""
    yield from _inside(schema, schema.type.rule, (), ())


def _inside(schema: Schema, rule: Rule, at: Path, above: tuple[str, ...]) -> Iterator[Field]:
    parent_type = schema.struct(rule)
    if parent_type is None:
        if rule.kind == "list" or rule.free_keys:
            yield from _inside(schema, schema.inside(rule)[0], (*at, 0 if rule.kind == "list" else KEY), above)
        return
    if parent_type.name in above:
        return
    for name, field in parent_type.fields.items():
        path = (*at, name)
        if path in SKIPPED:
            continue
        yield Field(path, field, parent_type.name)
        if name not in NOT_DESCENDED_INTO:
            yield from _inside(schema, field, path, (*above, parent_type.name))


def rule_at(schema: Schema, path: Path) -> tuple[Rule | None, str]:
    """The rule at a path, and the name of the type that holds the last field."""
    rule: Rule | None = schema.type.rule
    parent_type = ""
    for step in path:
        if rule is None:
            return None, ""
        if isinstance(step, int):
            rule = schema.inside(rule)[0] if rule.kind == "list" else None
        else:
            type_ = schema.struct(rule)
            parent_type = type_.name if type_ else ""
            rule = schema.field(rule, step)
    return rule, parent_type
