"""A straight comparison of two snapshots: every kind written out field by field, and nothing of the tables.

It goes by paths and not by types, holds whole documents next to each other, and takes from
`tests.codegen.direct_reading` only the marks of one field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...codegen.direct_reading import MARK, end_of, facts_of_field, kind_of, target

if TYPE_CHECKING:
    from collections.abc import Iterator

SCALARS = {"string", "integer", "number", "boolean", "int-or-string", "quantity"}

Node = dict[str, Any]
Key = tuple[str, str]
Finding = tuple[str, str, str, tuple[str, ...]]
"""apiVersion, kind, path, aspects."""


class Spoken(NamedTuple):
    """The content of a document at one path."""

    parent: str
    aspects: dict[str, Any]


def kinds_of(document: Node) -> dict[Key, str]:
    """The kinds of a document, and the definition that describes each."""
    found = {}
    for name, schema in document["definitions"].items():
        for kind in schema.get(MARK + "group-version-kind", ()):
            group = f"{kind['group']}/" if kind["group"] else ""
            found[group + kind["version"], kind["kind"]] = name
    return found


def expanded(document: Node, name: str) -> dict[str, Spoken]:
    """Every path of a kind."""
    node = {"$ref": f"#/definitions/{name}"}
    ends_at = str(end_of(document, node))
    return {"": Spoken("", spoken(document, node)), **dict(fields_of(document, "", node, (ends_at,)))}


def fields_of(document: Node, path: str, node: Node, inside: tuple[str, ...]) -> Iterator[tuple[str, Spoken]]:
    """The paths below a type that has fields."""
    for field, part in target(document, node).get("properties", {}).items():
        assert not set(field) & set('.[]"=, ')
        at = f"{path}.{field}" if path else field
        yield at, Spoken(path, spoken(document, part))
        yield from below(document, at, part, inside)


def below(document: Node, path: str, node: Node, inside: tuple[str, ...]) -> Iterator[tuple[str, Spoken]]:
    """The paths below a field: its fields, or those of its elements or values."""
    schema = target(document, node)
    if "properties" in schema:
        name = str(end_of(document, node))
        if name not in inside:
            yield from fields_of(document, path, node, (*inside, name))
        return
    inner = schema.get("items") if kind_of(schema) == "list" else schema.get("additionalProperties")
    if not isinstance(inner, dict) or kind_of(target(document, inner)) in ("primitive", "any"):
        return
    if kind_of(schema) == "list" and "properties" in target(document, inner):
        yield from below(document, path, inner, inside)
        return
    at = path + ("[]" if kind_of(schema) == "list" else ".*")
    yield at, Spoken(path, spoken(document, inner))
    yield from below(document, at, inner, inside)


def spoken(document: Node, node: Node) -> dict[str, Any]:
    """The aspects of a field in the document."""
    schema = target(document, node)
    rule = facts_of_field(document, node)
    return {
        "field kind": (rule.kind, rule.kind == "map" and "properties" not in schema, content(document, schema)),
        "strategy": set(rule.strategies),
        "merge key": rule.merge_key,
        "list type": rule.list_type,
        "map keys": set(rule.map_keys),
        "map type": rule.map_type == "atomic",
    }


def content(document: Node, schema: Node) -> str | None:
    """The content of a value, its elements or values: a scalar type, "fields", "elements", or None if it is open."""
    if "properties" in schema:
        return "fields"
    if kind_of(schema) == "primitive":
        return str(schema["format"] if schema.get("format") in ("int-or-string", "quantity") else schema["type"])
    inner = schema.get("items") if kind_of(schema) == "list" else schema.get("additionalProperties")
    if not isinstance(inner, dict) or kind_of(target(document, inner)) == "any":
        return None
    inner = target(document, inner)
    if kind_of(inner) == "primitive":
        return content(document, inner)
    return "fields" if kind_of(schema) == "list" and "properties" in inner else "elements"


def findings(left: Node, right: Node) -> list[Finding]:
    """Everything that differs between two documents."""
    here, there = kinds_of(left), kinds_of(right)
    found: list[Finding] = [(*key, "", ("kind removed",)) for key in here.keys() - there.keys()]
    found += [(*key, "", ("kind added",)) for key in there.keys() - here.keys()]
    for key in here.keys() & there.keys():
        before, after = expanded(left, here[key]), expanded(right, there[key])
        found += [(*key, path, aspects) for path, aspects in differing(before, after)]
    return found


def differing(before: dict[str, Spoken], after: dict[str, Spoken]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The paths that differ. Paths below a field that was added, removed or changed its kind are left out."""
    closed = set()
    for path in sorted({*before, *after}, key=lambda path: (len(path), path)):
        old, new = before.get(path), after.get(path)
        either = old or new
        assert either is not None
        if path and either.parent in closed:
            closed.add(path)
        elif old is None or new is None:
            closed.add(path)
            yield path, ("field added",) if old is None else ("field removed",)
        else:
            aspects = tuple(name for name, value in old.aspects.items() if value != new.aspects[name])
            if aspects:
                yield path, aspects
            if merges_otherwise(old.aspects["field kind"], new.aspects["field kind"]):
                closed.add(path)


def merges_otherwise(old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
    return old != new and (old[:2] != new[:2] or not {old[2], new[2]} <= SCALARS)
