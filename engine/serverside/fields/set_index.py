"""Lookup of a path in many field sets at once, as of all managers of an object."""

from __future__ import annotations

from .path_elements import MEMBER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .trees import Path, Tree


class _Node:
    """A path element of several sets, with the numbers of the sets that it belongs to."""

    __slots__ = ("inside", "members", "sets", "wholes")

    def __init__(self) -> None:
        self.inside: dict[str, _Node] = {}
        self.sets: list[int] = []
        """Sets that have the path, or a path inside it."""
        self.members: list[int] = []
        """Sets that have the path."""
        self.wholes: list[int] = []
        """Those of them that have no path inside it, so the field is owned as a whole."""


class SetIndex:
    """Finds the sets that contain a path, however many sets there are."""

    __slots__ = ("_root",)

    def __init__(self, sets: Iterable[Tree]) -> None:
        self._root = _Node()
        for number, tree in enumerate(sets):
            _add(self._root, tree, number)

    def containing(self, path: Path) -> list[int]:
        """The numbers of the sets that contain a path."""
        node = self._at(path)
        return node.members if node else []

    def leading_into(self, path: Path) -> list[int]:
        """The numbers of the sets that contain a path, or a path inside it."""
        node = self._at(path)
        return node.sets if node else []

    def _at(self, path: Path) -> _Node | None:
        node: _Node | None = self._root
        for element in path:
            node = node.inside.get(element) if node else None
        return node

    def covering(self, path: Path) -> list[int]:
        """The numbers of the sets that contain a path, or a field around it that is owned as a whole."""
        found: list[int] = []
        node = self._root
        for element in path:
            found += node.wholes
            inside = node.inside.get(element)
            if inside is None:
                return sorted(found)
            node = inside
        return sorted([*found, *node.members])


def _add(node: _Node, tree: Tree, number: int) -> None:
    node.sets.append(number)
    if MEMBER in tree:
        node.members.append(number)
        if len(tree) == 1:
            node.wholes.append(number)
    for element, inner in tree.items():
        if element != MEMBER:
            _add(node.inside.setdefault(element, _Node()), inner, number)
