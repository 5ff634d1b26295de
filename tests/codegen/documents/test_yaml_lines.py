"""YAML read line by line has the same values and lines as by the parser, or is left to the parser."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from codegen.documents.problems import BadDocument
from codegen.documents.yaml_lines import read_lines
from codegen.documents.yaml_scalars import OtherYaml
from codegen.documents.yaml_text import located

READ = [
    "a: 1\n",
    "# comment\n\n---\na: b\nc:\n  d: 'it''s'\n  e: \"x\\ny\"\n---\na: 2\n",
    "a:\n- b\n- c: 1\n  d: yes\n-  e: null\nf:\n  - - 1\n    - 0x1F\n",
    "a: |\n  one\n\n   two\nb: |-\n  three\n\n\nc: ~\n",
    "a: one\n  two\n  three\nb: 'one\n  two'\nc: \"one\n  two\"\n",
    "a: {b: c, d: [1, 'x', {}], \"e\": []}  # comment\nb: x#y # comment\n",
    "a:\nb: -1.5\nc: -x\nd: é\n",
    "- a: b\n- |\n  text\n-\n  c: d\n",
]
LEFT = [
    "",
    "text\n",
    "a: b\n c: d\n",
    "a: 1\na: 2\n",
    "a: &x 1\nb: *x\n",
    "a: !!str 1\n",
    "1: a\n",
    "yes: a\n",
    "<<: {a: b}\n",
    "a: {b: 1, b: 2}\n",
    "a: [1,\n  2]\n",
    "a: >\n  x\n",
    "a:\tb\n",
    "a: b\r\n",
    "a: .inf\n",
    "---\n---\na: b\n",
    "a: b: c\n",
    "a: {x?: 1}\n",
    f"a: {'[' * 70}{']' * 70}\n",
    "a: \u2028\n",
]
PIECES = some.sampled_from(
    [
        *"ab:-#'\"{}[],|> \n",
        "\n  ",
        "\n",
        ": ",
        "- ",
        " #",
        "a: b\n",
        "---\n",
        "c: d\n---\n",
        "- a\n",
        "|\n  x\n",
        "true",
        "1",
        "'x'",
        '"x"',
        "é",
    ]
)


@pytest.mark.parametrize("text", READ)
def test_simple_yaml_is_read_like_by_the_parser(text: str) -> None:
    assert repr([*read_lines(text)]) == repr([*located(text)])


@pytest.mark.parametrize("text", LEFT)
def test_other_yaml_is_left_to_the_parser(text: str) -> None:
    with pytest.raises(OtherYaml):
        [*read_lines(text)]


@given(some.lists(PIECES, max_size=25).map("".join))
def test_what_is_read_is_what_the_parser_reads(text: str) -> None:
    text = f"{text}\n"
    found: list[tuple[int, Any]] = []
    is_whole = False
    with suppress(OtherYaml):
        found.extend(read_lines(text))
        is_whole = True
    try:
        expected = [*located(text)] if is_whole else [*islice(located(text), len(found))]
    except BadDocument as error:
        raise AssertionError(text) from error
    assert repr(found) == repr(expected)


def test_places_are_those_of_keys_and_elements() -> None:
    places: dict[int, dict[object, tuple[int, int]]] = {}
    text = "# a comment\n---\nz: 1\n---\na: 1\nb:\n  - c: 2\n    d: 3\n  - e\n"
    _, (line, content) = read_lines(text, places)
    assert line == 5
    assert places[id(content)] == {"a": (5, 1), "b": (6, 1)}
    assert places[id(content["b"])] == {0: (7, 5), 1: (9, 5)}
    assert places[id(content["b"][0])] == {"c": (7, 5), "d": (8, 5)}


def test_repeated_collections_are_objects_of_their_own() -> None:
    text = "a: {b: [1, {c: d}]}\ne:\n  f: {b: [1, {c: d}]}\n"
    for _ in range(2):
        ((_, found),) = read_lines(text)
        assert found == {"a": {"b": [1, {"c": "d"}]}, "e": {"f": {"b": [1, {"c": "d"}]}}}
        found["a"]["b"][1]["c"] = "changed"
        found["e"]["f"]["b"].append("changed")
