"""Lines fit a terminal, and lose nothing."""

from __future__ import annotations

import random
import re

import pytest

from kubemerge.output.wrapping import fitted, folded, rows_fitted, wide

WORDS = ["a", "the", "spec.template.spec.containers[name=web].image", "x" * 50, '{"a":{"b":"c"}}', "\u4e2d\u6587", "--"]


def bare(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m|\s", "", text)


def test_a_sentence_breaks_between_words_and_goes_on_below_its_beginning() -> None:
    assert [*fitted(["  one two three four five six"], 24)] == ["  one two three four", "    five six"]
    assert [*fitted(["short  line"], 24)] == ["short  line"]


def test_a_path_breaks_before_a_field_and_a_file_behind_a_folder() -> None:
    assert [*fitted(["spec.template.spec.containers[name=web].image"], 24)] == [
        "spec.template.spec",
        "  .containers[name=web]",
        "  .image",
    ]
    assert [*fitted(["one/two/three/four/five/six.yaml"], 24)] == ["one/two/three/four/five/", "  six.yaml"]


def test_a_table_keeps_its_columns() -> None:
    rows = ["  spec.a         one two three four five six seven", "  spec.longer.b  one"]
    assert [*fitted(rows, 44)] == [
        "  spec.a         one two three four five six",
        "                 seven",
        "  spec.longer.b  one",
    ]


def test_a_cell_without_room_has_a_line_of_its_own() -> None:
    rows = [("breaking", "spec.a.very.long.path.of.fields", "the field is gone for good"), ("info", "spec.b", "new")]
    assert [*rows_fitted(rows, 56, "  ")] == [
        "  breaking  spec.a.very.long.path.of.fields",
        "                              the field is gone for good",
        "  info      spec.b            new",
    ]


def test_a_command_can_be_copied() -> None:
    (*first, last) = fitted(["      kubectl apply --server-side --force-conflicts -f deployment.yaml"], 40)
    assert all(line.endswith(" \\") for line in first)
    assert not last.endswith("\\")


def test_colours_take_no_room() -> None:
    red = "\x1b[31mone two\x1b[0m"
    assert wide(red) == 7
    assert [*folded(red, 7)] == [red]
    assert bare("".join(fitted([f"\x1b[1m{'x' * 50}\x1b[0m"], 24))) == "x" * 50
    assert all(wide(line) <= 24 for line in fitted([f"\x1b[1m{'x' * 50}\x1b[0m"], 24))


@pytest.mark.parametrize("width", [24, 60, 80, 200])
def test_no_line_is_too_wide_and_no_sign_is_lost(width: int) -> None:
    chosen = random.Random(width)
    for _ in range(500):
        gaps = [" ", " ", " ", "  ", "   "]
        lines = [
            " " * chosen.randrange(5)
            + "".join(chosen.choice(WORDS) + chosen.choice(gaps) for _ in range(chosen.randrange(12)))
            for _ in range(chosen.randrange(1, 5))
        ]
        for tables in (True, False):
            found = [*fitted(lines, width, tables=tables)]
            assert all(wide(line.rstrip()) <= width for line in found), (lines, found)
            assert bare("".join(found)) == bare("".join(lines))
