"""Merge of a config into a live value by its type: the config's values win, and nothing is removed."""

from __future__ import annotations

from ...values.plain import ABSENT
from .items import path_elements_of
from .schema import List, Map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .schema import Atom


def merge(live: Any, config: Any, atom: Atom) -> Any:
    """The live value with the config's values. It shares parts with both, so comparing it later is fast."""
    if live is ABSENT:
        return config
    if config is ABSENT:
        return live
    part = atom.parts[type(config)]
    if part.atomic:
        return config
    if type(part) is Map:
        ours = live if type(live) is dict else {}
        theirs = config if type(config) is dict else {}
        if not ours or not theirs:
            return theirs or ours or config
        return _maps(ours, theirs, part)
    if type(part) is List:
        old, new = (value if type(value) is list else [] for value in (live, config))
        return _lists(old, new, part) if old and new else new or old or config
    return config


def _maps(live: dict[str, Any], config: dict[str, Any], part: Map) -> dict[str, Any]:
    result = live
    known = part.known
    for key, given in config.items():
        wanted, have = given, live.get(key, ABSENT)
        if have is not ABSENT:
            kind = type(wanted)
            if kind is type(have) and kind not in (dict, list) and wanted == have:
                continue
            atom = known.get(key) or part.atom(key)
            if atom is not None and kind not in atom.plain:
                wanted = merge(have, wanted, atom)
                if wanted is have:
                    continue
        if result is live:
            result = dict(live)
        result[key] = wanted
    return result


def _lists(live: list[Any], config: list[Any], part: List) -> list[Any]:
    """Elements keep the live order where config agrees, and config's order where it does not."""
    ours, theirs = path_elements_of(live, part), path_elements_of(config, part)
    if part.appends:
        return _appended(live, config, ours, theirs, part)
    of_live: dict[str, Any] = {}
    for element, item in zip(ours, live, strict=True):
        of_live[element] = None if element in of_live else item  # elements that share an identity merge with nothing
    of_config = dict(zip(theirs, config, strict=True))
    result = [
        live[at] if element not in of_config else _item(of_live.get(element, ABSENT), of_config[element], part)
        for at, element in _weave(ours, theirs, of_live, of_config)
    ]
    if len(result) == len(live) and all(new is old for new, old in zip(result, live, strict=True)):
        return live
    return result


def _appended(live: list[Any], config: list[Any], ours: list[str], theirs: list[str], part: List) -> list[Any]:
    """As in older releases: the live elements in their order, then the new ones of the config."""
    given = dict(zip(theirs, config, strict=True))
    result = [
        _item(item, given.pop(element), part) if element in given else item
        for element, item in zip(ours, live, strict=True)
    ]
    if not given and all(new is old for new, old in zip(result, live, strict=True)):
        return live
    return result + list(given.values())


def _item(live: Any, config: Any, part: List) -> Any:
    kind = type(config)
    if kind is type(live) and kind is not dict and config == live:
        return live
    return merge(live, config, part.element)


def _weave(
    ours: list[str], theirs: list[str], of_live: dict[str, Any], of_config: dict[str, Any]
) -> list[tuple[int, str]]:
    """The elements of the result, each with its live position if only live has it."""
    shared = iter([element for element in theirs if element in of_live])
    awaited = next(shared, None)
    done: set[str] = set()
    result: list[tuple[int, str]] = []
    at_live = at_config = 0
    while at_live < len(ours) or at_config < len(theirs):
        if at_live < len(ours):
            element = ours[at_live]
            if at_config < len(theirs):
                if element == theirs[at_config]:
                    done.add(element)
                    result.append((-1, element))
                    at_live, at_config, awaited = at_live + 1, at_config + 1, next(shared, None)
                    continue
                if element in of_config and awaited is not None and awaited != element:
                    at_live += 1
                    continue
            if element not in of_config:
                result.append((at_live, element))
                at_live += 1
                continue
            if element in done:
                at_live += 1
        if at_config < len(theirs):
            element = theirs[at_config]
            done.add(element)
            result.append((-1, element))
            at_config += 1
            if awaited == element:
                awaited = next(shared, None)
    return result
