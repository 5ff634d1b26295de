"""Sides of a comparison that tests begin with."""

from __future__ import annotations

from typing import Any

import codegen
from kubemerge.comparing.chain import Side

from ...codegen.documents import bundle

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
    document = bundle(**OBJECT, **({} if field is None else {"field": field}))
    document["definitions"] |= DEFINITIONS
    document["paths"] = {"/apis/test/v1/things/{name}": {"patch": PATCH}}
    return Side(name, codegen.read(document))
