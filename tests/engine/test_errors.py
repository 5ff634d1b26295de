"""What errors say, and the facts that they keep."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.directives import ANNOTATION
from engine.errors import Conflict, brief, spans
from engine.values.go_json import decode

SPANS = [
    ([], ""),
    (["1.7"], "1.7"),
    (["1.7", "1.8"], "1.7 to 1.8"),
    (["1.7", "1.8", "1.9", "1.20"], "1.7 to 1.9 and 1.20"),
    (["1.9", "1.11", "1.12"], "1.9 and 1.11 to 1.12"),
]


@pytest.mark.parametrize(("releases", "text"), SPANS)
def test_releases_in_words(releases: list[str], text: str) -> None:
    assert spans(releases) == text


def test_what_was_given_is_said_in_eighty_letters_at_most() -> None:
    assert brief("a" * 78) == repr("a" * 78)
    assert brief("a" * 79) == "'" + "a" * 76 + "..."
    assert len(brief("a" * 79)) == 80


def test_an_error_says_where_it_happened() -> None:
    error = engine.MergeError("it broke")
    assert (str(error), error.path) == ("it broke", "")
    assert error.within((("name", "web"),)).within("containers") is error
    assert error.path == "containers[name=web]"
    assert str(error) == "containers[name=web]: it broke"


RELEASES = [
    (
        ["1.7", "1.8", "1.9"],
        "supported releases are 1.7 to 1.9. Write a release as 1.9, or as a cluster version: v1.9.1",
    ),
    (["1.7"], "the supported release is 1.7. Write a release as 1.7, or as a cluster version: v1.7.1"),
    ([], "these tables have no releases. Load them without one"),
]


@pytest.mark.parametrize(("known", "text"), RELEASES)
def test_an_unknown_release_says_which_there_are(known: list[str], text: str) -> None:
    error = engine.UnknownRelease("1.3", known)
    assert str(error) == f"no tables for Kubernetes '1.3': {text}"
    assert (error.release, error.known) == ("1.3", tuple(known))


KINDS: list[tuple[dict[str, Any], str]] = [
    (
        {},
        "no kind 'K' of apiVersion 'a/v1'. For a custom resource, add its definition to these tables with overlay()",
    ),
    (
        {"served_in": ["1.7", "1.8"], "release": "1.20"},
        "no kind 'K' of apiVersion 'a/v1' in Kubernetes 1.20. It is served in 1.7 to 1.8",
    ),
    (
        {"near": [("a/v2", "K"), ("b/v1", "L")]},
        "no kind 'K' of apiVersion 'a/v1'. Did you mean K of a/v2 or L of b/v1?",
    ),
    (
        {"near": [("a/v2", "K")], "served_in": ["1.7"]},
        "no kind 'K' of apiVersion 'a/v1'. It is served in 1.7. Did you mean K of a/v2?",
    ),
]


@pytest.mark.parametrize(("facts", "text"), KINDS)
def test_an_unknown_kind_says_where_there_is_one(facts: dict[str, Any], text: str) -> None:
    error = engine.UnknownKind("a/v1", "K", **facts)
    assert str(error) == text
    assert (error.near, error.served_in) == (tuple(facts.get("near", ())), tuple(facts.get("served_in", ())))
    assert error.release == facts.get("release")


def test_an_unknown_kind_of_any_group_names_none() -> None:
    assert str(engine.UnknownKind(None, "K")).startswith("no kind 'K'. For a custom resource")


def test_an_unknown_definition_says_what_may_have_been_meant() -> None:
    assert str(engine.UnknownDefinition("a")) == "no definition 'a'"
    error = engine.UnknownDefinition("a", release="1.9", near=["b", "c"])
    assert str(error) == "no definition 'a' in Kubernetes 1.9. Did you mean b or c?"
    assert error.near == ("b", "c")


def conflict(*steps: str) -> Conflict:
    return Conflict(steps, 1, 2)


OURS = conflict("metadata", "annotations", ANNOTATION)
CONFLICTS = {
    "also changed by another writer: a, b. Use the new values, or overwrite them": [conflict("a"), conflict("b")],
    "also changed by another writer: a. Overwrite them": [conflict("a"), OURS],
    "also changed by another writer: a, b, c, d, e. Use the new values, or overwrite them": [
        conflict(name) for name in "abcde"
    ],
    "also changed by another writer: a, b, c, d, e and 2 more. Use the new values, or overwrite them": [
        conflict(name) for name in "abcdefg"
    ],
}


@pytest.mark.parametrize("text", CONFLICTS)
def test_conflicts_in_a_sentence(text: str) -> None:
    error = engine.ConflictError(CONFLICTS[text])
    assert str(error) == text
    assert error.conflicts == CONFLICTS[text]


def test_conflicts_are_compared_by_place_and_values() -> None:
    assert conflict("a") == conflict("a")
    assert conflict("a") != conflict("b")
    assert Conflict(("a",), 1, 2) != Conflict(("a",), 3, 2)
    assert Conflict(("a",), 1, 2) != Conflict(("a",), 1, 3)
    assert conflict("a") != ("a", 1, 2)


FACTS: list[tuple[type[engine.MergeError], tuple[Any, ...], dict[str, Any]]] = [
    (
        engine.BadFieldPath,
        (
            "a..b",
            "why",
        ),
        {"text": "a..b", "reason": "why"},
    ),
    (
        engine.NotJson,
        (
            {1},
            "why",
        ),
        {"value": {1}},
    ),
    (engine.BadText, ("why",), {"reason": "why"}),
    (engine.NotASchema, (1,), {"value": 1}),
    (
        engine.NotAnObject,
        (
            "config",
            [],
        ),
        {"document": "config", "value": []},
    ),
    (engine.TooDeep, (300,), {"limit": 300}),
    (
        engine.UnknownField,
        (
            "f",
            "T",
        ),
        {"field": "f", "type": "T"},
    ),
    (
        engine.UnexpectedList,
        (
            "f",
            "T",
        ),
        {"field": "f", "type": "T"},
    ),
    (
        engine.BadStrategy,
        (
            "f",
            ["a", "b"],
        ),
        {"field": "f", "strategies": ("a", "b")},
    ),
    (
        engine.MissingMergeKey,
        (
            "k",
            {},
        ),
        {"key": "k", "item": {}},
    ),
    (engine.BadMergeKey, ([],), {"value": []}),
    (engine.MixedElements, (["null"],), {"kinds": ("null",)}),
    (engine.UnknownDirective, ("x",), {"value": "x"}),
    (
        engine.BadDirective,
        (
            "$patch",
            "why",
        ),
        {"directive": "$patch", "reason": "why"},
    ),
    (
        engine.OrderMismatch,
        (
            [1],
            [2],
        ),
        {"patch": [1], "order": [2]},
    ),
    (
        engine.UnclearConflict,
        (
            [1],
            [2],
        ),
        {"ours": [1], "theirs": [2]},
    ),
    (
        engine.PreconditionFailed,
        (
            ["kind"],
            {"kind": 1},
        ),
        {"changed": ("kind",), "patch": {"kind": 1}},
    ),
    (
        engine.RepeatedElement,
        (
            (("name", "a"),),
            (0, 2),
        ),
        {"positions": (0, 2), "path": "[name=a]"},
    ),
    (engine.DirectiveInConfig, ("$patch",), {"directive": "$patch"}),
    (
        engine.BadAnnotation,
        (
            "a",
            "why",
        ),
        {"annotation": "a", "reason": "why"},
    ),
    (engine.GeneratedName, ("web-",), {"prefix": "web-"}),
]


@pytest.mark.parametrize(("kind", "given", "facts"), FACTS, ids=[row[0].__name__ for row in FACTS])
def test_an_error_keeps_its_facts(kind: type[engine.MergeError], given: tuple[Any, ...], facts: dict[str, Any]) -> None:
    error = kind(*given)
    assert {name: getattr(error, name) for name in facts} == facts
    assert str(error)
    assert "\n" not in str(error)


def test_a_field_without_a_type_lies_in_what_has_no_fields() -> None:
    assert str(engine.UnknownField("f", "T")).startswith("T has no field 'f'")
    assert str(engine.UnknownField("f", "T", has_fields=False)).startswith("'f' is in T, which has no fields")


def test_an_element_without_a_key_and_one_of_a_list_without_one() -> None:
    assert str(engine.MissingMergeKey("name", {})).startswith("an element has no 'name'")
    assert str(engine.MissingMergeKey("", {})).startswith("an element cannot be identified")


def test_kinds_of_elements_are_listed() -> None:
    assert str(engine.MixedElements(["a list", "null"])).startswith("elements are a list, null.")
    assert str(engine.MixedElements([])).startswith("all lists are empty")


def test_the_words_of_a_strategy_are_listed() -> None:
    assert "the specification sets the patch strategy of 'f' to 'merge,replace'" in str(
        engine.BadStrategy("f", ["merge", "replace"])
    )


POD = engine.load("1.37").schema("v1", "Pod")
PLACES = {
    # what it is: (before, after, the path of the error)
    "a field in an element": (
        {"spec": {"containers": [{"name": "a", "x": {"y": 1}}]}},
        {"spec": {"containers": [{"name": "a", "x": {"y": 2}}]}},
        "spec.containers[name=a].x",
    ),
    "what is no JSON is the same on both sides": (
        {"spec": {"hostname": {1}}},
        {"spec": {"hostname": {1}}},
        "spec.hostname",
    ),
}


@pytest.mark.parametrize(("before", "after", "path"), PLACES.values(), ids=PLACES)
def test_a_patch_that_cannot_be_made_says_where(before: Any, after: Any, path: str) -> None:
    with pytest.raises(engine.MergeError) as caught:
        engine.two_way_patch(before, after, POD)
    assert caught.value.path == path


def test_a_document_with_more_behind_it_says_where_it_begins() -> None:
    with pytest.raises(engine.BadText, match="more text after the document, at character 3"):
        decode("{} x")
