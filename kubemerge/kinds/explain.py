"""The fields of a kind for `explain`: the rule at a path, the fields below it, and their history over releases."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine import BadFieldPath, MergeError
from engine.errors import spans
from engine.paths import ELEMENT, join, parse_fields
from engine.tables.rules import SCALARS
from engine.tables.schema import ANYTHING

from ..output import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine import Rule, Schema
    from engine.tables.rules import Type

_ANY_ELEMENT = re.compile(r"\.\*(?=[.\[]|$)")
"""`.*` for any element or value, as users write it. The engine writes `[]`."""


_BEGINNINGS = ("spec", "metadata", "spec.template.spec", "spec.jobTemplate.spec.template.spec", "status")
"""Prefixes that users may omit from a path."""


class NoSuchField(MergeError):
    """A path without a field. The message lists similar names, or the releases that have it."""

    def __init__(self, schema: Schema, path: str, parent: str, near: list[str], served_in: list[str]) -> None:
        self.field, self.near, self.served_in = path, tuple(near), tuple(served_in)
        of = f"{schema.kind} of {schema.api_version}{f' in Kubernetes {schema.release}' if schema.release else ''}"
        kind = str(schema.kind).lower()
        hint = f"`kubemerge explain {join(kind, parent) if parent else kind}` lists the fields"
        if near:
            hint = f"Did you mean {' or '.join(near)}?"
        elif served_in:
            hint = f"it exists in {spans(served_in)}"
        super().__init__(f"{of} has no field {path}. {hint}")


class ExplainedField(NamedTuple):
    """A descendant field: its path, its rule, and its depth."""

    path: str
    rule: Rule
    depth: int = 0

    @property
    def name(self) -> str:
        """The last step of the path."""
        return self.path.rpartition(".")[2] if not self.path.endswith("]") else self.path


def field_at(schema: Schema, path: str) -> Rule:
    """The rule of the field at a path in the user's syntax: `containers[0].ports`, `containers.*.ports`.

    Where unknown fields are preserved, a field of any name may have any value.
    """
    path = _ANY_ELEMENT.sub("[]", path)
    rule = schema.rule(path)
    if rule is not None:
        return rule
    known = ""
    for step in parse_fields(path):
        at = f"{known}[]" if step is ELEMENT else join(known, str(step))
        if schema.rule(at) is None:
            if step is not ELEMENT and is_open(schema, schema.rule(known)):
                return ANYTHING
            near = _near(schema, known, step) or _further_in(schema, path)
            raise NoSuchField(schema, at, known, near, _served_in(schema, at))
        known = at
    raise BadFieldPath(path, "the path has no field")


def is_open(schema: Schema, rule: Rule | None) -> bool:
    """Whether a value, its elements or its map values may have fields that the schema does not name."""
    holder = _holder(schema, rule) if rule else None
    return rule is not None and (rule.open or (holder is not None and holder.rule.open))


def _near(schema: Schema, known: str, step: object) -> list[str]:
    """Similar fields. Those that only differ in case, or are deeper, come first."""
    rule = schema.rule(known)
    holder = _holder(schema, rule) if rule else None
    names = {name.lower(): name for name in (holder.fields if holder else ())}
    return [join(known, names[name]) for name in get_close_matches(str(step).lower(), names, n=3)]


def _further_in(schema: Schema, path: str) -> list[str]:
    """The field at a path whose start was omitted, because it is the same in every object."""
    whole = [f"{begin}.{path.removeprefix('spec.')}" for begin in _BEGINNINGS]
    return [one for one in whole if schema.rule(one) is not None][:1]


def _served_in(schema: Schema, path: str) -> list[str]:
    return [release for release, older in _releases(schema) if older.rule(path) is not None]


def _releases(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """The kind in every release that serves it."""
    key = (str(schema.api_version), str(schema.kind))
    for release in engine.releases():
        tables = engine.load(release)
        if key in tables:
            yield release, tables.schema(*key)


def below(schema: Schema, rule: Rule, *, recursive: bool = False) -> Iterator[ExplainedField]:
    """The fields of a value, of its elements or of its map values. Recursive types are not entered again."""
    holder = _holder(schema, rule)
    if holder is not None:
        yield from _fields(schema, holder, recursive, "", (holder.name,))


def _fields(
    schema: Schema, holder: Type, recursive: bool, path: str, inside: tuple[str, ...]
) -> Iterator[ExplainedField]:
    for name, rule in holder.fields.items():
        at = join(path, name)
        yield ExplainedField(at, rule, len(inside) - 1)
        inner = _holder(schema, rule) if recursive else None
        if inner is not None and inner.name not in inside:
            yield from _fields(schema, inner, recursive, at, (*inside, inner.name))


def _holder(schema: Schema, rule: Rule) -> Type | None:
    """The type with the fields of a value: its own, or its elements' or map values'."""
    entered: set[str] = set()
    holder = schema.struct(rule)
    while holder is None and rule.of is not None and rule.of not in SCALARS and rule.of not in entered:
        entered.add(rule.of)
        rule, holder = schema.inside(rule)
    return holder


def eras(schema: Schema, path: str) -> Iterator[tuple[str, Rule | None]]:
    """The runs of releases with the same rule for the field, oldest first. None where the field did not exist."""
    path = _ANY_ELEMENT.sub("[]", path)
    runs: list[tuple[list[str], Rule | None]] = []
    for release, older in _releases(schema):
        rule = older.rule(path)
        if runs and runs[-1][1] == rule:
            runs[-1][0].append(release)
        else:
            runs.append(([release], rule))
    for span, rule in runs:
        yield spans(span), rule


def gate_of(schema: Schema, path: str) -> dict[str, Any]:
    """The feature gate of a field and the releases that store it, as facts; empty for a field without a gate."""
    from ..apiserver.registry.feature_gates import gated_places, on_since

    if not schema.built_in or not path:
        return {}
    plain = re.sub(r"\[[^\]]*\]|\.\*", "", path)
    gates = [one.gate for one in gated_places(schema) if one.path == plain]
    if not gates:
        return {}
    since = on_since(gates[-1], 0)  # the last one, if the field had another before
    return {"featureGate": {"name": gates[-1], "storedSince": f"1.{since}" if since else None}}


def stored(schema: Schema, path: str) -> str:
    """When API servers store a field that is behind a feature gate, in words; empty for other fields."""
    from ..apiserver.registry.feature_gates import gates_set

    gate = gate_of(schema, path).get("featureGate")
    if gate is None:
        return ""
    given = dict(gates_set()).get(gate["name"])
    if given is not None:
        verb, state = ("stores", "on") if given else ("drops", "off")
        return f"{verb} the field, because the feature gate {gate['name']} is {state}"
    if gate["storedSince"] is None:
        return f"drops the field, because the feature gate {gate['name']} is off by default"
    return f"stores the field since {gate['storedSince']}, when the feature gate {gate['name']} is on by default"


def facts(
    schema: Schema, path: str, rule: Rule, past: Sequence[tuple[str, Rule | None]], fields: Iterable[ExplainedField]
) -> dict[str, Any]:
    """A field as JSON data: its rule, its `past` from `eras`, and the fields below it."""
    found: dict[str, Any] = {
        "apiVersion": schema.api_version,
        "kind": schema.kind,
        "release": schema.release,
        "path": path,
        "rule": words.facts(rule),
    }
    if past:
        found["history"] = [{"releases": span, "rule": words.facts(old)} for span, old in past]
    return {**found, "fields": [{"path": field.path, "rule": words.facts(field.rule)} for field in fields]}
