"""Equality, copies and texts of JSON values."""

from __future__ import annotations

import enum
from collections import OrderedDict
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from engine import BadMergeKey, NotJson
from engine.values.guard import COMPILED
from engine.values.plain import (
    ABSENT,
    ALL_TRAITS,
    FLOATS,
    INT64,
    LARGE,
    copied,
    identity,
    is_stable_json,
    kind_name,
    number,
    same,
    same_scalar,
    same_types,
    strip_directives,
    text,
    traits_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

DIFFERENT = [
    (1, 1.0),
    (1, True),
    (0, False),
    ([1], [True]),
    ([1], [1.0]),
    ([1, 1], [1, 1.0]),
    ({"a": 1}, {"a": 1.0}),
    ({"a": "x", "b": 0}, {"a": "x", "b": False}),
    ({"a": {"b": 1}}, {"a": {"b": True}}),
    ({"a": [{"b": 1}]}, {"a": [{"b": 1.0}]}),
    ([[1]], [[True]]),
    ([[0], [1]], [[0], [True]]),
    ({}, []),
    ([], [None]),
    ({"a": None}, {}),
    ("1", 1),
    (None, False),
]


@pytest.mark.parametrize(("left", "right"), DIFFERENT, ids=repr)
def test_values_of_other_types_are_not_the_same(left: Any, right: Any) -> None:
    assert not same(left, right)
    assert not same(right, left)


@pytest.mark.parametrize(("left", "right"), [((1,), (1,)), ({"a": OrderedDict()}, {"a": {}}), ([OrderedDict()], [{}])])
def test_values_that_are_not_plain_are_not_compared(left: Any, right: Any) -> None:
    for pair in (left, right), (right, left):
        with pytest.raises(NotJson):
            same(*pair)


ALIKE = [1, 1.5, True, None, "a", [], {}, [1, "a", None, [2.0]], {"a": {"b": [1, {"c": False}]}, "d": "e"}]


@pytest.mark.parametrize("value", ALIKE, ids=repr)
def test_a_value_is_the_same_as_its_copy_which_shares_nothing_with_it(value: Any) -> None:
    other = copied(value)
    assert same(value, other)
    assert same_types(value, other, "$patch")
    assert type(other) is type(value)
    assert not isinstance(value, (dict, list)) or other is not value


@pytest.mark.parametrize("value", [{"$patch": 1}, [{"$patch": "delete"}], {"a": {"b": {"$patch": None}}}], ids=repr)
def test_a_barred_key_makes_types_differ(value: Any) -> None:
    assert same(value, copied(value))
    assert not same_types(value, copied(value), "$patch")


KINDS: list[tuple[Any, str]] = [
    (None, "null"),
    ({}, "an object"),
    ([], "a list"),
    ("", "a string"),
    (1, "an integer"),
    (1.0, "a float"),
    (True, "a boolean"),
    ((), "a Python tuple"),
]


@pytest.mark.parametrize(("value", "name"), KINDS)
def test_the_name_of_a_kind(value: Any, name: str) -> None:
    assert kind_name(value) == name


@pytest.mark.parametrize(
    ("value", "kept", "bare"),
    [
        ({"a": None, "b": 1}, {"a": None, "b": 1}, {"b": 1}),
        ({"a": {"$patch": "delete"}, "b": 1}, {"b": 1}, {"b": 1}),
        ({"a": [{"$patch": "delete"}, {"b": None}, None]}, {"a": [{"b": None}, None]}, {"a": [{}, None]}),
        ({"a": {"$patch": None, "b": 1}}, {}, {"a": {"b": 1}}),
        ({"$retainKeys": ["a"]}, {"$retainKeys": ["a"]}, {"$retainKeys": ["a"]}),
    ],
)
def test_maps_with_patch_directives_and_nulls_are_stripped(value: Any, kept: Any, bare: Any) -> None:
    assert strip_directives(value, nulls=True) == kept
    assert strip_directives(value, nulls=False) == bare


def test_map_with_a_patch_directive_is_absent() -> None:
    assert strip_directives({"$patch": "replace"}, nulls=True) is ABSENT


class Number(enum.IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("given", "made"),
    [
        (2**63 - 1, 2**63 - 1),
        (2**63, float(2**63)),
        (-(2**63), -(2**63)),
        (-(2**63) - 1, float(-(2**63))),
        (0, 0),
        (1.5, 1.5),
        (-0.0, 0.0),
    ],
)
def test_numbers_as_in_the_reference(given: Any, made: Any) -> None:
    assert (number(given), type(number(given))) == (made, type(made))


@pytest.mark.parametrize(
    "value", [float("inf"), float("-inf"), float("nan"), 10**400, -(10**400), True, "1", None, Number.ONE, 1j]
)
def test_what_is_not_a_number(value: Any) -> None:
    with pytest.raises(NotJson):
        number(value)


@pytest.mark.parametrize("value", [{1: "a"}, {None: 1}, [{True: 1}], {"a": {"b": {2.0: 3}}}], ids=repr)
def test_a_key_that_is_not_a_text_is_not_copied(value: Any) -> None:
    with pytest.raises(NotJson, match="keys must be strings"):
        copied(value)


TEXTS = [
    (True, "true"),
    (False, "false"),
    (None, "<nil>"),
    ("a", "a"),
    (12, "12"),
    (1.0, "1"),
    (1e6, "1e+06"),
    ([], "[]"),
    ([1, "a", None], "[1 a <nil>]"),
    ({}, "map[]"),
    ({"b": 1, "a": [True]}, "map[a:[true] b:1]"),
]


@pytest.mark.parametrize(("value", "printed"), TEXTS)
def test_the_text_by_which_values_are_sorted(value: Any, printed: str) -> None:
    assert text(value) == printed


@pytest.mark.parametrize("value", [{}, []])
def test_map_or_list_has_no_identity(value: Any) -> None:
    with pytest.raises(BadMergeKey):
        identity(value)
    with pytest.raises(BadMergeKey):
        same_scalar(value, value)


@pytest.mark.parametrize("value", [Decimal(1), (), b"", OrderedDict()])
def test_non_json_has_no_identity(value: Any) -> None:
    with pytest.raises(NotJson):
        identity(value)


def test_only_scalars_of_one_type_are_equal() -> None:
    values = [1, 1.0, True, "1", None, 0, False, ""]
    assert len({identity(value) for value in values}) == len(values)
    assert [[same_scalar(one, other) for other in values] for one in values] == [
        [here == there for there in range(len(values))] for here in range(len(values))
    ]
    assert not same_scalar({}, [])


@pytest.mark.parametrize(
    ("value", "traits"),
    [
        ({"a": ["b", 1, None, True, -1], "c": {}}, 0),
        ({"a": [{"b": 1.0}]}, FLOATS),
        ([[INT64 - 1, 1 << 62, -INT64]], 0),
        ({"a": INT64}, LARGE),
        ([0.5, {"a": {"b": INT64 + 1}}], FLOATS | LARGE),
        ([[[[]]]], 0),
        ([[[{"a": {}}]]], ALL_TRAITS),
        (1.5, FLOATS),
        ("a", 0),
    ],
)
def test_traits(value: Any, traits: int) -> None:
    assert traits_of(value, 4) == traits


CIRCLE: list[Any] = [{}]
CIRCLE[0]["in"] = CIRCLE


@pytest.mark.skipif(COMPILED, reason="no circle gets to compiled code: see test_deep")
@pytest.mark.parametrize(
    "function",
    [
        copied,
        text,
        lambda value: is_stable_json([value]),
        lambda value: same_types(value, value),
        lambda value: strip_directives(value, nulls=False),
    ],
    ids=["copied", "text", "stays_as_text", "same_types", "stripped"],
)
def test_cycle_raises_an_error_that_guard_handles(function: Callable[[Any], Any]) -> None:
    with pytest.raises(RecursionError):
        function(CIRCLE)
