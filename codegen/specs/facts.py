"""The facts of one specification, whatever its format: definitions, kinds, scopes, patch types.

A fact node is a schema reduced to the keywords for merging and clients: `$ref` (the name of a definition), `type` (one
word), `format`, `properties`, `required`, `items`, `additionalProperties`, `default` and the x-kubernetes marks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from ..errors import SpecError, pointer_of
from ..shapes import effective

Node = dict[str, Any]

MARKS = (
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-patch-merge-key",
    "x-kubernetes-patch-strategy",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-unions",
)
"""The marks that are kept of a schema; x-kubernetes-group-version-kind is kept as `Facts.kinds`."""

FORMATS = frozenset({"byte", "date-time", "double", "float", "int32", "int64"})
"""The Kubernetes formats that are kept besides `int-or-string`."""

QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"
INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
RAW_EXTENSION = "io.k8s.apimachinery.pkg.runtime.RawExtension"
"""An object of any shape in a built-in kind. The API server owns it as a whole, but no specification states it."""
OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


@dataclass(frozen=True)
class GroupVersionKind:
    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        """The apiVersion in manifests: `apps/v1`, or `v1` for the core group."""
        return f"{self.group}/{self.version}" if self.group else self.version


@dataclass
class Facts:
    """The facts of one or several documents.

    `paths` are the paths of objects that can be patched. `pointers` has the pointer of each definition, and `sources`
    its document if there are several. `ignored` lists the ignored marks.
    """

    source: str
    definitions: dict[str, Node] = field(default_factory=dict)
    kinds: dict[GroupVersionKind, str] = field(default_factory=dict)
    paths: dict[str, GroupVersionKind] = field(default_factory=dict)
    namespaced: dict[GroupVersionKind, bool] = field(default_factory=dict)
    patch_types: dict[GroupVersionKind, tuple[str, ...]] = field(default_factory=dict)
    pointers: dict[str, str] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)

    def claim(self, kind: GroupVersionKind, definition: str) -> None:
        """Record that a definition describes a kind; two definitions of a kind are an error."""
        holder = self.kinds.setdefault(kind, definition)
        if holder != definition:
            raise SpecError(
                self.sources.get(definition, self.source),
                f"one definition of {kind.api_version} {kind.kind}",
                pointer=self.pointers.get(definition, ""),
                found=f"two: {holder} and {definition}",
            )


def node_of(schema: Any, reference: str) -> Node:
    """The fact node of a validated schema.

    `reference` is the prefix of every `$ref` into the same document.
    """
    if not isinstance(schema, dict):
        return {}
    node: Node = {}
    for part in [*(part for part in schema.get("allOf") or () if isinstance(part, dict)), schema]:
        _add(node, part, reference)
    if "$ref" in node:
        # Other keywords beside a reference are marks of the property; they do not describe the value.
        for word in ("type", "format", "properties", "required", "items", "additionalProperties"):
            node.pop(word, None)
    return node


def _add(node: Node, schema: Node, reference: str) -> None:
    """Add one part of a schema to the node; it overrides earlier parts."""
    schema = effective(schema)
    if "$ref" in schema:
        node.setdefault("$ref", _name(schema["$ref"], reference))
    word = _type(schema)
    if word:
        node["type"] = word
    if schema.get("format") == "int-or-string" or _either(schema, {"integer", "string"}):
        node["format"] = "int-or-string"
    elif isinstance(schema.get("format"), str) and schema["format"] in FORMATS:
        node["format"] = schema["format"]
    if "properties" in schema:
        fields = {name: node_of(part, reference) for name, part in schema["properties"].items()}
        node["properties"] = {**node.get("properties", {}), **fields}
    if isinstance(schema.get("required"), list):
        names = [*node.get("required", ()), *schema["required"]]
        node["required"] = [name for name in dict.fromkeys(filter(_is_text, names)) if name]
    if "items" in schema:
        node["items"] = node_of(schema["items"], reference)
    if "additionalProperties" in schema:
        values = schema["additionalProperties"]
        node["additionalProperties"] = values if isinstance(values, bool) else node_of(values, reference)
    node.update((mark, schema[mark]) for mark in MARKS if mark in schema)
    if _is_scalar(schema.get("default")):
        node["default"] = schema["default"]
    if any(part.get("x-kubernetes-int-or-string") for part in (schema, node)):
        node.pop("type", None)


def _name(reference: str, prefix: str) -> str:
    """The definition that a reference names. A reference out of the document stays as it is, and is missing later."""
    name = reference[len(prefix) :] if reference.startswith(prefix) else reference
    return name.replace("~1", "/").replace("~0", "~")


def _type(schema: Node) -> str | None:
    """The one type that a schema names; "null" beside it only means that null is allowed."""
    types = schema.get("type")
    words = [word for word in (types if isinstance(types, list) else [types]) if word not in (None, "null")]
    if set(words) == {"integer", "string"}:
        return "string"
    return words[0] if len(words) == 1 else None


def _either(schema: Node, wanted: set[str]) -> bool:
    """True if a schema allows exactly these types, in one of the forms that specifications use."""
    types = schema.get("type")
    if isinstance(types, list) and {*types} - {"null"} == wanted:
        return True
    for word in ("oneOf", "anyOf"):
        choices = [_type(part) for part in schema.get(word) or () if isinstance(part, dict)]
        if len(choices) == len(wanted) and set(choices) == wanted:
            return True
    return False


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (str, int, bool)) or (isinstance(value, float) and math.isfinite(value))


def add_definition(facts: Facts, name: str, schema: Any, reference: str, pointer: tuple[object, ...]) -> None:
    """Add one definition of a document, and the kinds that it describes."""
    node = node_of(schema, reference)
    if name == QUANTITY:
        node = {"type": "string", "format": "quantity"}
    elif name == INT_OR_STRING:
        node = {"type": "string", "format": "int-or-string"}
    facts.definitions[name] = node
    facts.pointers[name] = pointer_of(*pointer)
    if isinstance(schema, dict):
        claimed = schema.get("x-kubernetes-group-version-kind") or []
        for entry in claimed if isinstance(claimed, list) else [claimed]:
            facts.claim(GroupVersionKind(entry.get("group", ""), entry["version"], entry["kind"]), name)
