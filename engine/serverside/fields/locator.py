"""Lookup of owned paths in a document: their values and their order."""

from __future__ import annotations

from ...tables.identity import values_identity
from ...values.plain import ABSENT
from . import trees
from .path_elements import MEMBER, to_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable
    from typing import Any

    from ...paths import Step
    from ...values.plain import Object
    from .trees import Path, Tree

    Index = dict[Hashable, int]


class PathLocator:
    """Finds owned paths in a document. Each list is searched only once, however many paths lead into it."""

    __slots__ = ("_document", "_indexes")

    def __init__(self, document: Object) -> None:
        self._document = document
        self._indexes: dict[tuple[int, tuple[str, ...]], Index] = {}

    def at(self, path: Path) -> Any:
        """The value at a path; ABSENT if there is none."""
        value: Any = self._document
        for element in path:
            value = self.inside(value, element)
        return value

    def inside(self, value: Any, element: str) -> Any:
        """The value of a path's last element, in its parent map or list; ABSENT if there is none."""
        one = to_step(element)
        if isinstance(one, str):
            return value.get(one, ABSENT) if type(value) is dict else ABSENT
        place = self._position(value, one)
        return ABSENT if place is None else value[place]

    def in_order(self, paths: Iterable[Path]) -> list[Path]:
        """The paths in document order; paths without a value come last."""
        return [*self._ordered(trees.of_paths(paths), self._document, ())]

    def _ordered(self, tree: Tree, value: Any, above: Path) -> Iterable[Path]:
        if MEMBER in tree:
            yield above
        inside = [element for element in trees.sorted_elements(tree) if element != MEMBER]
        places: dict[str, int | None]
        if type(value) is dict:
            places = {f"f:{key}": place for place, key in enumerate(value)}
        else:
            places = {element: self._position(value, to_step(element)) for element in inside}
        last = len(places) + len(inside)
        for element in sorted(inside, key=lambda one: last if (place := places.get(one)) is None else place):
            yield from self._ordered(tree[element], self.inside(value, element), (*above, element))

    def _position(self, value: Any, one: Step) -> int | None:
        if type(value) is not list or isinstance(one, str):
            return None
        if isinstance(one, int):
            return one if one < len(value) else None
        names = tuple([name for name, _ in one])
        index = self._indexes.get((id(value), names))
        if index is None:
            index = self._indexes[id(value), names] = _index(value, names)
        return index.get(values_identity([wanted for _, wanted in one]))


def match_set_items(items: list[Any], elements: Iterable[str]) -> list[str | None]:
    """For each list item, the element of a set that it is, or None."""
    known: dict[tuple[str, ...], dict[Hashable, str]] = {}
    for element in elements:
        one = to_step(element) if element[0] in "kv" else None
        if isinstance(one, tuple):
            by_names = known.setdefault(tuple([name for name, _ in one]), {})
            by_names.setdefault(values_identity([wanted for _, wanted in one]), element)
    return [
        next(
            (found for names, by_names in known.items() if (found := by_names.get(_element_identity(item, names)))),
            None,
        )
        for item in items
    ]


def _index(items: list[Any], names: tuple[str, ...]) -> Index:
    """The first position of each list element, by the values of some keys."""
    found: Index = {}
    for place, item in enumerate(items):
        found.setdefault(_element_identity(item, names), place)
    found.pop(None, None)
    return found


def _element_identity(item: Any, names: tuple[str, ...]) -> Hashable:
    """The identity of an element by some keys, or by its value under the empty key; None if it lacks a key."""
    if names == ("",):
        return values_identity([item])
    return (
        values_identity([item[name] for name in names])
        if type(item) is dict and all(name in item for name in names)
        else None
    )
