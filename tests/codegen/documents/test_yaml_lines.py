"""YAML read line by line has the same values and lines as by the parser, or is left to the parser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from codegen.documents.problems import BadDocument
from codegen.documents.yaml_lines import read_lines
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
    assert repr(read_lines(text)) == repr([*located(text)])


@pytest.mark.parametrize("text", LEFT)
def test_other_yaml_is_left_to_the_parser(text: str) -> None:
    assert read_lines(text) is None


@given(some.lists(PIECES, max_size=25).map("".join))
def test_what_is_read_is_what_the_parser_reads(text: str) -> None:
    text = f"{text}\n"
    found = read_lines(text)
    if found is not None:
        try:
            assert repr(found) == repr([*located(text)])
        except BadDocument as error:
            raise AssertionError(text) from error


def test_places_are_those_of_keys_and_elements() -> None:
    places: dict[int, dict[object, tuple[int, int]]] = {}
    found = read_lines("a: 1\nb:\n  - c: 2\n    d: 3\n  - e\n", places)
    assert found is not None
    content = found[0][1]
    assert places[id(content)] == {"a": (1, 1), "b": (2, 1)}
    assert places[id(content["b"])] == {0: (3, 5), 1: (5, 5)}
    assert places[id(content["b"][0])] == {"c": (3, 5), "d": (4, 5)}


def test_repeated_collections_are_objects_of_their_own() -> None:
    text = "a: {b: [1, {c: d}]}\ne:\n  f: {b: [1, {c: d}]}\n"
    for _ in range(2):
        ((_, found),) = read_lines(text) or [(0, None)]
        assert found == {"a": {"b": [1, {"c": "d"}]}, "e": {"f": {"b": [1, {"c": "d"}]}}}
        found["a"]["b"][1]["c"] = "changed"
        found["e"]["f"]["b"].append("changed")
