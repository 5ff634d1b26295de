"""Positions and changes of text, compared with UTF-16 text that is edited as the protocol describes."""

from __future__ import annotations

import random
import re

import pytest

from kubemerge.lsp.text import UTF_8, UTF_16, UTF_32, Change, Place, Text, units

PARTS = ("a", "é", "😀", "\n", "\r\n", "\r", "\t", " ", "\u2028", "\x85", "\x0c", "\ud800", "---\n", "k: v\n", "\0")


def lines_of(text: str) -> list[str]:
    """The lines with their breaks, as the protocol counts them."""
    found = re.split("(\r\n|\n|\r)", text)
    return ["".join(found[at : at + 2]) for at in range(0, len(found), 2)]


def expected_offset(text: str, place: Place, encoding: str) -> int:
    """The offset of a position, found by encoding the line."""
    lines = lines_of(text)
    if place.line >= len(lines):
        return len(text)
    line = re.sub("[\r\n]+$", "", lines[place.line])
    count = 0
    while count < len(line) and units(line[:count], encoding) < place.character:
        count += 1
    return sum(map(len, lines[: place.line])) + count


@pytest.mark.parametrize("encoding", [UTF_8, UTF_16, UTF_32])
def test_random_changes(encoding: str) -> None:
    chance = random.Random(7)
    for _ in range(300):
        text = Text("".join(chance.choices(PARTS, k=chance.randrange(30))), encoding)
        for _ in range(5):
            places = sorted(Place(chance.randrange(6), chance.randrange(8)) for _ in range(2))
            new = "".join(chance.choices(PARTS, k=chance.randrange(4)))
            start, end = (expected_offset(text.text, place, encoding) for place in places)
            after = text.text[: min(start, end)] + new + text.text[max(start, end) :]
            text = text.changed(Change(places[0], places[1], new))
            assert text.text == after
            assert text.line_count == len(lines_of(after))


@pytest.mark.parametrize("encoding", [UTF_8, UTF_16, UTF_32])
def test_places_lead_back_to_their_offsets(encoding: str) -> None:
    chance = random.Random(8)
    for _ in range(200):
        text = Text("".join(chance.choices(PARTS, k=20)), encoding)
        for offset in range(len(text.text) + 1):
            back = text.offset(text.place(offset))
            assert back == offset or text.text[back : back + 2] == "\r\n"  # between the two characters of a break


def test_units() -> None:
    assert [units("aé😀", one) for one in (UTF_8, UTF_16, UTF_32)] == [7, 4, 3]
