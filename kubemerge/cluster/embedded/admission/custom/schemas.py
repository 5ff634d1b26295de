"""The schema of a version of a custom resource, made ready for looking at many objects."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from engine.values.unchecked import a_map

from . import formats

Raw = dict[str, Any]
INT_OR_STRING = ("integer", "string")
INSIDE = ("properties", "additionalProperties", "items")
KEPT = 64
"""Definitions that are kept ready."""


class Schema:
    """One schema and those inside it; these are made when they are first asked for."""

    __slots__ = (
        "_all",
        "_any",
        "_defaults",
        "_extra",
        "_items",
        "_made",
        "_not",
        "_one",
        "_properties",
        "_uses",
        "choices",
        "counts",
        "default",
        "embedded",
        "enum",
        "extra_allowed",
        "format",
        "list_type",
        "map_keys",
        "map_type",
        "min_max",
        "nullable",
        "preserves",
        "programs",
        "raw",
        "required",
        "rules",
        "texts",
        "type",
        "types",
    )  # fmt: skip

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        kind = raw.get("type")
        self.types: tuple[str, ...] = (kind,) if isinstance(kind, str) and kind else ()
        if raw.get("x-kubernetes-int-or-string") is True:
            self.types = INT_OR_STRING
        self.type = self.types[0] if len(self.types) == 1 else ""
        """The type; empty if there is none, or two."""
        name = raw.get("format")
        self.format = formats.known(name, self.type) if isinstance(name, str) and name else ""
        self.nullable = raw.get("nullable") is True
        self.preserves = raw.get("x-kubernetes-preserve-unknown-fields") is True
        self.embedded = raw.get("x-kubernetes-embedded-resource") is True
        self.required: tuple[str, ...] = tuple(raw.get("required") or ())
        self.enum: list[Any] = raw.get("enum") or []
        self.default = raw.get("default")
        self.list_type: str | None = raw.get("x-kubernetes-list-type")
        self.map_keys: tuple[str, ...] = tuple(raw.get("x-kubernetes-list-map-keys") or ())
        self.map_type: str | None = raw.get("x-kubernetes-map-type")
        self.rules: list[Raw] = raw.get("x-kubernetes-validations") or []
        extra = raw.get("additionalProperties")
        self.extra_allowed = extra is not False
        self.counts = any(key in raw for key in ("minProperties", "maxProperties"))
        self.choices = any(raw.get(key) for key in ("allOf", "anyOf", "oneOf")) or raw.get("not") is not None
        self.min_max = any(key in raw for key in ("minimum", "maximum", "multipleOf"))
        self.texts = any(key in raw for key in ("minLength", "maxLength", "pattern"))
        self.programs: Any = None
        """What the rules were compiled to, once somebody has done that."""
        self._properties: dict[str, Raw] = a_map(raw.get("properties"))
        self._made: dict[str, Schema] = {}
        self._items: Schema | None = None
        self._extra: Schema | None = None
        self._all: list[Schema] | None = None
        self._any: list[Schema] | None = None
        self._one: list[Schema] | None = None
        self._not: Schema | None = None
        self._defaults: dict[str, Any] | None = None
        self._uses: dict[str, bool] = {}

    @property
    def properties(self) -> dict[str, Raw]:
        """The fields by their names."""
        return self._properties

    def field(self, name: str) -> Schema | None:
        """The schema of a field; None if there is no such field."""
        found = self._made.get(name)
        if found is None and name in self._properties:
            found = self._made[name] = Schema(a_map(self._properties[name]))
        return found

    @property
    def extra(self) -> Schema | None:
        """The schema of all other fields."""
        if self._extra is None and isinstance(self.raw.get("additionalProperties"), dict):
            self._extra = Schema(self.raw["additionalProperties"])
        return self._extra

    @property
    def has_extra(self) -> bool:
        """Whether anything is said about other fields."""
        return "additionalProperties" in self.raw and self.raw["additionalProperties"] is not None

    def child(self, name: str) -> Schema | None:
        """The schema of a field: its own, or that of all others."""
        return self.field(name) or self.extra

    @property
    def items(self) -> Schema | None:
        """The schema of elements."""
        if self._items is None and isinstance(self.raw.get("items"), dict):
            self._items = Schema(self.raw["items"])
        return self._items

    @property
    def all_of(self) -> list[Schema]:
        """What all must hold."""
        if self._all is None:
            self._all = [Schema(a_map(one)) for one in self.raw.get("allOf") or ()]
        return self._all

    @property
    def any_of(self) -> list[Schema]:
        """Of which one must hold."""
        if self._any is None:
            self._any = [Schema(a_map(one)) for one in self.raw.get("anyOf") or ()]
        return self._any

    @property
    def one_of(self) -> list[Schema]:
        """Of which exactly one must hold."""
        if self._one is None:
            self._one = [Schema(a_map(one)) for one in self.raw.get("oneOf") or ()]
        return self._one

    @property
    def none_of(self) -> Schema | None:
        """What must not hold."""
        if self._not is None and isinstance(self.raw.get("not"), dict):
            self._not = Schema(self.raw["not"])
        return self._not

    @property
    def defaults(self) -> dict[str, Any]:
        """The fields that have a default."""
        if self._defaults is None:
            found = {name: a_map(one).get("default") for name, one in self._properties.items()}
            self._defaults = {name: value for name, value in found.items() if value is not None}
        return self._defaults

    def uses(self, *words: str) -> bool:
        """Whether one of these words stands in this schema or in one inside it."""
        key = words[0]
        if key not in self._uses:
            self._uses[key] = _uses(self.raw, words)
        return self._uses[key]


def _uses(raw: Any, words: tuple[str, ...]) -> bool:
    stack = [raw]
    while stack:
        one = stack.pop()
        if not isinstance(one, dict):
            continue
        if any(one.get(word) not in (None, "", [], {}) or (word == "default" and word in one) for word in words):
            return True
        stack.extend(a_map(one.get("properties")).values())
        stack.extend((one.get("items"), one.get("additionalProperties"), *(one.get("allOf") or ())))
    return False


# ---- of a definition -------------------------------------------------------------------------------------------------


def versions_of(definition: Raw) -> list[Raw]:
    """The versions that a CustomResourceDefinition lists; the only one of an old definition has no list."""
    spec = a_map(definition.get("spec"))
    listed = spec.get("versions")
    if isinstance(listed, list) and listed:
        return [a_map(one) for one in listed]
    return [{"name": spec.get("version"), "served": True, "storage": True}]


def version_of(definition: Raw, name: str) -> Raw:
    """One version of a definition with what old definitions say about all of them; empty if it is not there."""
    spec = a_map(definition.get("spec"))
    for one in versions_of(definition):
        if one.get("name") == name:
            shared = {"schema": spec.get("validation")}
            shared |= {key: spec.get(key) for key in ("subresources", "additionalPrinterColumns", "selectableFields")}
            return {**{key: value for key, value in shared.items() if value}, **one}
    return {}


def raw_schema(definition: Raw, version: str) -> Raw | None:
    """The schema of a version as the definition has it; None if there is none."""
    return a_map(a_map(version_of(definition, version).get("schema")).get("openAPIV3Schema")) or None


def version_in(content: Raw) -> str:
    """The version of an object."""
    return str(content.get("apiVersion")).rpartition("/")[2]


_ready: OrderedDict[tuple[int, str], tuple[Raw, Schema | None]] = OrderedDict()


def schema_of(definition: Raw, version: str) -> Schema | None:
    """The schema of a version; None if there is none. Definitions are never changed in place, so it is kept."""
    key = (id(definition), version)
    found = _ready.get(key)
    if found is None or found[0] is not definition:
        raw = raw_schema(definition, version)
        found = (definition, Schema(raw) if raw is not None else None)
        _ready[key] = found
        while len(_ready) > KEPT:
            _ready.popitem(last=False)
    return found[1]
