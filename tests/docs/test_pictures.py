"""The pictures show the current output of the commands. `python -m tests.docs.pictures` regenerates them."""

from __future__ import annotations

import re
import struct
import sys
from xml.etree import ElementTree

import pytest

from .pages import PAGES as TEXTS
from .pages import text_of
from .pictures import FOLDER, PAGES, RECORDINGS, SOURCES, sources
from .recording import COLUMNS, ROWS, drawn, record

AGAIN = "run `python -m tests.docs.pictures`"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no terminals to record")
@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recording_is_what_the_command_prints(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == record(RECORDINGS[name]), AGAIN


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recording_shows_no_code_of_a_terminal(name: str) -> None:
    """The codes of links are an example: they must not be shown as letters either."""
    assert re.findall(r"\]8;|\[\d+m|\x1b", (FOLDER / name).read_text(encoding="utf-8")) == []


@pytest.mark.slow
def test_a_picture_is_of_the_page_that_the_command_writes() -> None:
    assert SOURCES.read_text(encoding="ascii") == sources(), AGAIN
    for name, (_, width, height) in PAGES.items():
        assert struct.unpack(">II", (FOLDER / name).read_bytes()[16:24]) == (width, height)


def test_all_pictures_are_made_and_shown() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {*RECORDINGS, *PAGES, SOURCES.name}
    shown = {name for page in TEXTS for name in re.findall(r"!\[[^\]]+\]\([^)\s]*pictures/([\w.-]+)\)", text_of(page))}
    assert shown == {*RECORDINGS, *PAGES}


def test_a_recording_shows_every_line_in_its_place_and_time() -> None:
    output = "\n".join(
        [*(f"line {number}" for number in range(40)), "\x1b[1m$ second\x1b[0m", "x" * 150, "<&> \x1b[31mred\x1b[0m"]
    )
    root = ElementTree.fromstring(drawn("uvx first", output))
    texts = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:2] == ["$ uvx first", "line 0"]
    assert texts[-4:] == ["$ second", "x" * COLUMNS, "x" * 50, "<&> red"]
    style = "".join(root.itertext())
    assert f"translateY(-{(len(texts) - ROWS) * 19}px)" in style
    assert style.count("@keyframes l") == 4  # two commands, and the output below each
    assert "http" not in drawn("x", "y").replace("http://www.w3.org/2000/svg", "")


def test_a_recording_begins_with_a_full_screen() -> None:
    printed = drawn("uvx first", "\n".join(["a", "$ second", *(f"line {number}" for number in range(40))]))
    (begins,) = set(re.findall(r"linear -([\d.]+)s infinite", printed))
    assert float(begins) > 3, "the second command has printed by then"


def test_an_output_that_has_changed_is_seen() -> None:
    assert drawn("uvx a", "one\n") != drawn("uvx a", "two\n")
