"""Compiled shapes of specifications accept the same values as jsonschema."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from codegen.shape_tests import compiled
from codegen.shapes import DOCUMENTS, NODE

VALUES: list[Any] = [
    None,
    True,
    1,
    1.5,
    "",
    "array",
    "atomic",
    "merge",
    [],
    ["a"],
    [""],
    [1],
    [{}],
    ["array"],
    {},
    {"a": 1},
]
SHAPES = {"node": NODE, **DOCUMENTS}
CRD = {"spec": {"group": "g", "names": {"kind": "K"}, "versions": [{"name": "v1"}]}}


def _values(schema: dict[str, Any]) -> list[Any]:
    """Values of each field, alone in an object, with those of the fields inside."""
    inner = {name: _values(one) for name, one in schema.get("properties", {}).items()}
    return [*VALUES, *({name: value} for name, values in inner.items() for value in values)]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_values_fit(shape: str) -> None:
    schema = SHAPES[shape]
    fits = compiled(schema, schema.get("$defs", {}))
    validator = jsonschema.Draft202012Validator(schema)
    values = _values(schema)
    if shape == "crd":
        spec = CRD["spec"]
        values += [{"spec": {**spec, **one}} for one in _values(schema["properties"]["spec"]) if isinstance(one, dict)]
        values += [{"spec": {**spec, "versions": [one]}} for one in ({}, {"name": ""}, {"name": "v", "schema": []})]
    assert [one for one in values if fits(one) is not validator.is_valid(one)] == []
    assert {fits(one) for one in values} == {True, False}
