"""Tables stored as text equal the original ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

import codegen
from codegen import SpecError, reading

DOCUMENT: dict[str, Any] = {
    "definitions": {
        "example.Widget": {
            "type": "object",
            "properties": {
                "spec": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"name": {"type": "string", "default": "a"}}},
                    "x-kubernetes-list-type": "map",
                    "x-kubernetes-list-map-keys": ["name"],
                }
            },
            "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "v1", "kind": "Widget"}],
        }
    }
}


def test_stored_tables_are_equal() -> None:
    assert reading.tables_from_text(reading.tables_to_text(DOCUMENT)) == codegen.read(DOCUMENT)
    rule = reading.tables_from_text(reading.tables_to_text(DOCUMENT)).schema("example.com/v1", "Widget").rule("spec")
    assert rule is not None
    assert rule.map_keys == ("name",)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "5", "{}", json.dumps({"form": 0}), json.dumps({"form": 1, "kinds": 5})]
)
def test_other_text_is_rejected(text: str) -> None:
    with pytest.raises(SpecError, match="stored tables"):
        reading.tables_from_text(text)
