"""Problems as values, and their texts."""

from __future__ import annotations

import pickle

import pytest

from kubemerge.apiserver import Problem, problems
from kubemerge.apiserver.problems import OMITTED, Printed, aggregate_text, body, declarative, text
from kubemerge.apiserver.schemas import problems as custom
from kubemerge.apiserver.schemas.problems import go_text

SELECTOR = {"matchExpressions": [], "matchLabels": {"a": "b"}}


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (problems.required("a"), "a: Required value"),
        (problems.required("a", "why"), "a: Required value: why"),
        (problems.invalid("a[0].b", "<", "why"), 'a[0].b: Invalid value: "<": why'),
        (problems.invalid("a", None, ""), "a: Invalid value: null"),
        (problems.invalid("a", "", ""), 'a: Invalid value: ""'),
        (problems.invalid("a", OMITTED, "why"), "a: Invalid value: why"),
        (problems.invalid("a", Printed("map[]"), "why"), "a: Invalid value: map[]: why"),
        (problems.unsupported("a", "<", ["b", "c"]), 'a: Unsupported value: "\\u003c": supported values: "b", "c"'),
        (problems.unsupported_text("a", "<", ["b"]), 'a: Unsupported value: "<": supported values: "b"'),
        (problems.too_long("a", 1), "a: Too long: may not be more than 1 byte"),
        (problems.too_many("a", 3, 2), "a: Too many: 3: must have at most 2 items"),
        (problems.immutable("a", None), "a: Invalid value: null: field is immutable"),
        (problems.forbidden("a"), "a: Forbidden"),
        (problems.invalid("", 1, "why"), ": Invalid value: 1: why"),
        (problems.verbatim("words", "a"), "a: words"),
        (problems.verbatim("words"), "words"),
        (problems.verbatim("", "a"), "a"),
        (
            problems.immutable("a", SELECTOR),
            'a: Invalid value: {"matchLabels":{"a":"b"},"matchExpressions":[]}: field is immutable',
        ),
        (
            custom.invalid("a", SELECTOR, "why"),
            'a: Invalid value: {"matchExpressions":[],"matchLabels":{"a":"b"}}: why',
        ),
        (custom.invalid("a", 1.0, "why"), "a: Invalid value: 1: why"),
        (custom.wrong_type("a", "b", "why"), 'a: Invalid value: "b": why'),
    ],
)
def test_a_problem_is_printed_as_a_server_prints_it(problem: Problem, said: str) -> None:
    assert text(problem) == str(problem) == said
    assert said.endswith(body(problem))


def test_problems_are_equal_if_their_texts_are() -> None:
    one, other = problems.immutable("a", {"b": [1]}), problems.immutable("a", Printed('{"b":[1]}'))
    assert one == other == declarative(one)
    assert (one != other) is False
    assert list(dict.fromkeys([one, declarative(other)])) == [one]
    assert problems.invalid("a", 1, "") != problems.invalid("a", True, "")
    assert one != str(one)
    assert pickle.loads(pickle.dumps(one)) == one


def test_several_problems_are_listed_in_brackets_each_once() -> None:
    one = problems.required("a")
    assert aggregate_text([one]) == "a: Required value"
    assert aggregate_text([one, problems.required("b")]) == "[a: Required value, b: Required value]"
    assert aggregate_text([one, one]) == "a: Required value"


def test_any_value_as_go_prints_it() -> None:
    assert go_text({"b": 1, "a": [1, "x y", None, True, 1.5, {}]}) == "map[a:[1 x y <nil> true 1.5 map[]] b:1]"
    assert (go_text(float("inf")), go_text(float("-inf")), go_text(float("nan"))) == ("+Inf", "-Inf", "NaN")
