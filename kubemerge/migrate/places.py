"""The fields affected by a migration, and finding them in documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.paths import render
from engine.serverside.fields.locator import PathLocator
from engine.serverside.fields.path_elements import MEMBER, to_step
from engine.serverside.typed.items import path_elements_of
from engine.serverside.typed.schema import List, Map
from engine.values.plain import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Owner
    from engine.paths import Steps
    from engine.serverside.fields.trees import Path, Tree
    from engine.serverside.typed.schema import Atom


@dataclass(frozen=True)
class MigratedField:
    """A field affected by a migration. A missing value is None; `owners` are those besides the tool."""

    steps: Steps
    config: Any = None
    live: Any = None
    after: Any = None
    owners: tuple[Owner, ...] = ()

    @property
    def path(self) -> str:
        """The path, as in `spec.containers[name=web].image`."""
        return render(self.steps)


class Values:
    """Finds values of a document by owned paths. Each list is searched once, however many paths lead into it."""

    def __init__(self, document: Any, shape: Atom) -> None:
        self._document, self._shape = document, shape
        self._plain = PathLocator(document)
        self._lists: dict[int, dict[str, int]] = {}

    def at(self, path: Path) -> Any:
        """The value at a path, or None; an element is found by its keys even if some of them have default values."""
        value: Any = self._document
        inner: Atom | None = self._shape
        for element in path:
            part = inner.parts[type(value)] if inner is not None else None
            if element[0] == "f" or type(part) is not List or part.atomic or type(value) is not list:
                value = self._plain.inside(value, element)
                inner = part.atom(element[2:]) if type(part) is Map and element[0] == "f" else None
            else:
                place = self._index(value, part).get(element)
                value, inner = (ABSENT if place is None else value[place]), part.element
            if value is ABSENT:
                return None
        return value

    def _index(self, items: list[Any], part: List) -> dict[str, int]:
        found = self._lists.get(id(items))
        if found is None:
            found = self._lists[id(items)] = {}
            for place, element in enumerate(path_elements_of(items, part)):
                found.setdefault(element, place)
        return found


def without_key(path: Path) -> Path:
    """Replace the path of an identifying key by its element's path."""
    if len(path) < 2 or path[-2][0] != "k":
        return path
    keys = to_step(path[-2])
    return path[:-1] if isinstance(keys, tuple) and path[-1][2:] in dict(keys) else path


def outermost(tree: Tree, above: Path = ()) -> Iterator[Path]:
    """The paths of a set that are not inside its other paths."""
    for element, inner in tree.items():
        if element == MEMBER:
            yield above
        elif MEMBER in inner:
            yield (*above, element)
        else:
            yield from outermost(inner, (*above, element))
