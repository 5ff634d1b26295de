"""What an apply removes: what its manager applied before and now leaves out, where nobody else owns it.

The reference takes all that was applied before out of the object, puts back what is owned, and puts back what was not
applied before. Here that is done only where something is left out, which gives the same.
"""

from __future__ import annotations

from collections import Counter

from ..fields.elements import MEMBER
from ..fields.trees import EMPTY, difference, intersection, union
from .items import elements_of
from .owned import owned
from .remove import removed, with_named_fields
from .shapes import List, Map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..fields.trees import Tree
    from .shapes import Shape


class Fields:
    """Fields that are owned, with the type of the object in the apiVersion in which they are."""

    __slots__ = ("shape", "tree", "version")

    def __init__(self, tree: Tree, shape: Shape, version: str = "") -> None:
        self.tree, self.shape, self.version = tree, shape, version


class NotHere(Exception):
    """What is left out cannot be told place by place: an element would lose what it is known by."""


def has_empty_list(value: Any) -> bool:
    """Whether there is an empty list in a value; the reference overlooks these, and what holds nothing else."""
    stack = [value]
    while stack:
        inner = stack.pop()
        if type(inner) is list and not inner:
            return True
        stack += [one for one in (inner.values() if type(inner) is dict else inner) if type(one) in (dict, list)]
    return False


def left_out(value: Any, last: Tree, dropped: Tree, own: Tree, sets: list[Tree], shape: Shape) -> Tree:
    """The paths that go.

    `last` was applied before, `own` is applied now, `dropped` is what `own` lacks of `last`; `sets` is owned, in each
    apiVersion. May raise `NotHere`.
    """
    gone: Tree = {}
    rest: Tree = {}
    places = _places(value, shape)
    for element, less in dropped.items():
        if element == MEMBER:
            continue
        now, place = own.get(element), places.get(element)
        if now is None or place is None:
            rest[element] = last[element]
            continue
        inside = [tree.get(element) or EMPTY for tree in sets]
        if below := left_out(place[0], last[element], less, now, inside, place[1]):
            if element[0] == "k" and not _stays(place[0], element, below, value, shape):
                raise NotHere
            gone[element] = below
    return {**gone, **_given_up(value, rest, sets, shape)} if rest else gone


def _stays(item: Any, element: str, gone: Tree, items: Any, shape: Shape) -> bool:
    """Whether an element is still the same one without some of its fields."""
    part = shape.parts[type(items)]
    return type(part) is List and elements_of([removed(item, gone, part.element)], part) == [element]


def _places(value: Any, shape: Shape) -> dict[str, tuple[Any, Shape]]:
    """The values by their steps, with their shapes; elements that are the same one are left out."""
    part = shape.parts[type(value)]
    if type(part) is Map and type(value) is dict:
        return {f"f:{key}": (inner, found) for key, inner in value.items() if (found := part.shape(key)) is not None}
    if type(part) is List and type(value) is list:
        elements = elements_of(value, part)
        times = Counter(elements)
        return {
            element: (item, part.element) for element, item in zip(elements, value, strict=True) if times[element] == 1
        }
    return {}


def _only(value: Any, tree: Tree, shape: Shape) -> Any:
    """The fields or elements of a value that something is said about."""
    part = shape.parts[type(value)]
    if type(value) is dict:
        return {key: inner for key, inner in value.items() if f"f:{key}" in tree}
    if type(value) is list and type(part) is List:
        return [item for element, item in zip(elements_of(value, part), value, strict=True) if element in tree]
    return value


def _given_up(value: Any, last: Tree, sets: list[Tree], shape: Shape) -> Tree:
    """The paths that go, of those that are left out at this very place."""
    value = _only(value, last, shape)
    inside = [Fields({element: tree[element] for element in tree.keys() & last.keys()}, shape) for tree in sets]
    return given_up(value, Fields(last, shape), inside, lambda document, *_: document)


_AT_VERSION = "failed to convert merged object at version"


def given_up(value: Any, last: Fields, owners: list[Fields], turn: Callable[..., Any]) -> Tree:
    """The same by the letter of the reference; `turn` converts a value from one apiVersion to another.

    The value is given in the apiVersion of the last apply, which is that of the first owners if there are any of it.
    """
    before, version = with_named_fields(last.tree, last.shape), last.version
    left, whole = removed(value, before, last.shape), value
    for one in owners:
        whole = turn(whole, version, one.version, f"failed add back owned items: {_AT_VERSION} {one.version}")
        left, version = turn(left, version, one.version), one.version
        kept = union(_named(left, one.shape), with_named_fields(one.tree, one.shape))
        left = removed(whole, difference(_named(whole, one.shape), kept), one.shape)
    left = turn(left, version, last.version)
    return intersection(difference(_named(value, last.shape), _named(left, last.shape)), before)


def _named(value: Any, shape: Shape) -> Tree:
    return with_named_fields(owned(value, shape), shape)
