"""Sides of a comparison that tests begin with."""

from __future__ import annotations

import json
from typing import Any

import codegen
from kubemerge.compare.chain import Side

from ...codegen.sample_specs import bundle

NAMED: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}}
DEFINITIONS = {
    "test.v1.One": NAMED,
    "test.v1.Same": NAMED,
    "test.v1.Atomic": {**NAMED, "x-kubernetes-map-type": "atomic"},
}

OBJECT = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": NAMED}


PATCH = {
    "consumes": ["application/strategic-merge-patch+json"],
    "x-kubernetes-group-version-kind": {"group": "test", "version": "v1", "kind": "Thing"},
}


def thing(name: str, field: dict[str, Any] | None) -> Side:
    """A side with one kind, `Thing` of `test/v1`, that has this field and takes strategic merge patches."""
    return Side(name, codegen.read(_document({} if field is None else {"field": field})))


def secret(name: str, data: dict[str, Any]) -> Side:
    """A side with one kind, `Secret` of `test/v1`, whose data has this schema."""
    values = {"type": "object", "additionalProperties": {"type": "string"}}
    document = json.dumps(_document({"data": {**values, **data}}))
    return Side(name, codegen.read(json.loads(document.replace('"Thing"', '"Secret"'))))


def _document(fields: dict[str, Any]) -> dict[str, Any]:
    document = bundle(**OBJECT, **fields)
    document["definitions"] |= DEFINITIONS
    document["paths"] = {"/apis/test/v1/things/{name}": {"patch": PATCH}}
    return document
