"""JSON pointers (RFC 6901): the value at a pointer, or the reason why there is none."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from engine import MergeError
from engine.values.plain import ABSENT, kind_name

_INDEX = re.compile(r"(-?)(0|[1-9][0-9]{0,17})\Z")
_BAD_ESCAPE = re.compile(r"~(?![01])")


class BadPointer(MergeError):
    """An invalid pointer, or one that leads nowhere."""


class PointerTarget(NamedTuple):
    """The target of a pointer."""

    pointer: str
    """The pointer with every index counted from the start of its list."""
    value: Any
    """The value, or ABSENT."""

    @property
    def problem(self) -> str:
        """Return the error for a missing value."""
        return f"there is nothing at {self.pointer}"


def split(pointer: str) -> list[str]:
    """Return the unescaped parts of a pointer."""
    if _BAD_ESCAPE.search(pointer):
        raise BadPointer(f"the ~ in {pointer} means nothing; write ~0 for ~ and ~1 for /")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def find(document: Any, parts: list[str], *, adding: bool = False) -> PointerTarget:
    """Return the place of a pointer, whose parent must exist. `adding` means a place between elements."""
    place = PointerTarget("", document)
    for at, part in enumerate(parts, 1):
        if place.value is ABSENT:
            raise BadPointer(place.problem)
        place = _below(place, part, adding=adding and at == len(parts))
    return place


def _below(place: PointerTarget, part: str, *, adding: bool) -> PointerTarget:
    if isinstance(place.value, dict):
        pointer = f"{place.pointer}/{part.replace('~', '~0').replace('/', '~1')}"
        return PointerTarget(pointer, place.value.get(part, ABSENT))
    if isinstance(place.value, list):
        return _element(place, part, adding=adding)
    raise BadPointer(f"{place.pointer or 'the object'} is {kind_name(place.value)}, and nothing can be below it")


def _element(place: PointerTarget, part: str, *, adding: bool) -> PointerTarget:
    elements = place.value
    places = len(elements) + adding
    if part == "-":
        if not adding:
            raise BadPointer(f"- means the end of the list {place.pointer}, and nothing is there")
        return PointerTarget(f"{place.pointer}/-", ABSENT)
    found = _INDEX.match(part)
    if not found:
        raise BadPointer(f"{place.pointer} is a list, and {part!r} is no index")
    index = int(part) + (places if found[1] else 0)
    if not 0 <= index < places or (found[1] and found[2] == "0"):
        raise BadPointer(f"the index {part} is outside of {place.pointer}, a list of {len(elements)}")
    value = elements[index] if index < len(elements) else ABSENT
    return PointerTarget(f"{place.pointer}/{index}", value)


def size(value: Any, most: int) -> int:
    """Return the number of values in a value, with itself. Counting ends beyond `most`."""
    todo, count = [value], 0
    while todo and count <= most:
        value = todo.pop()
        count += 1
        todo += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return count
