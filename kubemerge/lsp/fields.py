"""The type, the merge rules, the values, the defaults and the history of a field."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import BadFieldPath
from engine.paths import join

from ..apiserver.defaulting.by_field import defaults_at
from ..apiserver.defaulting.rules import REMOVED, Computed
from ..apiserver.eras import minor_of
from ..apiserver.http.openapi.v3_conversion import enum_of
from ..apiserver.unchecked import as_map, maps
from ..kinds.explain import eras

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Rule, Schema

    from .repository import Rules

    Key = tuple[str, str]


class Field(NamedTuple):
    """A field of a kind."""

    schema: Schema
    path: str
    """Without elements of lists: `spec.template.spec.containers.image`."""
    names: tuple[str, ...]
    """The names in the path."""
    rule: Rule
    node: dict[str, Any]
    """Its schema in a CustomResourceDefinition; empty for built-in kinds."""


def path_of(steps: Sequence[object]) -> str:
    """The path of a field without elements of lists."""
    path = ""
    for step in steps:
        if isinstance(step, str):
            path = join(path, step)
    return path


def rule_at(schema: Schema, path: str) -> Rule | None:
    """The rule of a field. None for an unknown one, and for names that a path cannot have."""
    try:
        return schema.rule(path)
    except BadFieldPath:
        return None


def field_at(rules: Rules, key: Key, steps: Sequence[object]) -> Field | None:
    """The field at these steps; None if it or the kind is unknown."""
    schema = rules.schema(key)
    path = path_of(steps)
    rule = rule_at(schema, path) if schema is not None else None
    if schema is None or rule is None:
        return None
    names = tuple(step for step in steps if isinstance(step, str))
    return Field(schema, path, names, rule, node_at(rules, key, steps) if not schema.built_in else {})


def node_at(rules: Rules, key: Key, steps: Sequence[object]) -> dict[str, Any]:
    """The schema of a field in the definition of its kind; empty if there is none."""
    node = version_of(rules, key)[1]
    for step in steps:
        while "items" in node and step is not None:
            node = as_map(node["items"])
        if isinstance(step, str):
            node = as_map(as_map(node.get("properties")).get(step) or node.get("additionalProperties"))
    return node


def version_of(rules: Rules, key: Key) -> tuple[int, dict[str, Any]]:
    """The position of a version in the definition of its kind, and its schema."""
    definition = rules.definition(key)
    wanted = key[0].rpartition("/")[2]
    for at, version in maps(as_map(definition.content.get("spec")) if definition else {}, "versions"):
        if version.get("name") == wanted:
            return at, as_map(as_map(version.get("schema")).get("openAPIV3Schema"))
    return 0, {}


def values_of(field: Field) -> list[str]:
    """The values that a field may have, as YAML; empty if any value is allowed."""
    node = field.node
    for _ in range(5):
        if "items" not in node or "enum" in node:
            break
        node = as_map(node["items"])
    enum = node.get("enum")
    if isinstance(enum, list):
        return [one if isinstance(one, str) else json.dumps(one) for one in enum]
    if field.rule.of == "boolean":
        return ["true", "false"]
    return list(_built_in(field)) if field.schema.built_in and field.names else []


def _built_in(field: Field) -> tuple[str, ...]:
    holder = rule_at(field.schema, path_of(field.names[:-1]))
    for _ in range(5):
        if holder is None or holder.kind != "list":
            break
        holder = field.schema.inside(holder)[0]
    of = holder.of if holder is not None else None
    group, _, rest = (of or "").partition("_")
    return tuple(value for value in enum_of(f"{group}.{rest.partition('.')[2]}", field.names[-1]) if value)


def defaults_of(field: Field) -> list[str]:
    """The default values, each with its condition."""
    if not field.schema.built_in:
        return [json.dumps(field.node["default"])] if "default" in field.node else []
    api_version, kind = str(field.schema.api_version), str(field.schema.kind)
    found = []
    for row in defaults_at(api_version, kind, field.path, minor_of(field.schema.release)):
        if row.value is REMOVED or row.unset is None:
            continue
        value = row.value.words if isinstance(row.value, Computed) else json.dumps(row.value)
        found.append(f"{value}{f' ({row.when.words})' if row.when else ''}")
    return list(dict.fromkeys(found))


@lru_cache(maxsize=2048)
def releases_of(schema: Schema, path: str) -> str:
    """The releases that have a field, in words; empty for a custom kind."""
    if not schema.built_in:
        return ""
    spans = [(span, rule) for span, rule in eras(schema, path) if rule is not None]
    first = spans[0][0].partition(" ")[0] if spans else ""
    last = spans[-1][0].rpartition(" ")[2] if spans else ""
    return first if first == last else f"{first} to {last}"
