"""Tables that are kept as text are those that were read."""

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


def test_they_are_the_same() -> None:
    assert reading.tables_kept(reading.kept(DOCUMENT)) == codegen.read(DOCUMENT)
    rule = reading.tables_kept(reading.kept(DOCUMENT)).schema("example.com/v1", "Widget").rule("spec")
    assert rule is not None
    assert rule.map_keys == ("name",)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "5", "{}", json.dumps({"form": 0}), json.dumps({"form": 1, "kinds": 5})]
)
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(SpecError, match="stored tables"):
        reading.tables_kept(text)
