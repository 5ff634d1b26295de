"""Reduction of a patch: remove each part that is not needed to repair the object.

A part is a field, an element of a list, or a directive. A try is a dry run without one part. Larger parts are tried
first. If a level has many parts, each try leaves out half of them, another half in each try, so that for any two parts,
some try leaves out only the first. A part is needed if its field stays unrepaired in each try without it. The other
parts are then tried in groups. If that takes too many dry runs, parts that may not be needed are kept.
"""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations, count
from math import comb
from typing import TYPE_CHECKING, Any, TypeAlias

from engine.serverside.fields import trees
from engine.serverside.typed.items import UNKNOWN_ITEM, path_elements_of
from engine.serverside.typed.schema import List, Map
from engine.values.go_json import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from engine.serverside.fields.trees import Path, Tree
    from engine.serverside.typed.schema import Atom

    Place = tuple[str | int, ...]
    Check: TypeAlias = Callable[[Any], Tree | None]
    """The fields that a patch leaves unrepaired: an empty tree if it repairs the object. None if they are unknown,
    because the server rejects the patch, or because it changes fields of others."""
    FieldOf: TypeAlias = Callable[[Any, Place], Path | None]
    """The field that a part of a patch changes. None if it is unknown."""

FEW = 16
"""The maximum number of parts of one level that are tried one at a time. A group is tried as often at most."""
MOST_TRIES = 256
"""The maximum number of dry runs. All parts that are not tried by then are kept."""
_KEY = ("",)
"""The field of a key of a list element, which is never left out."""


class Reduction:
    """The reduction of one patch."""

    def __init__(self, check: Check, field_of: FieldOf) -> None:
        self._check, self._field_of = check, field_of
        self._known: dict[str, Tree | None] = {}

    def smallest(self, body: Any) -> Any:
        """The patch without the parts that it does not need."""
        while True:
            smaller = self._pruned(body)
            if smaller is body:
                return body
            body = smaller

    def _unrepaired(self, body: Any) -> Tree | None:
        """The result of the check. Each patch is checked once."""
        key = encode(body)
        if key not in self._known:
            self._known[key] = self._check(body) if body and len(self._known) < MOST_TRIES else None
        return self._known[key]

    def _pruned(self, body: Any) -> Any:
        """The patch after one pass over all levels."""
        level: list[Place] = [()]
        while level:
            parts = [(*around, key) for around in level for key in _removable(body, around)]
            body = self._without_any(body, parts)
            level = [
                (*around, key)
                for around in level
                for key in _keys(_at(body, around))
                if _is_divisible((*around, key), body)
            ]
        return body

    def _without_any(self, body: Any, parts: Sequence[Place]) -> Any:
        """The patch without those of the parts that it does not need."""
        single = parts if len(parts) <= FEW else self._unproven(body, parts)
        if len(single) <= FEW:
            return without_places(body, self._spare(body, [], [[part] for part in single], len(single)))
        groups: dict[str | int, list[Place]] = {}
        for part in single:
            is_in_element = any(isinstance(step, int) for step in part[:-1])
            groups.setdefault(part[-1] if is_in_element else "", []).append(part)
        spare: list[Place] = []
        for group in groups.values():
            spare = self._spare(body, spare, [group], FEW)
        return without_places(body, spare)

    def _spare(self, body: Any, spare: list[Place], groups: list[list[Place]], tries: int) -> list[Place]:
        """The parts that are not needed: those in `spare`, and more from the groups. A group that is needed is split.

        Places of elements are those in `body`, from which nothing is removed yet.
        """
        pending = groups[::-1]
        for _ in range(tries):
            if not pending:
                break
            group = pending.pop()
            smaller = without_places(body, [*spare, *group])
            if smaller and self._unrepaired(smaller) == trees.EMPTY:
                spare = [*spare, *group]
            elif len(group) > 1:
                middle = len(group) // 2
                pending += [group[middle:], group[:middle]]
        return spare

    def _unproven(self, body: Any, parts: Sequence[Place]) -> list[Place]:
        """The parts that are not known to be needed."""
        fields = {part: self._field_of(body, part) for part in parts}
        tried = [part for part in parts if fields[part] != _KEY]
        needed = {part for part in tried if fields[part] is not None}
        for left_out in halves(tried) if needed else ():
            unrepaired = self._unrepaired(without_places(body, left_out))
            if unrepaired is None:  # the server rejects each patch without a required part
                return tried
            needed -= {part for part in left_out if not trees.leads_into(unrepaired, fields[part] or ())}
        return [part for part in tried if part not in needed]


def halves(parts: Sequence[Place]) -> list[list[Place]]:
    """For each try, the parts to leave out. Each part is left out in half of the tries, a different half for each.

    Of each two parts, one is left out in the tries in which the other is not, so that each try leaves out half of them.
    """
    tries = next(number for number in count(2, 2) if comb(number, number // 2) >= len(parts))
    left_out: list[list[Place]] = [[] for _ in range(tries)]
    chosen = combinations(range(tries), tries // 2)
    for at, half in zip(range(0, len(parts), 2), chosen, strict=False):
        for number in range(tries):
            left_out[number] += parts[at : at + 1] if number in half else parts[at + 1 : at + 2]
    return left_out


class PatchFields:
    """Finds the fields that the parts of a patch change."""

    def __init__(self, atom: Atom, live: Any = None) -> None:
        self._atom, self._live = atom, live
        self._elements: dict[int, tuple[list[Any], list[str]]] = {}

    def of_part(self, body: Any, place: Place) -> Path | None:
        """The field of a part of a merge patch. A `$patch` directive changes the map around it."""
        if place[-1] == "$patch":
            return self._found(body, place[:-1])
        return self._found(body, place)

    def of_operation(self, body: Any, place: Place) -> Path | None:
        """The field of an operation of a JSON patch, by its place in the live object."""
        steps = [step.replace("~1", "/").replace("~0", "~") for step in body[place[0]]["path"].split("/")[1:]]
        return self._found(self._live, steps)

    def _found(self, value: Any, steps: Iterable[str | int]) -> Path | None:
        inner: Atom | None = self._atom
        path: list[str] = []
        keys: tuple[str, ...] = ()
        is_key = False
        for step in steps:
            part = inner.parts.get(type(value)) if inner is not None else None
            if part is None:
                return None
            if part.atomic:
                return _KEY if step in keys[:1] else None
            if type(part) is Map and isinstance(value, dict):
                if str(step).startswith("$"):
                    return None
                path.append(f"f:{step}")
                inner, is_key, keys = part.atom(str(step)), step in keys[:1], ()
                value = value.get(step)
            elif type(part) is List and isinstance(value, list) and str(step).isdecimal() and int(step) < len(value):
                path.append(self._elements_of(value, part)[int(step)])
                inner, is_key, keys = part.element, False, tuple([name for name, _ in part.keys])
                value = value[int(step)]
            else:
                return None
        return None if UNKNOWN_ITEM in path else _KEY if is_key else tuple(path)

    def _elements_of(self, items: list[Any], part: List) -> list[str]:
        known = self._elements.get(id(items))
        if known is None:  # the list is kept, so that no other list gets its id
            known = self._elements[id(items)] = items, path_elements_of(items, part)
        return known[1]


def _removable(body: Any, around: Place) -> Iterable[Any]:
    """The keys to try in a part. A single key is not tried: to remove it is to remove the part itself."""
    keys = _keys(_at(body, around))
    return reversed(keys) if len(keys) > 1 or not around else ()


def places(body: Any, above: Place = ()) -> Iterator[Place]:
    """The removable parts of a patch: larger ones first. The operations of a JSON patch are its parts."""
    keys = _keys(_at(body, above))
    yield from ((*above, key) for key in keys)
    for key in keys:
        if _is_divisible((*above, key), body):
            yield from places(body, (*above, key))


def _keys(value: Any) -> list[Any]:
    return [*value] if isinstance(value, dict) else [*range(len(value))] if isinstance(value, list) else []


def _at(body: Any, place: Place) -> Any:
    """The part at a place; None if it is gone."""
    for step in place:
        there = isinstance(body, dict) and step in body
        there = there or (isinstance(body, list) and isinstance(step, int) and step < len(body))
        if not there:
            return None
        body = body[step]
    return body


def _is_divisible(place: Place, body: Any) -> bool:
    """Whether a part has parts. The operations of a JSON patch have none."""
    if isinstance(body, list):
        return False
    value = _at(body, place)
    return isinstance(value, dict) or (isinstance(value, list) and _has_parts(place[-1], value))


def _has_parts(key: Any, value: list[Any]) -> bool:
    return bool(value) and all(isinstance(one, dict) for one in value) and not str(key).startswith("$")


def without_part(body: Any, place: Place) -> Any:
    """The patch without one part, and without maps that are empty then."""
    return without_places(body, [place])


def without_places(body: Any, gone: Sequence[Place]) -> Any:
    """A copy of the patch without these parts, and without maps and lists that are empty then.

    Later elements of a list are removed first, so that the places of the others stay valid.
    """
    if not gone:
        return body
    found = deepcopy(body)
    wanted = set(gone)
    for place in sorted(wanted, reverse=True):
        if any(place[:depth] in wanted for depth in range(1, len(place))):
            continue
        around = [found]
        for step in place[:-1]:
            around.append(around[-1][step])
        del around[-1][place[-1]]
        for depth in range(len(place) - 1, 0, -1):
            if around[depth]:
                break
            del around[depth - 1][place[depth - 1]]
    return found
