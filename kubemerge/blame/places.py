"""The lines of a file that set the value of a field."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from ..manifests.lines import YAML_BREAK, Lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.paths import Steps

    from ..manifests.objects import Manifest


class Place(NamedTuple):
    """The lines of a value, counted from 1. `alias` is the line of the alias, if an anchor above has the value."""

    lines: tuple[int, ...]
    alias: int | None = None


class Places:
    """The places of the values in one file."""

    def __init__(self, data: bytes) -> None:
        self._lines = Lines(data)
        self._numbers = _line_numbers(data)
        self._texts = data.split(b"\n")

    def has(self, manifest: Manifest) -> bool:
        """Whether the lines of an object are known. Those of JSON documents in one file are not."""
        return self._lines.nodes_of(manifest, ()) is not None

    def of(self, manifest: Manifest, steps: Steps) -> Place | None:
        """The place of a field in an object of the file; None if the file lacks it."""
        pair = self._lines.nodes_of(manifest, steps)
        if pair is None:
            return None
        key, value = pair
        lines = sorted({self._number(line) for line in _lines_of(value)})
        while len(lines) > 1 and not self._texts[lines[-1] - 1].strip():  # below a block of text
            lines.pop()
        is_alias = value.start_mark.line < key.start_mark.line
        return Place(tuple(lines), self._number(key.start_mark.line) if is_alias else None)

    def _number(self, line: int) -> int:
        """The number of a line by line feeds."""
        return line + 1 if not self._numbers else self._numbers[min(line, len(self._numbers) - 1)]


def _line_numbers(data: bytes) -> list[int]:
    """The number of each line of YAML, counted by line feeds, as git and editors do. Empty if both are the same."""
    text = data.decode("utf-8-sig", "replace")
    if not re.search("\r(?!\n)|[\x85\u2028\u2029]", text):
        return []
    numbers = [1]
    for end in YAML_BREAK.finditer(text):
        numbers.append(numbers[-1] + ("\n" in end[0]))
    return numbers


def _lines_of(node: Any) -> Iterator[int]:
    """The lines of a value, counted from 0: of its keys and scalars, also those behind aliases."""
    todo, seen = [node], set[int]()
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        inside = _inside(one)
        todo += inside
        if not inside or one.flow_style:
            first, last = one.start_mark.line, one.end_mark.line
            yield from range(first, max(last if one.end_mark.column else last - 1, first) + 1)


def _inside(node: Any) -> list[Any]:
    """The elements of a list, or the keys and values of a map."""
    if isinstance(node, yaml.SequenceNode):
        return list(node.value)
    return [one for pair in node.value for one in pair] if isinstance(node, yaml.MappingNode) else []
