"""Sample values of fields, from samples.yaml: by type and field, by type, and by the name of the field."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from codegen.documents.yaml_text import documents

from .field_paths import KEY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.tables.schema import Schema

    from .field_paths import Field

HERE = FilePath(__file__).parent
BY_KIND_OF_VALUE: dict[str | None, Any] = {
    "integer": 1,
    "number": 1,
    "boolean": True,
    "quantity": "1",
    "int-or-string": 1,
    "string": "a",
}


@cache
def _samples() -> dict[str, dict[str, Any]]:
    (found,) = documents((HERE / "samples.yaml").read_text(encoding="utf-8"))
    return {part: found.get(part) or {} for part in ("types", "fields", "names", "unions", "pods", "kinds")}


def _short(name: str) -> str:
    return name.rpartition(".")[2]


@cache
def _kinds() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads((HERE / "kinds.json").read_text(encoding="utf-8"))
    return found


def samples_of_kind(api_version: str, kind: str) -> Iterator[dict[str, Any]]:
    """Objects of a kind, those that are valid in the apiVersion first. One has nothing but a name."""
    known = [*_kinds().get(kind, ()), *_samples()["kinds"].get(kind, ())]
    found = sorted([{}, *known], key=lambda one: one.get("apiVersion") != api_version)
    for one in found:
        metadata = {"name": "a", **one.get("metadata", {})}
        yield deepcopy({**one, "apiVersion": api_version, "kind": kind, "metadata": metadata})


def sample_of_type(name: str, member: str) -> dict[str, Any]:
    """A valid value of a type, preferably one that sets `member`."""
    found = _samples()["types"].get(_short(name), [{}])
    with_member = [one for one in found if member in one]
    return deepcopy((with_member or found)[0])


def sample(schema: Schema, field: Field) -> Any:
    """A value of a field."""
    return next(alternatives(schema, field))


def is_sampled(field: Field) -> bool:
    """Whether there are samples for this field of its type, or for its name."""
    samples, name = _samples(), str(field.path[-1])
    return f"{_short(field.parent_type)}.{name}" in samples["fields"] or name in samples["names"]


def alternatives(schema: Schema, field: Field) -> Iterator[Any]:
    """Values of a field, the likeliest first."""
    samples, name = _samples(), str(field.path[-1])
    key = f"{_short(field.parent_type)}.{name}"
    if key in samples["fields"]:
        yield from deepcopy(samples["fields"][key])
        return
    type_ = schema.struct(field.rule)
    if type_ is not None:
        yield from deepcopy(samples["types"].get(_short(type_.name), [{}]))
        return
    if name in samples["names"] and field.rule.kind == "primitive":
        yield from deepcopy(samples["names"][name])
    yield from _plain(schema, field)


def _plain(schema: Schema, field: Field) -> Iterator[Any]:
    rule = field.rule
    if rule.kind == "primitive":
        yield BY_KIND_OF_VALUE.get(rule.of, "a")
        if rule.of == "string":
            yield from ("2024-01-01T00:00:00Z", "/a", "10.0.0.1", "a.example.com/b", "1", "YQ==")
        elif rule.of == "boolean":
            yield False
        elif rule.of in ("integer", "int-or-string", "number"):
            yield from (2, 100, 0)
        return
    if rule.kind == "list" or rule.free_keys:
        inside, type_ = schema.inside(rule)
        if type_ is not None:
            inner: list[Any] = deepcopy(_samples()["types"].get(_short(type_.name), [{}]))
        elif inside.kind == "list":
            inner = [["a"]]
        else:
            inner = [BY_KIND_OF_VALUE.get(inside.of, "a")]
            inner += _samples()["names"].get(str(field.path[-1]), [])[:2]
        for one in inner:
            yield [one] if rule.kind == "list" else {KEY: one}
        return
    yield {}


def other_union_members(parent_type: str, member: str) -> list[str]:
    """The other members of a member's union; only one may be set."""
    members = _samples()["unions"].get(_short(parent_type), [])
    return [one for one in members if one != member] if member in members else []


def pod_extras() -> dict[str, Any]:
    """Additional pod spec fields, such as volumes, that other fields refer to."""
    return deepcopy(_samples()["pods"])
