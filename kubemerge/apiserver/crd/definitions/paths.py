"""Paths in a definition: in rules, selectable fields, and the scale subresource."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ...problems import Problem, required, too_many
from ...schemas.problems import duplicate, invalid
from ...unchecked import as_map

if TYPE_CHECKING:
    from collections.abc import Iterator

Raw = dict[str, Any]
_WORDS = re.compile(r"'(?:\\.|[^'\\])*'|[.\[\]]|[^.\[\]]+", re.DOTALL)
ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "'": "'", "\\": "\\"}
MOST_SELECTABLE = 8
SELECTABLE = ("string", "boolean", "integer")
END = "unexpected end of JSON path"


class ResolvedPath(NamedTuple):
    """A path as messages write it, and its schema."""

    at: str
    raw: Raw


def field_path(path: str, raw: Raw, *, brackets: bool = True) -> ResolvedPath | str:
    """Resolve a path such as `.spec.ports` in a schema. Return a text with the error if it does not exist."""
    words = iter(_WORDS.findall(path))
    at = ""
    for word in words:
        name = next(words, None)
        if word == ".":
            if name is None:
                return END
        elif word == "[":
            if not brackets:
                return "array notation is not allowed"
            if name is None:
                return END
            if len(name) < 2 or not (name[0] == name[-1] == "'"):
                return f"expected single quoted string but got {name}"
            name = re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], ""), name[1:-1])
            closing = next(words, None)
            if closing != "]":
                return END if closing is None else f"expected ] but got {closing}"
        else:
            return f"expected [ or . but got: {word}"
        step = _step(raw, name)
        if step is None:
            return "does not refer to a valid field"
        raw, named = step
        at = (f"{at}.{name}" if at else name) if named else f"{at}[{name}]"
    return ResolvedPath(at, raw)


def _step(raw: Raw, name: str) -> tuple[Raw, bool] | None:
    properties = raw.get("properties")
    if properties:
        return (as_map(properties[name]), True) if name in properties else None
    extra = raw.get("additionalProperties")
    return (extra, False) if isinstance(extra, dict) else None


def selectable(fields: list[Raw], raw: Raw, at: str, *, any_number: bool = False) -> Iterator[Problem]:
    """Validate selectable fields."""
    seen: set[str] = set()
    for index, one in enumerate(fields):
        path, place = one.get("jsonPath") or "", f"{at}[{index}].jsonPath"
        if not path:
            yield required(place)
            continue
        found = field_path(path, raw, brackets=False)
        if isinstance(found, str):
            yield invalid(place, path, f"is an invalid path: {found}")
            continue
        if found.at.partition(".")[0].partition("[")[0] == "metadata":
            yield invalid(place, path, "must not point to fields in metadata")
        if found.raw.get("type") not in SELECTABLE:
            why = "must point to a field of type string, boolean or integer."
            yield invalid(place, path, f"{why} Enum string fields and strings with formats are allowed.")
        if found.at in seen:
            yield duplicate(place, path)
        seen.add(found.at)
    if len(seen) > MOST_SELECTABLE and not any_number:
        yield too_many(at, len(seen), MOST_SELECTABLE)


def simple(path: str, at: str) -> Iterator[Problem]:
    """Validate the path of a column or of the scale subresource."""
    if not path.startswith("."):
        yield invalid(at, path, "must be a simple json path starting with .")
