"""JSON values: their types, equality by type, copies, and the text by which the reference compares them."""

from __future__ import annotations

from ..directives import PATCH
from ..errors import BadMergeKey, NotJson, brief
from .floats import text_form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final

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
"""The types in plain documents, including the marker of a missing field."""

INT64 = 1 << 63
"""From this value on, integers become floats in the reference, which has 64-bit integers. `guard` converts them when it
makes plain copies. Other code rejects them, so the calling function runs again on plain copies.
"""
_SHORT_INT: Final = (1 << 62) - 1
"""The compiled build compares integers up to this one in one instruction."""


def kind_name(value: object) -> str:
    """The type of a value, for a message."""
    return "null" if value is None else KIND_NAMES.get(type(value), f"a Python {type(value).__name__}")


def same(left: Any, right: Any) -> bool:
    """True if two values are equal and of the same JSON types; in Python, True == 1 == 1.0."""
    return left == right and same_types(left, right)


def same_types(left: Any, right: Any, barred: object = None) -> bool:
    """True if values that are == have the same types all the way down, and no map has the `barred` key."""
    kind = type(left)
    if kind is not type(right):
        require_plain(left, right)
        return False
    if kind is dict:
        fields: dict[Any, Any] = left  # with its type, the compiled build iterates twice as fast
        others: dict[Any, Any] = right
        if barred in fields:
            return False
        for key, value in fields.items():
            kind = type(value)
            if kind is str or (kind is int and type(others[key]) is int):
                continue
            if not same_types(value, others[key], barred):
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
    """A deep copy; an error for anything that is not JSON."""
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


def is_within(value: Any, levels: int) -> bool:
    """Whether a value has at most so many levels of maps and lists. Values that contain themselves are safe."""
    if isinstance(value, dict):
        fields: dict[Any, Any] = value
        if levels == 0:
            return False
        for item in fields.values():
            if not isinstance(item, (str, int)) and not is_within(item, levels - 1):
                return False
    elif isinstance(value, list):
        items: list[Any] = value
        if levels == 0:
            return False
        for item in items:
            if not isinstance(item, (str, int)) and not is_within(item, levels - 1):
                return False
    return True


FLOATS, LARGE, DEEP = 1, 2, 4
"""Traits of decoded values: floats, integers of 2**63 and above, and more levels of maps and lists than allowed."""
ALL_TRAITS = FLOATS | LARGE | DEEP


def traits_of(value: Any, levels: int) -> int:
    """The traits of a decoded value; all of them if it has more than so many levels."""
    found = 0
    if isinstance(value, dict):  # compiled, this is faster than a comparison of types
        fields: dict[Any, Any] = value
        if levels == 0:
            return ALL_TRAITS
        for item in fields.values():
            if not isinstance(item, str):
                found |= traits_of(item, levels - 1)
    elif isinstance(value, list):
        items: list[Any] = value
        if levels == 0:
            return ALL_TRAITS
        for item in items:
            if not isinstance(item, str):
                found |= traits_of(item, levels - 1)
    elif isinstance(value, int):
        found = LARGE if value > _SHORT_INT and value >= INT64 else 0
    elif isinstance(value, float):
        found = FLOATS
    return found


def strip_directives(value: Any, *, nulls: bool) -> Any:
    """A copy without maps that contain `$patch` and, unless `nulls` is set, without null fields.

    Other directives stay and become data, as in the reference.
    """
    kind = type(value)
    if kind is dict:
        fields = value if nulls else {key: item for key, item in value.items() if item is not None}
        if PATCH in fields:
            return ABSENT
        inner = {key: strip_directives(item, nulls=nulls) for key, item in fields.items()}
        return {key: item for key, item in inner.items() if item is not ABSENT}
    if kind is list:
        return [item for item in [strip_directives(item, nulls=nulls) for item in value] if item is not ABSENT]
    return copied(value)


def drop_nulls(value: Any) -> Any:
    """The value without null fields; nulls in lists stay."""
    if type(value) is dict:
        return {key: drop_nulls(item) for key, item in value.items() if item is not None}
    if type(value) is list:
        return [drop_nulls(item) for item in value]
    return value


def number(value: Any) -> int | float:
    """An integer or float that JSON can hold; integers beyond 64 bits become floats, as in the reference."""
    if type(value) is not int or -INT64 <= value < INT64:
        return _plain_number(value)
    try:
        return float(value)
    except OverflowError:
        raise NotJson(value, "the integer is too large") from None


def _plain_number(value: Any) -> int | float:
    kind = type(value)
    if kind is int:
        return require_64_bits(value)
    if kind is not float:
        raise NotJson(value, f"{kind_name(value)} is not a JSON value")
    if value - value != 0:  # infinities and not-a-number
        raise NotJson(value, f"JSON has no number {value!r}")
    return float(value)


def require_64_bits(value: int) -> int:
    """An integer that stays one in the reference; an error for others."""
    if -INT64 <= value < INT64:
        return value
    raise NotJson(value, "the integer does not fit in 64 bits")


def has_floats(value: Any) -> bool:
    """True if a value is a float or contains one, at any depth."""
    kind = type(value)
    if kind is dict:
        fields: dict[Any, Any] = value
        for item in fields.values():
            kind = type(item)
            if kind is not str and kind is not int and has_floats(item):
                return True
        return False
    if kind is list:
        items: list[Any] = value
        for item in items:
            if type(item) is not str and has_floats(item):
                return True
    return kind is float


def is_stable_json(values: Iterable[Any]) -> bool:
    """True if values are JSON that survives a round trip unchanged; floats may change."""
    for value in values:
        kind = type(value)
        if kind is str or kind is bool or value is None:
            continue
        if kind is dict:
            for key in value:
                if type(key) is not str:
                    return False
            if not is_stable_json(value.values()):
                return False
        elif kind is list:
            if not is_stable_json(value):
                return False
        elif kind is not int or abs(value) >= INT64:
            return False
    return True


def require_plain(*values: Any) -> None:
    """Raise an error for values whose type only resembles a JSON type (an OrderedDict, a tuple, a huge integer).

    Called first where two types differ: after a NotJson, `guard` tries again with plain copies.
    """
    for value in values:
        if type(value) not in JSON_TYPES:
            raise NotJson(value, f"{kind_name(value)} is not a JSON value")
        if type(value) is int:
            require_64_bits(value)


def no_fields(value: Any) -> Object:
    """The fields of a value that is not a map: an empty map, or an error."""
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
        return str(require_64_bits(value))
    return _WORDS[value] if kind is bool or value is None else str(value)


_WORDS = {True: "true", False: "false", None: "<nil>"}


def identity(value: Any) -> Any:
    """A dict key for a scalar that distinguishes JSON types; strings stand for themselves."""
    kind = type(value)
    if kind is str:
        return value
    if kind is dict or kind is list:
        raise BadMergeKey(value)
    if kind not in SCALAR_TYPES:
        raise NotJson(value, f"{kind_name(value)} is not a JSON value")
    return kind, require_64_bits(value) if kind is int else value


def same_scalar(left: Any, right: Any) -> bool:
    """True if two scalars are equal by JSON type; comparing two maps or two lists is an error."""
    kind = type(left)
    if kind is not type(right):
        return False
    if kind is dict or kind is list:
        raise BadMergeKey(left)
    return bool(left == right)
