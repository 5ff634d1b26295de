"""Path elements as in `fieldsV1`: `f:name`, `k:{"name":"web"}`, `v:"value"`, `i:0`.

Two elements are equal if their normalized texts are.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ...errors import MergeError, brief
from ...values.floats import text_form
from ...values.go_json import decode, encode
from ...values.kept import LONGEST, kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Any

    from ...paths import Step, Steps

MEMBER = "."
"""A key beside the elements inside a path: the path itself is in the set."""

_plain = re.compile(r'[^\x00-\x1f"\\<>&\u2028\u2029]*').fullmatch


class BadFields(MergeError):
    """Owned fields that are not valid `fieldsV1`."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}. Pass fieldsV1 as an API server stored it")


def value_text(value: Any) -> str:
    """The JSON text of a value in a path element."""
    kind = type(value)
    if kind is str and _plain(value):
        return f'"{value}"'
    return str(value) if kind is int else encode(value)


def field_element(name: str) -> str:
    return f"f:{name}"


@lru_cache(maxsize=1 << 15)
def text_key_element(name: str, value: str) -> str:
    """The path element of a list element with one short text key."""
    return key_element([(name, value)])


def key_element(pairs: Iterable[tuple[str, Any]]) -> str:
    """The path element of a list element: its keys, sorted by name."""
    return f"k:{{{','.join([f'{encode(name)}:{value_text(value)}' for name, value in pairs])}}}"


def value_element(value: Any) -> str:
    """The path element of an element of a set."""
    return f"v:{value_text(value)}"


@kept(1 << 15)
def normalize_element(element: str) -> str | None:
    """The path element as API servers write it; None for an unknown kind of element."""
    if len(element) < 2 or element[1] != ":":
        raise BadFields(f"the step {brief(element)} of an owned field has no kind")
    kind, inner = element[0], element[2:]
    try:
        if kind == "i":
            return f"i:{int(inner)}"
        if kind == "v":
            return value_element(decode(inner))
        if kind == "k":
            return key_element(sorted(_pairs(inner)))
    except (MergeError, ValueError, TypeError):
        raise BadFields(f"the step {brief(element)} of an owned field cannot be read") from None
    return element if kind == "f" else None


def _pairs(text: str) -> list[tuple[str, Any]]:
    return [*decode(text).items()] if text.startswith("{") else decode("")


def in_order(elements: Collection[str]) -> list[str]:
    """The path elements in the API server's order: fields, then elements by keys, by value and by position."""
    is_short = max(map(len, elements), default=0) <= LONGEST
    return sorted(elements, key=_known_sort_key if is_short else _sort_key)


def _sort_key(element: str) -> tuple[Any, ...]:
    kind, inner = element[0], element[2:]
    if kind == "k":
        return 2, *[(name, *_rank(value)) for name, value in _pairs(inner)]
    if kind == "v":
        return 3, *_rank(decode(inner))
    return (4, int(inner)) if kind == "i" else (1, inner) if kind == "f" else (0,)


_known_sort_key = lru_cache(maxsize=1 << 15)(_sort_key)


def _rank(value: Any) -> tuple[int, Any]:
    """The order of values: numbers, texts, booleans, lists, maps, null."""
    kind = type(value)
    if kind in (int, float):
        return 0, value
    if kind is str:
        return 1, value
    if kind is bool:
        return 2, value
    return (5, 0) if value is None else (3 if kind is list else 4, encode(value))


@kept(4096)
def to_step(element: str) -> Step:
    """The step of `engine.paths` for a path element."""
    kind, inner = element[0], element[2:]
    if kind == "k":
        return tuple(_pairs(inner))
    if kind == "v":
        return (("", decode(inner)),)
    return int(inner) if kind == "i" else inner


def from_steps(steps: Steps) -> tuple[str, ...]:
    """The path elements for steps of `engine.paths`."""
    return tuple([_element(one) for one in steps])


def _element(one: Step) -> str:
    if isinstance(one, str):
        return field_element(one)
    if isinstance(one, int):
        return f"i:{one}"
    return value_element(one[0][1]) if one and not one[0][0] else key_element(sorted(one))


def format_path(path: Iterable[str]) -> str:
    """A path as the API server prints it: `.spec.containers[name="web"].image`."""
    return "".join([_print_step(to_step(element)) for element in path])


def _print_step(one: Step) -> str:
    if isinstance(one, str):
        return f".{one}"
    if isinstance(one, int):
        return f"[{one}]"
    return f"[{','.join([f'{name}={_value_printed(value)}' for name, value in one])}]"


def _value_printed(value: Any) -> str:
    if type(value) is str:
        return quote_go(value)
    if type(value) in (int, float):
        return text_form(float(value))
    if type(value) is dict:  # a key that fails the check of its type
        return "".join([f"{name}={_value_printed(inner)}" for name, inner in value.items()])
    if type(value) is list:
        return f"[{','.join(map(_value_printed, value))}]"
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


def quote_go(text: str) -> str:
    return f'"{"".join([_ESCAPES.get(letter) or _letter(letter) for letter in text])}"'


def _letter(letter: str) -> str:
    if letter.isprintable():
        return letter
    code = ord(letter)
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
