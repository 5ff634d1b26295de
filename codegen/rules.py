"""The row of one property. Every default and fallback of a merge rule is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.paths import join

from . import key_defaults, names
from .errors import SpecError, brief
from .specs.facts import INT_OR_STRING, OBJECT_META, QUANTITY, RAW_EXTENSION, Facts, Node

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Columns = tuple[Any, ...]
"""kind, of, strategies, merge key, list type, map keys, derived, map type, default, free keys, open:
the arguments of `engine.Rule`, without the empty ones at the end."""

MISPLACED_KEYS = frozenset(
    {
        "core_v1.NodeSelectorRequirement.key",
        "core_v1.Taint.key",
        "core_v1.Toleration.key",
        "meta_v1.LabelSelectorRequirement.key",
    }
)
"""Fields that Kubernetes itself marked with a merge key although they are not lists: the last until 1.27, the others in
1.7. The mark never had an effect, but `compare` should show its removal. Such marks elsewhere are ignored.
"""

MERGE_KEY = "x-kubernetes-patch-merge-key"

KUBERNETES = "io.k8s."
"""The prefix of Kubernetes' own definition names."""

OBJECT_FIELDS: dict[str, Node] = {
    "apiVersion": {"type": "string"},
    "kind": {"type": "string"},
    "metadata": {"$ref": OBJECT_META},
}
"""The fields that every embedded resource has, as declared by the built-in kinds."""

_SCALARS = {"string": "string", "integer": "integer", "number": "number", "boolean": "boolean"}


def columns(
    kind: str,
    of: str | None = None,
    marks: Mapping[str, Any] | None = None,
    *,
    list_rule: tuple[str | None, tuple[str, ...] | None, int | None] = (None, None, None),
    map_type: str | None = None,
    default: Any = None,
    free_keys: bool = False,
    is_open: bool = False,
) -> Columns:
    """The columns of a row, in the order of `engine.Rule`, without empty columns at the end."""
    marks = marks or {}
    found = [
        kind,
        of,
        marks.get("x-kubernetes-patch-strategy"),
        marks.get(MERGE_KEY),
        *list_rule,
        map_type or (marks.get("x-kubernetes-map-type") if kind == "map" else None),
        default,
        1 if free_keys else None,
        1 if is_open else None,
    ]
    while found and found[-1] is None:
        found.pop()
    return tuple(found)


def relation(marks: Mapping[str, Any]) -> tuple[str, tuple[str, ...] | None, int | None]:
    """The list type, the map keys, and 1 if they are derived because the specification does not state them.

    Kubernetes' own converter derives them in the same way for specifications without these marks.
    """
    stated = marks.get("x-kubernetes-list-type")
    keys = tuple(marks.get("x-kubernetes-list-map-keys", ()))
    merge_key = marks.get(MERGE_KEY)
    if stated:
        return stated, keys or ((merge_key,) if stated == "map" and merge_key else None), None
    if "merge" in marks.get("x-kubernetes-patch-strategy", "").split(","):
        return ("map", (merge_key,), 1) if merge_key else ("set", None, 1)
    return "atomic", None, 1


class Definitions:
    """Makes the rows of every type of one specification.

    `types` maps the name of a type to its rows: field -> columns. The row of the empty field is the type itself.
    """

    def __init__(self, facts: Facts, module_of: Mapping[str, str]) -> None:
        self.facts = facts
        self.module_of = module_of
        self.types: dict[str, dict[str, Columns]] = {}
        self._ends: dict[str, tuple[str | None, Node]] = {}
        self.definitions = dict(facts.definitions)
        if RAW_EXTENSION in self.definitions:
            self.definitions[RAW_EXTENSION] = {**self.definitions[RAW_EXTENSION], "x-kubernetes-map-type": "atomic"}
        for definition, node in self.definitions.items():
            self._where = facts.sources.get(definition, facts.source), facts.pointers.get(definition, "")
            name = self.type_name(definition)
            other = self.types.pop(name, None)
            self._describe_type(name, node)
            if other not in (None, self.types[name]):
                raise self._error("one description of a type", f"another one of {brief(name)} before")
        self._add_key_defaults()

    def type_name(self, definition: str) -> str:
        """The name of a definition's type in the tables."""
        prefix, name = names.split(definition)
        return f"{self.module_of[prefix]}.{name}"

    def _describe_type(self, name: str, node: Node) -> None:
        """Make the rows of a type: of its fields if it has any, else of the type as a whole."""
        _, resolved = self._resolve(node)
        if not is_struct(resolved):
            self.types[name] = {"": self._field(name, node)}
            return
        properties = resolved.get("properties", {})
        if resolved.get("x-kubernetes-embedded-resource"):
            properties = {**properties, **OBJECT_FIELDS}
        rows = self.types[name] = {}
        for field, part in properties.items():
            if not field:
                raise self._error("fields with names", "a field without")
            rows[field] = self._field(join(name, field), part)
        is_open = bool(resolved.get("x-kubernetes-preserve-unknown-fields") or resolved.get("additionalProperties"))
        itself = columns("map", marks=resolved, is_open=is_open)
        if itself != ("map",) or not rows:
            rows[""] = itself

    def _field(self, name: str, node: Node) -> Columns:
        """The columns of a field with the schema `node`; `name` names its type if the type has no name."""
        definition, resolved = self._resolve(node)
        # Marks of the property take precedence over those of its definition.
        marks = {**resolved, **node}
        default = node.get("default")
        word = resolved.get("type")
        if MERGE_KEY in marks and word != "array" and name not in MISPLACED_KEYS:
            # A list mark on another type has no effect. Kubernetes itself puts list types on texts (of bytes).
            self.facts.ignored.append(f"{MERGE_KEY} at {name.partition('.')[2]} (not a list)")
            node, marks = _without(node, MERGE_KEY), _without(marks, MERGE_KEY)
        if resolved.get("format") == "quantity" or definition == QUANTITY:
            return columns("primitive", "quantity", node, default=default)
        if (
            resolved.get("x-kubernetes-int-or-string")
            or resolved.get("format") == "int-or-string"
            or definition == INT_OR_STRING
        ):
            return columns("primitive", "int-or-string", node, default=default)
        if word == "array":
            list_rule = relation(marks)
            # Only in a list with keys are parts of elements owned separately.
            map_type = self._map_type(resolved.get("items")) if list_rule[0] == "map" else None
            of = self._inside(name + "[]", resolved.get("items"))
            return columns("list", of, marks, list_rule=list_rule, map_type=map_type)
        if is_struct(resolved):
            return columns("map", self._struct(name, definition, node), node, map_type=self._map_type(node))
        if word == "object":
            values = resolved.get("additionalProperties")
            of = self._inside(name + "{}", values if isinstance(values, dict) else None)
            is_open = bool(resolved.get("x-kubernetes-preserve-unknown-fields"))
            return columns("map", of, marks, free_keys=True, is_open=is_open)
        if word in _SCALARS:
            return columns("primitive", _SCALARS[word], node, default=default)
        return columns("any", marks=node)

    def _map_type(self, node: Node | None) -> str | None:
        """The map type of a value with fields: its own mark, or the mark of its definition."""
        resolved = self._resolve(node)[1] if node else {}
        marks = {**resolved, **(node or {})}
        return marks.get("x-kubernetes-map-type") if is_struct(resolved) else None

    def _struct(self, name: str, definition: str | None, node: Node) -> str:
        """The type name of a field with fields: the name of its definition, or one made from its path."""
        if definition == OBJECT_META and definition not in self.facts.definitions:
            return "meta_v1.ObjectMeta"
        if definition is not None:
            return self.type_name(definition)
        self._describe_type(name, node)
        return name

    def _inside(self, name: str, node: Node | None) -> str | None:
        """The column `of` for the elements of a list or the values of a map."""
        if node is None:
            return None
        definition, resolved = self._resolve(node)
        if is_struct(resolved):
            return self._struct(name, definition, node)
        if definition is not None and resolved.get("type") in ("array", "object"):
            # Refer to it by name, because it may be recursive.
            return self.type_name(definition)
        found = self._field(name, node)
        if found[0] == "any":
            return None
        if found[0] == "primitive":
            return str(found[1])
        # A list in a list, or a map in a map, needs its own row, in a type that is named after its path.
        self.types[name] = {"": found}
        return name

    def _resolve(self, node: Node) -> tuple[str | None, Node]:
        """The definition that a node refers to, after following all references, and its node."""
        definition = None
        seen: set[str] = set()
        while "$ref" in node:
            definition = node["$ref"]
            if definition in self._ends:
                definition, node = self._ends[definition]
                break
            if definition == OBJECT_META and definition not in self.facts.definitions:
                return definition, {"type": "object", "properties": {"name": {"type": "string"}}}
            if definition not in self.definitions:
                raise self._error(f"a definition {brief(definition)}, as in its $ref", "none")
            if definition in seen:
                raise self._error("a definition", "references that only lead to each other")
            seen.add(definition)
            node = self.definitions[definition]
        self._ends.update(dict.fromkeys(seen, (definition, node)))
        return definition, node

    def _error(self, expected: str, found: str) -> SpecError:
        source, pointer = self._where
        return SpecError(source, expected, pointer=pointer, found=found)

    def _add_key_defaults(self) -> None:
        """Set the defaults of fields that are keys of list elements; drop all other defaults."""
        keys = set(self._key_fields())
        unstated = key_defaults.unstated(self.facts.definitions)
        kubernetes = {self.type_name(name) for name in self.facts.definitions if name.startswith(KUBERNETES)}
        for name, rows in self.types.items():
            for field, row in rows.items():
                stated = row[8] if len(row) > 8 else None
                default = stated if (name, field) in keys else None
                if default is None and row[0] == "primitive" and name in kubernetes:
                    default = unstated(name, field, row[1], is_key=(name, field) in keys)
                if default is not stated:
                    rows[field] = _with_default(row, default)

    def _key_fields(self) -> Iterator[tuple[str, str]]:
        for rows in self.types.values():
            for row in rows.values():
                if row[0] == "list" and len(row) > 5 and row[1] is not None:
                    yield from ((row[1], key) for key in row[5] or ())


def is_struct(node: Node) -> bool:
    """True if a value of this schema has fields and no free keys."""
    if node.get("type") not in ("object", None):
        return False
    return bool(node.get("properties") or node.get("x-kubernetes-embedded-resource"))


def _without(node: Node, mark: str) -> Node:
    return {word: value for word, value in node.items() if word != mark}


def _with_default(row: Columns, default: Any) -> Columns:
    padded = [*row, *[None] * (9 - len(row))]
    padded[8] = default
    while padded[-1] is None:
        padded.pop()
    return tuple(padded)
