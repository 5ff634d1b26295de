"""JSON merge patches: kept, dropped and rounded values, and the combination of two patches."""

from __future__ import annotations

from typing import Any

import pytest

import engine

COMBINED: list[tuple[Any, Any, Any]] = [
    # the first patch, the second one, and their combination
    ({"a": 1}, {"a": None}, {"a": None}),
    ({"a": None}, {"a": 1}, {"a": 1}),
    ({}, {"a": None}, {"a": None}),
    ({"a": {"b": 1}}, {"a": {"b": None}}, {"a": {"b": None}}),
    ({"a": {"b": 1}}, {"a": {"c": 2}}, {"a": {"b": 1, "c": 2}}),
    ({"a": {"b": 1}}, {"a": 2}, {"a": 2}),
    ({"a": {"b": 1}}, {"a": [1]}, {"a": [1]}),
    ({"a": 1}, {"a": {"b": None, "c": 2}}, {"a": {"c": 2}}),
    ({}, {"a": {"b": None, "c": 2}}, {"a": {"b": None, "c": 2}}),
]


@pytest.mark.parametrize(("first", "second", "both"), COMBINED)
def test_two_patches_are_combined(first: Any, second: Any, both: Any) -> None:
    assert engine.merge_patches(first, second, None) == both


SAME_EFFECT = [row for row in COMBINED if not (isinstance(row[0].get("a"), int) and isinstance(row[1].get("a"), dict))]
"""No merge patch can set a scalar and then a map that replaces the original map."""


@pytest.mark.parametrize(("first", "second", "both"), SAME_EFFECT)
def test_combined_patch_has_the_effect_of_both(first: Any, second: Any, both: Any) -> None:
    for target in ({}, {"a": {"b": 5, "d": 6}}, {"a": 3, "z": 1}):
        after = engine.json_apply_patch(engine.json_apply_patch(target, first), second)
        assert engine.json_apply_patch(target, both) == after


DIFFERENCES: list[tuple[Any, Any, Any]] = [
    ({"a": 1}, {"a": 1.0}, {}),
    ({"a": 1}, {"a": True}, {"a": True}),
    ({"a": True}, {"a": True}, {}),
    ({"a": [1, {"b": 2}]}, {"a": [1.0, {"b": 2.0}]}, {}),
    ({"a": [1, 2]}, {"a": [1]}, {"a": [1]}),
    ({"a": [1]}, {"a": [1, 2]}, {"a": [1, 2]}),
    ({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}]}, {"a": [{"b": 1, "c": 2}]}),
    ({"a": [{"b": 1, "c": 2}]}, {"a": [{"b": 1}]}, {"a": [{"b": 1}]}),
    ({"a": {"b": 1}}, {"a": {"b": 1}}, {}),
    ({"a": {}}, {"a": {}}, {}),
    ({"a": {}}, {}, {"a": None}),
    ({}, {"a": None}, {"a": None}),
    ({"a": 1}, {"a": {"b": 1}}, {"a": {"b": 1}}),
    ({"a": {"b": 1}}, {"a": 1}, {"a": 1}),
    ({}, {"a": 2**53 + 1}, {"a": 2**53}),
    ({}, {"a": 2**53}, {"a": 2**53}),
    ({}, {"a": -(2**53) - 1}, {"a": -(2**53)}),
    ({}, {"a": [{"b": 2**53 + 1}]}, {"a": [{"b": 2**53}]}),
    ({}, {"a": 2.0}, {"a": 2}),
    ({}, {"a": 2.5}, {"a": 2.5}),
    ({}, {"a": 1e300}, {"a": 1e300}),
]


@pytest.mark.parametrize(("before", "after", "patch"), DIFFERENCES)
def test_the_difference_of_two_objects(before: Any, after: Any, patch: Any) -> None:
    assert repr(engine.two_way_patch(before, after, None)) == repr(patch)


THREE_WAYS: dict[str, tuple[Any, Any, Any, Any]] = {
    # by description: last applied, config, live, the patch
    "a field is dropped": ({"a": 1, "b": 1}, {"a": 1}, {"a": 1, "b": 1}, {"b": None}),
    "a field that only live has stays": ({"a": 1}, {"a": 1}, {"a": 1, "b": 1}, {}),
    "a field is dropped that is gone already": ({"a": 1, "b": 1}, {"a": 1}, {"a": 1}, {"b": None}),
    "a null is no change": ({}, {"a": None}, {}, {"a": None}),
    "a null inside": ({}, {"a": {"b": None}}, {"a": {"b": 1}}, {"a": {"b": None}}),
    "an empty map is a value": ({}, {"a": {}}, {}, {"a": {}}),
    "a change and a drop inside": (
        {"a": {"b": 1, "c": 1}},
        {"a": {"b": 2}},
        {"a": {"b": 1, "c": 1, "d": 1}},
        {"a": {"b": 2, "c": None}},
    ),
}


@pytest.mark.parametrize("case", THREE_WAYS.values(), ids=THREE_WAYS)
def test_the_three_way_patch(case: tuple[Any, Any, Any, Any]) -> None:
    last, config, live, patch = case
    assert engine.json_three_way_patch(last, config, live) == patch


CONFLICTS: list[tuple[Any, Any, list[str]]] = [
    ({"a": 1}, {"a": 1}, []),
    ({"a": 1}, {"a": 2}, ["a"]),
    ({"a": 1}, {"b": 2}, []),
    ({"a": {"b": 1, "c": 1}}, {"a": {"b": 2, "c": 2}}, ["a.b", "a.c"]),
    ({"a": {"b": 1}}, {"a": None}, ["a"]),
    ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, ["a[1].b"]),
    ({"a": [1]}, {"a": [1, 2]}, ["a"]),
    ({"a": [1]}, {"a": {"b": 1}}, ["a"]),
    ({"a": 1}, {"a": 1.0}, ["a"]),
]


@pytest.mark.parametrize(("left", "right", "paths"), CONFLICTS)
def test_where_two_patches_conflict(left: Any, right: Any, paths: list[str]) -> None:
    assert [one.path for one in engine.conflicts(left, right, None)] == paths


def test_a_conflict_has_both_values() -> None:
    (found,) = engine.conflicts({"a": {"b": [1]}}, {"a": {"b": [2, 3]}}, None)
    assert (found.path, found.ours, found.theirs) == ("a.b", [1], [2, 3])
