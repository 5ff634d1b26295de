"""The object and the field at a position of a document."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .documents import LARGEST_DOCUMENT, document_at
from .outline import Cursor, cursor_at
from .parsed import parse

if TYPE_CHECKING:
    from .documents import Document
    from .parsed import Parsed

    Steps = tuple[object, ...]


class Target(NamedTuple):
    """A field of an object. The range covers its key or value."""

    key: tuple[str, str]
    steps: Steps
    """From the object. An element of a list is its position, or None if that is unknown."""
    start: int
    end: int
    content: dict[str, Any]
    """The object as far as it could be read."""


parsed = lru_cache(maxsize=4)(parse)
"""Documents are parsed once. A large one takes much memory, so few are kept."""


def _has_braces(text: str) -> bool:
    return "{{" in text or "{%" in text


def _is_template(text: str) -> bool:
    """Whether a document is a template that cannot be read without rendering."""
    return _has_braces(text) and not parsed(text).is_valid


def target_at(text: str, offset: int) -> Target | None:
    """The field at an offset of a text."""
    document = document_at(text, offset)
    if len(document.text) > LARGEST_DOCUMENT or _is_template(document.text):
        return None
    whole = parsed(document.text)
    found = whole.at(offset - document.offset)
    if found is not None:
        return _of_parsed(whole, found.steps, document.offset + found.start, document.offset + found.end)
    return _of_outline(document, offset)


def _of_parsed(whole: Parsed, steps: tuple[str | int, ...], start: int, end: int) -> Target | None:
    held = whole.object_of(steps)
    if held is None:
        return None
    content, _, rest = held
    key = content.get("apiVersion"), content.get("kind")
    if isinstance(key[0], str) and isinstance(key[1], str):
        return Target((key[0], key[1]), rest, start, end, content)
    return None


def _of_outline(document: Document, offset: int) -> Target | None:
    """The field by indentation, for the text behind an error."""
    lines = document.text.split("\n")
    before = document.text[: offset - document.offset]
    row, column = before.count("\n"), len(before) - before.rfind("\n") - 1
    line = lines[row]
    end = next((at for at in range(column, len(line)) if line[at] in " \t\r:,#"), len(line))
    found = cursor_at(lines, row, end)
    if found is None or not found.prefix:
        return None
    steps = found.path[len(found.at) :]
    steps = steps if found.is_value else (*steps, found.prefix.strip("\"'"))
    key = found.values.get("apiVersion"), found.values.get("kind")
    if not (key[0] and key[1]):
        return None
    start = offset - column + found.start
    return Target((key[0], key[1]), steps, start, start + len(found.prefix), {})


def cursor_in(text: str, offset: int) -> tuple[Document, Cursor] | None:
    """The place of the cursor for completion."""
    document = document_at(text, offset)
    if len(document.text) > LARGEST_DOCUMENT:
        return None
    before = document.text[: offset - document.offset]
    row, column = before.count("\n"), len(before) - before.rfind("\n") - 1
    if _is_template(document.text) and _is_template(_without(document.text, row)):
        return None
    found = cursor_at(document.text.replace("\r", "").split("\n"), row, column)
    return None if found is None else (document, found)


def _without(text: str, row: int) -> str:
    """A document without the text of a line, which may be invalid while it is typed."""
    lines = text.split("\n")
    return text if _has_braces(lines[row]) else "\n".join([*lines[:row], "", *lines[row + 1 :]])
