"""The steps of kubectl's JSONPath: functions from the values found so far to the next ones.

Each value found is counted: repeated `..` steps find the same values again and again, and would never end.
"""

from __future__ import annotations

import operator
from itertools import islice
from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.plain import kind_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Step = Callable[[list[Any], "Work"], Iterable[Any]]


class BadPath(MergeError):
    """An invalid JSONPath, or one that does not fit the values.

    `why` has the words of a server. The message also has the rest of the path, if it is known.
    """

    def __init__(self, why: str, rest: str = "") -> None:
        self.why = why
        super().__init__(f"{why} at {rest!r}" if rest else why)


TIMES = 16
"""The average number of times that a path may visit every value of an object."""


class Work:
    """The remaining number of values to find: a minimum, and more for a large object."""

    def __init__(self, value: Any, least: int) -> None:
        self._value, self._left, self._measured = value, least, False

    def take(self, found: Iterable[Any]) -> list[Any]:
        """Count the values and return them. Raise BadPath if there are too many."""
        rest = iter(found)
        taken = list(islice(rest, self._left + 1))
        while len(taken) > self._left:  # the steps inside may have counted some, too
            if self._measured:
                raise BadPath("the path finds too many values; use fewer of `..`, `*` and `[a,b]` behind each other")
            self._measured = True
            self._left += TIMES * _size(self._value)
            taken += islice(rest, max(0, self._left + 1 - len(taken)))
        self._left -= len(taken)
        return taken


def _size(value: Any) -> int:
    """The number of values in a value, at any depth."""
    count, todo = 0, [value]
    while todo:
        inner = _parts(todo.pop())
        count += len(inner)
        todo += inner
    return count


def _parts(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def along(steps: Sequence[Step]) -> Step:
    """Run one step after another."""

    def walked(values: list[Any], work: Work) -> list[Any]:
        for step in steps:
            values = work.take(step(values, work))
        return values

    return walked


def stay(values: list[Any], _: Work) -> list[Any]:
    """`@` and `$`: the values themselves."""
    return values


def constant(value: Any) -> Step:
    """A text, number or boolean in the path."""
    return lambda _, __: [value]


def field(name: str) -> Step:
    """`.name`: that field of each map; `.*` is all of a map or list."""
    if name == "*":
        return lambda values, _: (inner for value in values for inner in _inside(value))
    return lambda values, _: [value[name] for value in values if isinstance(value, dict) and name in value]


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value[key] for key in sorted(value)]
    return value if isinstance(value, list) else []


def below(values: list[Any], _: Work) -> Iterator[Any]:
    """`..`: the values with everything in them, at any depth."""
    for value in values:
        todo = [value]
        while todo:
            found = todo.pop()
            yield found
            todo += reversed(_inside(found))


def union(steps: Sequence[Step]) -> Step:
    """`['a','b']`: the results of each, one after another."""
    return lambda values, work: (found for step in steps for found in step(values, work))


def elements(first: int | None, end: int | None, by: int | None = None) -> Step:
    """`[1:3]`: elements of a list. Negative numbers count from the end."""

    def step(values: list[Any], _: Work) -> Iterator[Any]:
        return (item for value in values if value is not None for item in _cut(_a_list(value), first, end, by))

    return step


def _a_list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise BadPath(f"{kind_name(value)} is not array or slice")
    return value


def _cut(items: list[Any], first: int | None, end: int | None, by: int | None) -> list[Any]:
    size = len(items)
    begin, stop = _from_start(first, 0, size), _from_start(end, size, size)
    if by is not None and by <= 0:
        raise BadPath("step must be > 0")
    if begin == stop:
        return []
    for index in (begin, stop - 1):
        if not 0 <= index < size and (index == begin or stop > size or stop < 0):
            raise BadPath(f"array index out of bounds: index {index}, length {size}")
    if begin > stop:
        raise BadPath(f"starting index {begin} is greater than ending index {stop}")
    return items[begin : stop : by or 1]


def _from_start(index: int | None, otherwise: int, size: int) -> int:
    if index is None:
        return otherwise
    return index + size if index < 0 else index


def element(index: int) -> Step:
    """`[2]`: one element of a list."""
    return elements(index, None if index == -1 else index + 1)


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


def having(left: Step) -> Step:
    """`[?(@.a)]`: the elements in which the path finds something."""
    return _filtered(lambda item, work: bool(left([item], work)))


def comparing(left: Step, sign: str, right: Step) -> Step:
    """`[?(@.a=="b")]`: the elements for which the comparison is true, without those that lack the field."""

    def holds(item: Any, work: Work) -> bool:
        found, wanted = list(left([item], work)), list(right([item], work))
        if len(found) > 1 or len(wanted) > 1:
            raise BadPath("can only compare one element at a time")
        return bool(found and wanted) and _compared(found[0], sign, wanted[0])

    return _filtered(holds)


def _compared(found: Any, sign: str, wanted: Any) -> bool:
    if not (isinstance(found, (str, int, float)) and isinstance(wanted, (str, int, float))):
        raise BadPath("invalid type for comparison")
    if type(found) is not type(wanted):
        raise BadPath("incompatible types for comparison")
    return COMPARISONS[sign](found, wanted)


def _filtered(test: Callable[[Any, Work], bool]) -> Step:
    def step(values: list[Any], work: Work) -> Iterator[Any]:
        return (item for value in values if value is not None for item in _filterable(value) if test(item, work))

    return step


def _filterable(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise BadPath(f"{kind_name(value)} is not array or slice and cannot be filtered")
    return value
