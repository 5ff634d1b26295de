"""Schemas of custom resource versions, prepared for many objects."""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from typing import Any

from ..unchecked import as_map
from . import formats

Raw = dict[str, Any]
INT_OR_STRING = ("integer", "string")
INSIDE = ("properties", "additionalProperties", "items")
NAME_LENGTHS = {"name": 253, "generateName": 252}
"""The maximum length of an object's name."""
KEPT = 1000
"""The number of cached schemas. Repositories with more than a hundred definitions are common."""
LOOKED_FOR = (
    "default",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-list-type",
    "x-kubernetes-validations",
)
"""The keywords of `Schema.uses`."""


class Schema:
    """One schema. Inner schemas are created on first use."""

    def __init__(self, raw: Raw, used: dict[int, frozenset[str]] | None = None) -> None:
        """`used` are the keywords in this schema and in those inside it, if they are known."""
        self.raw, self._used = raw, used
        kind = raw.get("type")
        self.types: tuple[str, ...] = (kind,) if isinstance(kind, str) and kind else ()
        if raw.get("x-kubernetes-int-or-string") is True:
            self.types = INT_OR_STRING
        self.type = self.types[0] if len(self.types) == 1 else ""
        """The type. Empty if there is none, or two."""
        name = raw.get("format")
        self.format = formats.known_format(name, self.type) if isinstance(name, str) and name else ""
        self.nullable = raw.get("nullable") is True
        self.preserves = raw.get("x-kubernetes-preserve-unknown-fields") is True
        self.embedded = raw.get("x-kubernetes-embedded-resource") is True
        self.required: tuple[str, ...] = tuple(raw.get("required") or ())
        self.enum: list[Any] = raw.get("enum") or []
        self.default = raw.get("default")
        self.list_type: str | None = raw.get("x-kubernetes-list-type")
        self.map_keys: tuple[str, ...] = tuple(raw.get("x-kubernetes-list-map-keys") or ())
        self.rules: list[Raw] = raw.get("x-kubernetes-validations") or []
        extra = raw.get("additionalProperties")
        self.extra_allowed = extra is not False
        self.counts = any(key in raw for key in ("minProperties", "maxProperties"))
        self.choices = any(raw.get(key) for key in ("allOf", "anyOf", "oneOf")) or raw.get("not") is not None
        self.texts = any(key in raw for key in ("minLength", "maxLength", "pattern"))
        self.programs: Any = None
        """The compiled rules, after first use."""
        self.declared: Any = None
        """The size limits of values for cost estimates, after first use."""
        self.properties: dict[str, Raw] = as_map(raw.get("properties"))
        """The fields by name."""
        self._made: dict[str, Schema] = {}

    def field(self, name: str) -> Schema | None:
        """Return the schema of a field, or None."""
        found = self._made.get(name)
        if found is None and name in self.properties:
            found = self._made[name] = Schema(as_map(self.properties[name]), self._used)
        return found

    @cached_property
    def as_root(self) -> Schema:
        """Return the schema as that of a whole resource, whose rules can also use `kind`, `metadata.name` and so on."""
        if self._has_object_meta():
            return self
        meta = as_map(as_map(self.properties.get("metadata")).get("properties"))
        texts = {
            name: {"type": "string", "maxLength": min(most, _longest(meta.get(name), most))}
            for name, most in NAME_LENGTHS.items()
        }
        text = {"type": "string"}
        given = {"kind": text, "apiVersion": text, "metadata": {"type": "object", "properties": texts}}
        return Schema({**self.raw, "properties": {**self.properties, **given}})

    def _has_object_meta(self) -> bool:
        meta = self.field("metadata")
        if meta is None or meta.type != "object":
            return False
        texts = (self.field("kind"), self.field("apiVersion"), *map(meta.field, NAME_LENGTHS))
        return all(one is not None and one.type == "string" for one in texts)

    @cached_property
    def extra(self) -> Schema | None:
        """The schema of all other fields."""
        return self._inside("additionalProperties")

    @property
    def has_extra(self) -> bool:
        """Whether there is a schema, or a boolean, for other fields."""
        return self.raw.get("additionalProperties") is not None

    def child(self, name: str) -> Schema | None:
        """Return the schema of a field: its own, or that of all others."""
        return self.field(name) or self.extra

    @cached_property
    def items(self) -> Schema | None:
        """The schema of elements."""
        return self._inside("items")

    @cached_property
    def all_of(self) -> list[Schema]:
        """Schemas that must all hold."""
        return self._listed("allOf")

    @cached_property
    def any_of(self) -> list[Schema]:
        """Schemas of which one must hold."""
        return self._listed("anyOf")

    @cached_property
    def one_of(self) -> list[Schema]:
        """Schemas of which exactly one must hold."""
        return self._listed("oneOf")

    @cached_property
    def none_of(self) -> Schema | None:
        """The schema that must not hold."""
        return self._inside("not")

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The fields with a default."""
        found = {name: as_map(one).get("default") for name, one in self.properties.items()}
        return {name: value for name, value in found.items() if value is not None}

    def _inside(self, word: str) -> Schema | None:
        found = self.raw.get(word)
        return Schema(found, self._used) if isinstance(found, dict) else None

    def _listed(self, word: str) -> list[Schema]:
        return [Schema(as_map(one), self._used) for one in self.raw.get(word) or ()]

    def uses(self, word: str) -> bool:
        """Whether the schema, or one inside it, contains one of the keywords of `LOOKED_FOR`.

        All schemas inside are searched at once, and share the result.
        """
        if self._used is None or id(self.raw) not in self._used:
            self._used = _used_in(self.raw)
        return word in self._used[id(self.raw)]


def _longest(raw: Any, otherwise: int) -> int:
    found = as_map(raw).get("maxLength")
    return found if isinstance(found, int) else otherwise


def _used_in(raw: Raw) -> dict[int, frozenset[str]]:
    """The keywords of `LOOKED_FOR` in each schema inside a schema, by its identity. They count for all around it."""
    inside: list[tuple[Raw, list[Raw]]] = []
    stack = [raw]
    while stack:
        one = stack.pop()
        parts = _parts_of(one)
        inside.append((one, parts))
        stack.extend(parts)
    found: dict[int, frozenset[str]] = {}
    for one, parts in reversed(inside):
        own = {word for word in LOOKED_FOR if word in one and (one[word] not in _EMPTY or word == "default")}
        found[id(one)] = frozenset(own.union(*(found[id(part)] for part in parts)))
    return found


_EMPTY: tuple[Any, ...] = (None, "", [], {})


def _parts_of(raw: Raw) -> list[Raw]:
    parts = [*as_map(raw.get("properties")).values(), raw.get("items"), raw.get("additionalProperties")]
    return [one for one in (*parts, *(raw.get("allOf") or ())) if isinstance(one, dict)]


# ---- of a definition -------------------------------------------------------------------------------------------------


def versions_of(definition: Raw) -> list[Raw]:
    """Return the versions of a CustomResourceDefinition. The only version of an old one has no list."""
    spec = as_map(definition.get("spec"))
    listed = spec.get("versions")
    if isinstance(listed, list) and listed:
        return [as_map(one) for one in listed]
    return [{"name": spec.get("version"), "served": True, "storage": True}]


def version_of(definition: Raw, name: str) -> Raw:
    """Return one version of a definition, with fields shared by versions. Empty if it does not exist."""
    spec = as_map(definition.get("spec"))
    for one in versions_of(definition):
        if one.get("name") == name:
            shared = {"schema": spec.get("validation")}
            shared |= {key: spec.get(key) for key in ("subresources", "additionalPrinterColumns", "selectableFields")}
            return {**{key: value for key, value in shared.items() if value}, **one}
    return {}


def raw_schema(definition: Raw, version: str) -> Raw | None:
    """Return the schema of a version as the definition has it, or None."""
    return as_map(as_map(version_of(definition, version).get("schema")).get("openAPIV3Schema")) or None


def version_in(content: Raw) -> str:
    """Return the version of an object."""
    return str(content.get("apiVersion")).rpartition("/")[2]


_ready: OrderedDict[tuple[int, str], tuple[Raw, Schema | None]] = OrderedDict()


def schema_of(definition: Raw, version: str) -> Schema | None:
    """Return the schema of a version, or None. Definitions are never changed in place, so it is cached."""
    key = (id(definition), version)
    found = _ready.get(key)
    if found is None or found[0] is not definition:
        raw = raw_schema(definition, version)
        found = (definition, Schema(raw) if raw is not None else None)
        _ready[key] = found
        while len(_ready) > KEPT:
            _ready.popitem(last=False)
    return found[1]
