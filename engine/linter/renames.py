"""Elements whose merge key was changed: match new elements with the live elements they probably come from."""

from __future__ import annotations

from collections import Counter

from ..values.plain import identity
from .values import covers, is_there, items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from typing import Any

    from ..tables.identity import Keys
    from .context import LintContext
    from .field_values import FieldValues

    Leaves = frozenset[Hashable]


def match_renamed(context: LintContext, place: FieldValues, keys: Keys) -> list[tuple[Any, Any]]:
    """Pairs of a live element that stays and the new config element that was probably made from it."""
    if keys.merge_key is None or place.replaced or not context.merges(place.rule):
        return []
    config, live, last = items(place.config), items(place.live), items(place.last)
    before = {None, *(keys.merged_by(item) for item in live)}
    mine = {None, *(keys.merged_by(item) for item in (*config, *last))}
    new = [item for item in config if type(item) is dict and keys.merged_by(item) not in before]
    old = [item for item in live if type(item) is dict and keys.merged_by(item) not in mine]
    if len(new) == len(old) == 1 and len(config) == len(live):
        alike = _has_same_name(keys.merge_key, old[0], new[0]) or covers(old[0], _rest(keys.merge_key, new[0]))
        return [(old[0], new[0])] if alike else []
    candidates = _Candidates(keys.merge_key, new)
    return [(item, match) for item in old if (match := candidates.take(item)) is not None]


class _Candidates:
    """New elements to match with live elements, each once: by name, or by all fields except the merge key.

    Everything is indexed, because lists of thousands of elements may be renamed at once.
    """

    def __init__(self, key: str, new: list[dict[str, Any]]) -> None:
        self._key, self._new = key, new
        self._taken: set[int] = set()
        self._by_name: dict[str, list[int]] = {}
        self._by_leaves: dict[Leaves, list[int]] = {}
        for at in reversed(range(len(new))):  # reversed, because the first is popped from the end
            name, rest = new[at].get("name"), _rest(key, new[at])
            if key != "name" and is_there(name) and type(name) is str:
                self._by_name.setdefault(name, []).append(at)
            if len(rest) > 1:
                self._by_leaves.setdefault(frozenset(_leaves(rest)), []).append(at)
        self._by_rarest = self._rarest()

    def _rarest(self) -> dict[Hashable, list[Leaves]]:
        """The distinct contents of elements, each by its rarest leaf."""
        times = Counter(leaf for leaves in self._by_leaves for leaf in leaves)
        found: dict[Hashable, list[Leaves]] = {}
        for leaves in self._by_leaves:
            found.setdefault(min(leaves, key=times.__getitem__), []).append(leaves)
        return found

    def take(self, old: dict[str, Any]) -> dict[str, Any] | None:
        """The first new element that was probably made from a live element."""
        live = frozenset(_leaves(old))
        alike = [self._by_leaves[leaves] for leaf in live for leaves in self._by_rarest.get(leaf, ()) if leaves <= live]
        name = old.get("name")
        if self._key != "name" and type(name) is str:
            alike.append(self._by_name.get(name, []))
        first = min((at for places in alike if (at := self._first(places)) is not None), default=None)
        if first is None:
            return None
        self._taken.add(first)
        return self._new[first]

    def _first(self, places: list[int]) -> int | None:
        while places and places[-1] in self._taken:
            places.pop()
        return places[-1] if places else None


def _rest(key: str, item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name != key}


def _has_same_name(key: str, old: dict[str, Any], new: dict[str, Any]) -> bool:
    """True if two elements have the same name in a list with another merge key."""
    name = new.get("name")
    return key != "name" and is_there(name) and type(name) is str and old.get("name") == name


def _leaves(value: Any) -> Iterator[Hashable]:
    """The leaves of a value with their paths: a value `covers` another one if it has all of its leaves."""
    todo: list[tuple[Any, Any]] = [((), value)]
    while todo:
        path, here = todo.pop()
        if type(here) is dict:
            yield path, dict
            todo.extend(((path, key), inner) for key, inner in here.items() if inner is not None)
        elif type(here) is list:
            yield path, list, len(here)
            todo.extend(((path, at), inner) for at, inner in enumerate(here))
        else:
            yield path, identity(here)
