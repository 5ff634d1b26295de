"""The steps of an owned path as `fieldsV1` writes them: `f:name`, `k:{"name":"web"}`, `v:"value"`, `i:0`.

Two steps are the same if their texts are, once each text is in the one form that the API server writes.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...errors import MergeError, brief
from ...values.floats import text_form
from ...values.go_json import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ...paths import Step, Steps

MEMBER = "."
"""Beside the steps inside a path: the path itself is in the set."""

_plain = re.compile(r'[^\x00-\x1f"\\<>&\u2028\u2029]*').fullmatch


class BadFields(MergeError):
    """Owned fields that nobody can have written: not `fieldsV1`."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}. Pass fieldsV1 as an API server stored it")


def value_text(value: Any) -> str:
    """The JSON text of a value in a step."""
    kind = type(value)
    if kind is str and _plain(value):
        return f'"{value}"'
    return str(value) if kind is int else encode(value)


def of_field(name: str) -> str:
    """The step of a field."""
    return f"f:{name}"


@lru_cache(maxsize=1 << 15)
def of_key(name: str, value: str) -> str:
    """The step of an element of a list that one text identifies."""
    return of_keys([(name, value)])


def of_keys(pairs: Iterable[tuple[str, Any]]) -> str:
    """The step of an element of a list: the keys that identify it, sorted by name."""
    return f"k:{{{','.join([f'{encode(name)}:{value_text(value)}' for name, value in pairs])}}}"


def of_value(value: Any) -> str:
    """The step of an element of a set."""
    return f"v:{value_text(value)}"


@lru_cache(maxsize=1 << 15)
def checked(element: str) -> str | None:
    """The step in the one form that API servers write; None for a kind of step from the future."""
    if len(element) < 2 or element[1] != ":":
        raise BadFields(f"the step {brief(element)} of an owned field has no kind")
    kind, inner = element[0], element[2:]
    try:
        if kind == "i":
            return f"i:{int(inner)}"
        if kind == "v":
            return of_value(decode(inner))
        if kind == "k":
            return of_keys(sorted(_pairs(inner)))
    except (MergeError, ValueError, TypeError):
        raise BadFields(f"the step {brief(element)} of an owned field cannot be read") from None
    return element if kind == "f" else None


def _pairs(text: str) -> list[tuple[str, Any]]:
    return [*decode(text).items()] if text.startswith("{") else decode("")


@lru_cache(maxsize=1 << 15)
def order(element: str) -> tuple[Any, ...]:
    """By which steps are sorted: fields, then elements by keys, by value and by position."""
    kind, inner = element[0], element[2:]
    if kind == "k":
        return 2, *[(name, *_rank(value)) for name, value in _pairs(inner)]
    if kind == "v":
        return 3, *_rank(decode(inner))
    return (4, int(inner)) if kind == "i" else (1, inner) if kind == "f" else (0,)


def _rank(value: Any) -> tuple[int, Any]:
    """Values in order: numbers, texts, booleans, lists, maps, null."""
    kind = type(value)
    if kind in (int, float):
        return 0, value
    if kind is str:
        return 1, value
    if kind is bool:
        return 2, value
    return (5, 0) if value is None else (3 if kind is list else 4, encode(value))


@lru_cache(maxsize=4096)
def step(element: str) -> Step:
    """The step of a path of `engine.paths`."""
    kind, inner = element[0], element[2:]
    if kind == "k":
        return tuple(_pairs(inner))
    if kind == "v":
        return (("", decode(inner)),)
    return int(inner) if kind == "i" else inner


def elements(steps: Steps) -> tuple[str, ...]:
    """The steps of a path of `engine.paths`, as `fieldsV1` writes them."""
    return tuple([_element(one) for one in steps])


def _element(one: Step) -> str:
    if isinstance(one, str):
        return of_field(one)
    if isinstance(one, int):
        return f"i:{one}"
    return of_value(one[0][1]) if one and not one[0][0] else of_keys(sorted(one))


def server_text(path: Iterable[str]) -> str:
    """A path as the API server prints it: `.spec.containers[name="web"].image`."""
    return "".join([_printed(step(element)) for element in path])


def _printed(one: Step) -> str:
    if isinstance(one, str):
        return f".{one}"
    if isinstance(one, int):
        return f"[{one}]"
    return f"[{','.join([f'{name}={_value_printed(value)}' for name, value in one])}]"


def _value_printed(value: Any) -> str:
    if type(value) is str:
        return quoted(value)
    if type(value) in (int, float):
        return text_form(float(value))
    return encode(value)


_ESCAPES = {
    "\\": "\\\\",
    '"': '\\"',
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
}


def quoted(text: str) -> str:
    """Text in quotes as Go prints it."""
    return f'"{"".join([_ESCAPES.get(letter) or _letter(letter) for letter in text])}"'


def _letter(letter: str) -> str:
    if letter.isprintable():
        return letter
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
