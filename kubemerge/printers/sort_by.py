"""Objects in the order of a field, for `get --sort-by`."""

from __future__ import annotations

import re
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount

from ..apiserver.printers.jsonpath import path
from ..apiserver.printers.jsonpath_steps import BadPath

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..cluster import Object

_PARTS = re.compile(r"[0-9]+|[^0-9]")
_DIGIT = ord("0")


def sorted_by(objects: Iterable[Object], where: str) -> list[Object]:
    """The objects in the order of the values at a path. Those without a value come first."""
    find = path(where)
    found = [(next((value for value in find(one) if value is not None), None), one) for one in objects]
    if found and all(value is None for value, _ in found):
        raise BadPath(f"couldn't find any field with path {where!r} in the list of objects")
    found.sort(key=lambda pair: _order(pair[0]))
    return [one for _, one in found]


def _compared(one: Any, other: Any) -> int:
    """Whether the first comes before the second (-1), after it (1), or neither (0)."""
    left: Any = one is not None
    right: Any = other is not None
    if left and right:
        left, right = _amounts(one, other) or (_natural(str(one)), _natural(str(other)))
    return int(left > right) - int(left < right)


_order = cmp_to_key(_compared)


def _amounts(one: Any, other: Any) -> tuple[Any, Any] | None:
    """Both as quantities, if both can be parsed as such: `500m` is less than `1`."""
    pair = amount(one), amount(other)
    return None if None in pair else pair


def _natural(text: str) -> list[tuple[int, int, str]]:
    """A text whose digits count as numbers: `web-2` before `web-10`."""
    return [_number(part) if "0" <= part[0] <= "9" else (ord(part), 0, "") for part in _PARTS.findall(text)]


def _number(digits: str) -> tuple[int, int, str]:
    """A number of any length: one with more digits is larger."""
    plain = digits.lstrip("0")
    return _DIGIT, len(plain), plain
