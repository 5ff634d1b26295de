"""Values of a wrong type count as missing."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.unchecked import as_map, as_number, as_text, find_condition, get_path, maps

ODD: list[Any] = [None, True, 1, 1.5, "a", [], {}]


@pytest.mark.parametrize("value", ODD)
def test_each_kind_of_value_is_itself_or_nothing(value: Any) -> None:
    assert as_map({"a": 1}) == {"a": 1}
    assert as_map(value) == {}
    assert as_text(value) == ("a" if value == "a" else "")
    assert as_number(value) == (1 if type(value) is int else None)


@pytest.mark.parametrize(
    ("path", "value"),
    [("a.b", 1), ("a", {"b": 1}), ("a.c", None), ("a.b.c", None), ("x.y", None), ("list.b", None)],
)
def test_a_value_is_found_by_its_path(path: str, value: Any) -> None:
    assert get_path({"a": {"b": 1}, "list": [{"b": 1}]}, path) == value


@pytest.mark.parametrize("nothing", ODD)
def test_nothing_is_found_in_what_is_no_map(nothing: Any) -> None:
    assert get_path(nothing, "a") is None


def test_the_maps_of_a_list_come_with_their_positions() -> None:
    assert [*maps({"items": [{"a": 1}, None, "b", {}]}, "items")] == [(0, {"a": 1}), (3, {})]
    assert [*maps({"items": {"a": 1}}, "items")] == [*maps({}, "items")] == []


def test_a_condition_is_found_by_its_type() -> None:
    conditions = [None, {}, {"type": "Ready", "status": "True"}, {"type": "Ready", "status": "False"}]
    assert find_condition(conditions, "Ready") == {"type": "Ready", "status": "True"}
    assert find_condition(conditions, "Failed") == {}


@pytest.mark.parametrize("nothing", ODD)
def test_no_condition_is_found_in_a_value_without_one(nothing: Any) -> None:
    assert find_condition(nothing, "Ready") == {}
