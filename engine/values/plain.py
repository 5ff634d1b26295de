"""JSON values: their types, equality by type, copies, and the text by which the reference compares them."""

from __future__ import annotations

from ..directives import PATCH
from ..errors import BadMergeKey, NotJson, brief
from .floats import text_form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Object = dict[str, Any]

NULL = type(None)
SCALAR_TYPES = frozenset({str, int, bool, float, NULL})
KIND_NAMES = {
    dict: "an object",
    list: "a list",
    str: "a string",
    int: "an integer",
    float: "a float",
    bool: "a boolean",
}


class _Absent:
    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Any = _Absent()
"""Marks a missing field, because None means null."""

JSON_TYPES = frozenset({dict, list, type(ABSENT), *SCALAR_TYPES})
"""The types of plain documents, and of a missing field."""

INT64 = 1 << 63
"""Integers from here on become floats in the reference, which has 64-bit integers. `guard` makes them floats when it
makes plain copies; all else refuses them, so that a function which meets one is called again with plain copies."""


def kind_name(value: object) -> str:
    """The type of a value, for a message."""
    return "null" if value is None else KIND_NAMES.get(type(value), f"a Python {type(value).__name__}")


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal and of the same JSON types; in Python, True == 1 == 1.0."""
    return left == right and same_types(left, right)


def same_types(left: Any, right: Any, barred: object = None) -> bool:
    """Whether values that are == have the same types all the way down, and no map has the `barred` key."""
    kind = type(left)
    if kind is not type(right):
        require_plain(left, right)
        return False
    if kind is dict:
        fields: dict[Any, Any] = left  # with its type, the compiled build goes over it twice as fast
        others: dict[Any, Any] = right
        if barred in fields:
            return False
        for key, value in fields.items():
            if type(value) is not str and not same_types(value, others[key], barred):
                return False
        return True
    if kind is list:
        items: list[Any] = left
        there: list[Any] = right
        for value, other in zip(items, there):  # noqa: B905 - equal lists; mypyc compiles only this one well
            if type(value) is not str and not same_types(value, other, barred):
                return False
        return True
    if kind not in SCALAR_TYPES:
        require_plain(left)
        return False
    return True


def copied(value: Any) -> Any:
    """A deep copy; refuses anything that is not JSON."""
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return value
    if kind is dict:
        fields: dict[Any, Any] = value
        return {
            key if type(key) is str else _bad_key(key): item if type(item) is str else copied(item)
            for key, item in fields.items()
        }
    if kind is list:
        items: list[Any] = value
        return [item if type(item) is str else copied(item) for item in items]
    return _plain_number(value)


def stripped(value: Any, *, nulls: bool) -> Any:
    """A copy without maps that have `$patch` and, unless `nulls` is set, without fields that are null.

    Other directives stay and become data, as in the reference.
    """
    kind = type(value)
    if kind is dict:
        fields = value if nulls else {key: item for key, item in value.items() if item is not None}
        if PATCH in fields:
            return ABSENT
        inner = {key: stripped(item, nulls=nulls) for key, item in fields.items()}
        return {key: item for key, item in inner.items() if item is not ABSENT}
    if kind is list:
        return [item for item in [stripped(item, nulls=nulls) for item in value] if item is not ABSENT]
    return copied(value)


def number(value: Any) -> int | float:
    """An integer or float that JSON can hold; integers beyond 64 bits become floats, as they do in the reference."""
    if type(value) is not int or -INT64 <= value < INT64:
        return _plain_number(value)
    try:
        return float(value)
    except OverflowError:
        raise NotJson(value, "the integer is too large") from None


def _plain_number(value: Any) -> int | float:
    kind = type(value)
    if kind is int:
        return in_64_bits(value)
    if kind is not float:
        raise NotJson(value, f"{kind_name(value)} is not a JSON value")
    if value - value != 0:  # infinities and not-a-number
        raise NotJson(value, f"JSON has no number {value!r}")
    return float(value)


def in_64_bits(value: int) -> int:
    """An integer that stays one in the reference; others are refused."""
    if -INT64 <= value < INT64:
        return value
    raise NotJson(value, "the integer does not fit in 64 bits")


def has_floats(value: Any) -> bool:
    """Whether a value is a float or holds one, at any depth."""
    kind = type(value)
    if kind is dict:
        fields: dict[Any, Any] = value
        for item in fields.values():
            if type(item) is not str and has_floats(item):
                return True
    elif kind is list:
        items: list[Any] = value
        for item in items:
            if type(item) is not str and has_floats(item):
                return True
    return kind is float


def stays_as_text(values: Iterable[Any]) -> bool:
    """Whether values are JSON that does not change by being written and read; floats may change."""
    for value in values:
        kind = type(value)
        if kind is str or kind is bool or value is None:
            continue
        if kind is dict:
            for key in value:
                if type(key) is not str:
                    return False
            if not stays_as_text(value.values()):
                return False
        elif kind is list:
            if not stays_as_text(value):
                return False
        elif kind is not int or abs(value) >= INT64:
            return False
    return True


def require_plain(*values: Any) -> None:
    """Refuse values that look like another type of JSON than they are (an OrderedDict, a tuple, a huge integer).

    Where two types differ, this comes first: after a NotJson, `guard` tries again with plain copies.
    """
    for value in values:
        if type(value) not in JSON_TYPES:
            raise NotJson(value, f"{kind_name(value)} is not a JSON value")
        if type(value) is int:
            in_64_bits(value)


def no_fields(value: Any) -> Object:
    """The fields of a value that is not a map."""
    require_plain(value)
    return {}


def _bad_key(key: object) -> str:
    raise NotJson(key, f"the key {brief(key)} is {kind_name(key)}, but keys must be strings")


def text(value: Any) -> str:
    """The text of a value as Go's `%v` prints it; the reference sorts and pairs elements by it."""
    kind = type(value)
    if kind is str:
        return str(value)
    if kind is float:
        return text_form(value)
    if kind is dict:
        return f"map[{' '.join(f'{key}:{text(value[key])}' for key in sorted(value))}]"
    if kind is list:
        return f"[{' '.join(map(text, value))}]"
    if kind is int:
        return str(in_64_bits(value))
    return _WORDS[value] if kind is bool or value is None else str(value)


_WORDS = {True: "true", False: "false", None: "<nil>"}


def identity(value: Any) -> Any:
    """A dict key for a scalar that tells JSON types apart; strings stand for themselves."""
    kind = type(value)
    if kind is str:
        return value
    if kind is dict or kind is list:
        raise BadMergeKey(value)
    if kind not in SCALAR_TYPES:
        raise NotJson(value, f"{kind_name(value)} is not a JSON value")
    return kind, in_64_bits(value) if kind is int else value


def same_scalar(left: Any, right: Any) -> bool:
    """Whether two scalars are equal by JSON type; comparing two maps or two lists is an error."""
    kind = type(left)
    if kind is not type(right):
        return False
    if kind is dict or kind is list:
        raise BadMergeKey(left)
    return bool(left == right)
