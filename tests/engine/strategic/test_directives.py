"""Invalid directives of a patch are errors with the directive's name."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from tests.conformance.schemas import engine_schema

ITEM = engine_schema("MergeItem")

BAD: dict[str, tuple[Any, str, str]] = {
    # by problem: the patch, the directive, the reason
    "a removal without a name": ({"$deleteFromPrimitiveList": [1]}, "$deleteFromPrimitiveList", "a slash and the name"),
    "an order without a name": ({"$setElementOrder": [1]}, "$setElementOrder", "a slash and the name"),
    "an order that is a map": ({"$setElementOrder/mergingIntList": {}}, "$setElementOrder/mergingIntList", "a list"),
    "retained keys that are a text": ({"retainKeysMap": {"$retainKeys": "a"}}, "$retainKeys", "a list of the keys"),
    "a key that is set and not retained": (
        {"retainKeysMap": {"$retainKeys": ["a"], "name": "b"}},
        "$retainKeys",
        "must list 'name' too",
    ),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_invalid_directive(case: tuple[Any, str, str]) -> None:
    patch, directive, reason = case
    with pytest.raises(engine.BadDirective) as caught:
        engine.apply_patch({"mergingIntList": [1], "retainKeysMap": {"name": "x"}}, patch, ITEM)
    assert caught.value.directive == directive
    assert reason in caught.value.reason


COMBINED: dict[str, tuple[Any, Any, str]] = {
    "two orders of one list": (
        {"$setElementOrder/mergingIntList": [1, 2]},
        {"$setElementOrder/mergingIntList": [2, 1]},
        "$setElementOrder/mergingIntList",
    ),
    "two sets of retained keys": (
        {"retainKeysMap": {"$retainKeys": ["name"], "name": "a"}},
        {"retainKeysMap": {"$retainKeys": ["value"], "value": "b"}},
        "$retainKeys",
    ),
}


@pytest.mark.parametrize("case", COMBINED.values(), ids=COMBINED)
def test_directives_that_differ_cannot_become_one(case: tuple[Any, Any, str]) -> None:
    first, second, directive = case
    with pytest.raises(engine.BadDirective, match="one after the other") as caught:
        engine.merge_patches(first, second, ITEM)
    assert caught.value.directive == directive
    assert engine.merge_patches(first, first, ITEM) == first


def test_nested_order_directive_is_removed_and_others_are_executed() -> None:
    orders = {"$setElementOrder/$setElementOrder/a": [1], "$setElementOrder/a": [1], "$setElementOrder/b": [2, 1]}
    live = {"anyItem": {"a": [1], "b": [1, 2]}}
    assert engine.apply_patch(live, {"anyItem": {**orders, "b": [2, 1]}}, ITEM) == {
        "anyItem": {"$setElementOrder/a": [1], "a": [1], "b": [2, 1]}
    }


def test_a_deletion_from_a_list_with_an_element_without_key() -> None:
    live = {"mergingList": [{"value": 1}, {"name": "a", "value": 2}]}
    with pytest.raises(engine.MissingMergeKey, match="mergingList: an element has no 'name'"):
        engine.apply_patch(live, {"mergingList": [{"name": "a", "$patch": "delete"}]}, ITEM)
