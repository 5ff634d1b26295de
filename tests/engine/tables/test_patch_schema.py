"""The values that a field can hold in a strategic merge patch."""

from __future__ import annotations

from typing import Any

import pytest

import codegen
import engine

ITEM: dict[str, Any] = {"type": "object", "properties": {"x": {"type": "string"}}}
LISTS = codegen.read(
    {
        "openapi": "3.0.0",
        "components": {
            "schemas": {
                "Lists": {
                    "type": "object",
                    "x-kubernetes-group-version-kind": [{"group": "e.example", "version": "v1", "kind": "Lists"}],
                    "properties": {
                        "flat": {"type": "array", "items": ITEM},
                        "nested": {"type": "array", "items": {"type": "array", "items": ITEM}},
                    },
                }
            }
        },
    }
).definition("Lists")


def test_a_list_of_objects_is_replaced() -> None:
    patch = engine.two_way_patch({"flat": [{"x": "1"}]}, {"flat": [{"x": "2"}]}, LISTS)
    assert patch == {"flat": [{"x": "2"}]}


def test_a_list_of_lists_cannot_be_compared() -> None:
    with pytest.raises(engine.UnexpectedList, match="nested"):
        engine.two_way_patch({"nested": [[{"x": "1"}]]}, {"nested": [[{"x": "2"}]]}, LISTS)
