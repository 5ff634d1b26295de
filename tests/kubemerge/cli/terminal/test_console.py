"""The colours of printed text, and the highlighted words of a difference."""

from __future__ import annotations

import re

import pytest

from kubemerge.apiserver.text.text import ESCAPE
from kubemerge.cli.terminal import colours
from kubemerge.diff.unified import unified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture(autouse=True)
def coloured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)


def difference_in_colours(lines: Sequence[str]) -> list[str]:
    """The printed lines."""
    return [line.replace(ESCAPE, "\x1b") for line in colours.difference_in_colours(lines)]


def test_colours() -> None:
    assert difference_in_colours(list(unified("a\nb\n", "a\nc\n", "x")))[2:] == [
        "\x1b[1m+++ MERGED/x\x1b[0m",
        "\x1b[36m@@ -1,2 +1,2 @@\x1b[0m",
        " a",
        "\x1b[31m-b\x1b[0m",
        "\x1b[32m+c\x1b[0m",
    ]


def marked(before: str, after: str) -> list[str]:
    """The changed lines of a difference, with the highlighted words in brackets."""
    lines = difference_in_colours(list(unified(before, after, "x")))[3:]
    shown = [re.sub("\x1b\\[7m(.*?)\x1b\\[0m", r"[\1]", line) for line in lines]
    return [text for line in shown if (text := re.sub("\x1b\\[[0-9]*m", "", line))[:1] in "+-"]


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        ("a: nginx:1.14.2\n", "a: nginx:1.16.1\n", ["-a: nginx:[1.14.2]", "+a: nginx:[1.16.1]"]),
        ("replicas: 2\n", "replicas: 3\n", ["-replicas: [2]", "+replicas: [3]"]),
        ("a: one\nb: two\n", "b: 2\na: 1\n", ["-a: [one]", "-b: [two]", "+b: [2]", "+a: [1]"]),
        ("a: one two\nb: x\n", "a: one 2\nc: y\n", ["-a: one [two]", "-b: x", "+a: one [2]", "+c: y"]),
        ("- name: x\n  value: a b c\n", "- name: x\n  value: a c\n", ["-  value: a [b ]c", "+  value: a c"]),
        ("quite: different\n", "- nothing\n", ["-quite: different", "+- nothing"]),
        ("gone: 1\nkept: 1\n", "kept: 1\n", ["-gone: 1"]),
    ],
)
def test_changed_words_stand_out(before: str, after: str, wanted: list[str]) -> None:
    found = marked(before, after)
    assert all(line in found for line in wanted), found


def test_the_text_is_the_same_without_colours() -> None:
    before = "".join(f"key{number}: value {number} of {number * 7}\n" for number in range(50))
    after = before.replace("7", "8").replace("key3", "key4")
    lines = list(unified(before, after, "x"))
    assert [re.sub("\x1b\\[[0-9]*m", "", line) for line in difference_in_colours(lines)] == lines


def test_a_very_long_line_is_compared_by_its_ends() -> None:
    words = " ".join(f"w{number}" for number in range(5000))
    (removed, added) = marked(f"a: {words} old {words}\n", f"a: {words} new {words}\n")
    assert "[old]" in removed
    assert "[new]" in added
