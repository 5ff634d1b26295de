"""Paths as steps and as text."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from engine.paths import ELEMENT, join, parse, parse_fields, render

RENDERED: list[tuple[tuple[Any, ...], str]] = [
    ((), "."),
    (("spec",), "spec"),
    (("spec", "replicas"), "spec.replicas"),
    (("spec", "containers", (("name", "web"),), "image"), "spec.containers[name=web].image"),
    (("spec", "ports", (("port", 80), ("protocol", "TCP"))), "spec.ports[port=80,protocol=TCP]"),
    (("args", 0), "args[0]"),
    (("args", 0, 1), "args[0][1]"),
    ((0,), "[0]"),
    (("labels", "a.b/c"), 'labels["a.b/c"]'),
    (("labels", "a/c"), "labels.a/c"),
    (("labels", ""), 'labels[""]'),
    (("labels", "a b"), 'labels["a b"]'),
    (("labels", 'a"b'), r'labels["a\"b"]'),
    (("labels", "a]b"), 'labels["a]b"]'),
    (("labels", "a\nb"), r'labels["a\nb"]'),
    (("labels", "\u202e"), r'labels["\u202e"]'),
    (("labels", "\ud800"), r'labels["\ud800"]'),
    (("grün",), "grün"),
    (("a.b",), '["a.b"]'),
    (("finalizers", (("", "x"),)), "finalizers[=x]"),
    (("finalizers", (("", "a.b"),)), 'finalizers[="a.b"]'),
    (("x", (("k", "80"),)), 'x[k="80"]'),
    (("x", (("k", 80),)), "x[k=80]"),
    (("x", (("k", "-1"),)), 'x[k="-1"]'),
    (("x", (("k", "true"),)), 'x[k="true"]'),
    (("x", (("k", True),)), "x[k=true]"),
    (("x", (("k", "null"),)), 'x[k="null"]'),
    (("x", (("k", None),)), "x[k=null]"),
    (("x", (("k", 1.5),)), "x[k=1.5]"),
    (("x", (("k", ""),)), 'x[k=""]'),
    (("x", (("k", "a,b=c"),)), 'x[k="a,b=c"]'),
]


@pytest.mark.parametrize(
    ("steps", "text"), RENDERED, ids=[row[1].encode("ascii", "replace").decode() for row in RENDERED]
)
def test_steps_as_text(steps: tuple[Any, ...], text: str) -> None:
    assert render(steps) == text
    assert render(steps).isprintable()


PARSED: list[tuple[str, list[object]]] = [
    ("", []),
    ("a", ["a"]),
    ("a.b.c", ["a", "b", "c"]),
    ("a[]", ["a", ELEMENT]),
    ("a[3].b", ["a", ELEMENT, "b"]),
    ("a[name=web].b", ["a", ELEMENT, "b"]),
    ('a[name="x]y"].b', ["a", ELEMENT, "b"]),
    ('a["b.c"].d', ["a", "b.c", "d"]),
    ('a["b"]["c"]', ["a", "b", "c"]),
    ('["a"]', ["a"]),
    (r'a["b\"c]"]', ["a", 'b"c]']),
    ('a[""]', ["a", ""]),
    ("[0][1]", [ELEMENT, ELEMENT]),
    ("a/b.c-d", ["a/b", "c-d"]),
    ("a b", ["a b"]),
    ("*.x", ["*", "x"]),
]


@pytest.mark.parametrize(("text", "fields"), PARSED, ids=[row[0] for row in PARSED])
def test_the_fields_of_a_path(text: str, fields: list[object]) -> None:
    assert parse_fields(text) == fields


@given(some.lists(some.text(max_size=8), max_size=5))
def test_fields_survive_a_round_trip(names: list[str]) -> None:
    path = ""
    for name in names:
        path = join(path, name)
    assert parse_fields(path) == names
    assert path.isprintable()


@given(some.text(alphabet='.[]"\\=a,0', max_size=12))
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert all(field is ELEMENT or isinstance(field, str) for field in parse_fields(text))


def test_an_element_whose_key_holds_quotes_and_brackets() -> None:
    value = 'a"]["b'
    assert parse_fields(render(("x", (("k", value),), "y"))) == ["x", ELEMENT, "y"]
    assert json.dumps(value) in render(("x", (("k", value),)))


TYPED: dict[str, Any] = {"127.0.0.1": "127.0.0.1", "2048-game": "2048-game", "80": 80, '"80"': "80", "true": True}


@pytest.mark.parametrize("text", TYPED)
def test_the_value_of_a_key_as_it_is_typed(text: str) -> None:
    assert parse(f"x[k={text}]") == ("x", (("k", TYPED[text]),))


NOT_AN_ELEMENT = {
    "a[web]": "does not name an element",
    "a[]": "does not name an element",
    "a[b=1,c]": "does not name an element",
    "a[²]": "does not name an element",
    "a[k=1": "not closed",
    f"a[{'9' * 19}]": "exceeds the length of any list",
    "a..b": "a field name was expected at character 3",
}


@pytest.mark.parametrize("text", NOT_AN_ELEMENT)
def test_empty_element_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=NOT_AN_ELEMENT[text]):
        parse(text)


@pytest.mark.parametrize(("steps", "text"), [row for row in RENDERED if row[0]], ids=lambda one: ascii(one)[:30])
def test_rendered_path_is_parsed_back(steps: tuple[Any, ...], text: str) -> None:
    assert parse(text) == steps
