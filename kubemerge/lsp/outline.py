"""The field at a position by indentation alone, so that it is found while the text is no valid YAML."""

from __future__ import annotations

import re
from typing import NamedTuple

ELEMENT = None
"""A step into an element of a list."""
_LINE = re.compile(r"(?P<space>[ \t]*)(?P<dashes>(?:-[ \t]+|-$)*)(?P<rest>.*)", re.DOTALL)
_KEY = re.compile(r"""(?P<key>"[^"\n]*"[ \t]*|'[^'\n]*'[ \t]*|-?[^\s#"'{}\[\],&*!|>%@`?:-][^#:\n]*):(?=\s|$)""")
_TYPED_KEY = re.compile(r"""["']?[\w./-]*\Z""")
_BLOCK_TEXT = re.compile(r"(?:[&!]\S+[ \t]+)*[|>][0-9+-]*[ \t]*(?:#.*)?\Z")
MOST_LINES = 10_000
"""Lines above a position that are looked at."""
MOST_STEPS = 100
"""Depth of fields, beyond which none is found."""


class Cursor(NamedTuple):
    """The position of a cursor in an object."""

    path: tuple[str | None, ...]
    """The keys down to the map that has the cursor, or to the value at the cursor. None is an element of a list."""
    prefix: str
    """The text of the key or value before the cursor."""
    start: int
    """The column where this text starts."""
    is_value: bool
    siblings: frozenset[str]
    """The other keys of the same map."""
    values: dict[str, str]
    """The plain values of `apiVersion` and `kind` of the object: of the document, or of the item of a List."""
    at: tuple[str | None, ...]
    """The steps to the object, which are in `path` too."""


class _Row(NamedTuple):
    """A line with its structure."""

    dashes: tuple[int, ...]
    """The columns of dashes."""
    column: int
    """The column of the key, or of other content."""
    key: str | None
    value: str


def cursor_at(lines: list[str], row: int, column: int) -> Cursor | None:
    """The place of a cursor in the lines of a document. None in a comment or a block of text."""
    typed = _typed(lines[row][:column])
    if typed is None:
        return None
    own, prefix, key = typed
    path, siblings = _above(lines, row, own)
    if path is None or len(path) > MOST_STEPS:
        return None
    siblings |= _below(lines, row, own.column)
    steps = (*path, key) if key is not None else path
    found = _object(lines, row, own, steps)
    return Cursor(steps, prefix, column - len(prefix), key is not None, frozenset(siblings), *found)


def _typed(before: str) -> tuple[_Row, str, str | None] | None:
    """The structure of the line before the cursor, the text that is being typed, and the key if it is a value."""
    match = _LINE.match(before)
    if match is None or ("#" in before and _is_comment(before)):
        return None
    row = _row(before)
    found = _KEY.match(match["rest"])
    if found is None:
        text = match["rest"]
        return (row, text, None) if _TYPED_KEY.match(text) else None
    rest = match["rest"][found.end() :]
    value = rest.lstrip(" \t")
    if rest and not rest[:1].isspace():
        return None
    return row, value, _plain(found["key"])


def _is_comment(before: str) -> bool:
    return re.search(r"(?:^|\s)#", before) is not None and before.count('"') % 2 == 0 and before.count("'") % 2 == 0


def _row(line: str) -> _Row:
    match = _LINE.match(line)
    if match is None:
        return _Row((), len(line), None, "")
    start = match.start("dashes")
    dashes = tuple(start + at for at, letter in enumerate(match["dashes"]) if letter == "-")
    found = _KEY.match(match["rest"])
    value = match["rest"][found.end() :].strip() if found else ""
    return _Row(dashes, match.start("rest"), _plain(found["key"]) if found else None, value)


def _plain(key: str) -> str:
    key = key.strip()
    return key[1:-1] if key[:1] in ('"', "'") and len(key) > 1 else key


def _is_empty(line: str) -> bool:
    text = line.strip()
    return not text or text.startswith("#")


def _ends(line: str) -> bool:
    return line.startswith(("---", "..."))


def _above(lines: list[str], row: int, own: _Row) -> tuple[tuple[str | None, ...] | None, set[str]]:
    """The steps to the map of a line, and the keys above it in the same map. No steps in a block of text."""
    steps: list[str | None] = []
    siblings: set[str] = set()
    need, in_list, is_first = own.column, False, True
    for dash in reversed(own.dashes):
        steps.append(ELEMENT)
        need, in_list, is_first = dash, True, False
    for at in range(row - 1, max(-1, row - MOST_LINES), -1):
        line = lines[at]
        if _is_empty(line):
            continue
        if _ends(line):
            break
        one = _row(line)
        if one.key is not None and (one.column < need or (in_list and one.column == need and not one.dashes)):
            if _BLOCK_TEXT.match(one.value):
                return None, siblings
            steps.append(one.key)
            need, in_list, is_first = one.column, False, False
        elif one.key is not None and one.column == need and is_first and not in_list:
            siblings.add(one.key)
        for dash in reversed(one.dashes):
            if dash < need:
                steps.append(ELEMENT)
                need, in_list, is_first = dash, True, False
        if need <= 0 and not in_list:
            break
    return tuple(reversed(steps)), siblings


def _below(lines: list[str], row: int, column: int) -> set[str]:
    """The keys below a line in the same map."""
    found = set()
    for line in lines[row + 1 : row + MOST_LINES]:
        if _is_empty(line):
            continue
        one = _row(line)
        first = one.dashes[0] if one.dashes else one.column
        if _ends(line) or first < column:
            break
        if one.key is not None and one.column == column and not one.dashes:
            found.add(one.key)
    return found


def _object(
    lines: list[str], row: int, own: _Row, steps: tuple[str | None, ...]
) -> tuple[dict[str, str], tuple[str | None, ...]]:
    """The apiVersion and kind of the object that has a line, and the steps to the object."""
    top = _values(lines, 0, len(lines), 0)
    if steps[:2] == ("items", ELEMENT) and top.get("kind", "List").endswith("List"):
        start = _start_of_item(lines, row, own)
        if start is not None:
            column = _row(lines[start]).column
            return _values(lines, start, len(lines), column), steps[:2]
    return top, ()


def _start_of_item(lines: list[str], row: int, own: _Row) -> int | None:
    """The line with the outermost dash above a line."""
    least, found = (own.dashes[0], row) if own.dashes else (own.column, None)
    for at in range(row - 1, max(-1, row - MOST_LINES), -1):
        one = _row(lines[at])
        if _is_empty(lines[at]):
            continue
        if one.dashes and (one.dashes[0] < least or (one.dashes[0] == least and found is None)):
            least, found = one.dashes[0], at
        elif one.key == "items" and not one.dashes and one.column <= least:
            break
    return found


def _values(lines: list[str], start: int, end: int, column: int) -> dict[str, str]:
    """The plain values of apiVersion and kind in a map that starts on a line."""
    found: dict[str, str] = {}
    for at in range(start, end):
        line = lines[at]
        if _is_empty(line):
            continue
        if _ends(line):
            if found or at > start:
                break
            continue
        one = _row(line)
        if at > start and (one.column < column or (one.dashes and one.dashes[0] < column)):
            break
        if one.key in ("apiVersion", "kind") and one.column == column and (at == start or not one.dashes):
            value = re.split(r"\s#", one.value, maxsplit=1)[0].strip()
            found.setdefault(one.key, _plain(value))
        if len(found) == 2:
            break
    return found
