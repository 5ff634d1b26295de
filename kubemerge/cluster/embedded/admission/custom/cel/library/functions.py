"""All functions and macros by their names."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ..equality import value_of
from ..values import CelError, List, Map, NoOverload, TooExpensive
from . import conversions, listing, networks, quantities, texts, versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Each = Callable[[Any], list[Callable[[], Any]]]

BY_NAME: dict[str, Callable[..., Any]] = {
    **conversions.FUNCTIONS,
    **listing.FUNCTIONS,
    **networks.FUNCTIONS,
    **quantities.FUNCTIONS,
    **texts.FUNCTIONS,
    **versions.FUNCTIONS,
}
METHODS: dict[str, Callable[..., Any]] = {
    **conversions.METHODS,
    **listing.METHODS,
    **networks.METHODS,
    **quantities.METHODS,
    **texts.METHODS,
    **versions.METHODS,
}
SHARED = ("indexOf", "lastIndexOf", "isGreaterThan", "isLessThan", "compareTo", "ip", "reverse")
"""Methods of several kinds of values: the first that takes the value does it."""


def found(name: str, *, member: bool) -> Callable[..., Any]:
    """The function of this name."""
    if member and name in SHARED:
        return _shared(name)
    function = (METHODS if member else BY_NAME).get(name)
    if function is None:
        raise CelError(f"unbound function: {name}")
    return function


def _shared(name: str) -> Callable[..., Any]:
    kinds = [one.METHODS[name] for one in (listing, texts, quantities, versions, networks) if name in one.METHODS]

    def call(*given: Any) -> Any:
        for function in kinds:
            try:
                return function(*given)
            except (NoOverload, TypeError, AttributeError):
                continue
        raise NoOverload

    return call


def cost(name: str, given: list[Any]) -> int:
    """What a call costs besides one: texts and lists cost by their length, patterns by that of both."""
    sizes = [len(one) for one in given if isinstance(one, (str, bytes, list, dict, List, Map))]
    if name in ("matches", "find", "findAll") and len(sizes) > 1:
        return (1 + sizes[0] // 10) * (1 + sizes[1] // 4)
    if name in ("distinct", "includes", "contains", "equivalent", "intersects", "replace", "split", "indexOf"):
        return (1 + sizes[0] // 10) * (1 + (sizes[1] if len(sizes) > 1 else sizes[0]) // 10) if sizes else 0
    return sum(sizes) // 10


# ---- macros ----------------------------------------------------------------------------------------------------------


def decided(answers: Iterable[Callable[[], Any]], decides: bool) -> bool:
    """Whether one of the answers decides; one that has no value only counts if none does."""
    failed: CelError | None = None
    for answered in answers:
        try:
            if _truth(answered()) == decides:
                return decides
        except TooExpensive:
            raise
        except CelError as error:
            failed = failed or error
    if failed is not None:
        raise failed
    return not decides


def _truth(answer: Any) -> bool:
    if not isinstance(answer, bool):
        raise NoOverload
    return answer


def _answer(each: Each, key: Any) -> Any:
    return each(key)[0]()


def _all(keys: list[Any], each: Each) -> bool:
    return decided((partial(_answer, each, key) for key in keys), False)


def _exists(keys: list[Any], each: Each) -> bool:
    return decided((partial(_answer, each, key) for key in keys), True)


def _holds(each: list[Callable[[], Any]]) -> bool:
    return _truth(each[0]())


def _exists_one(keys: list[Any], each: Each) -> bool:
    return sum(_holds(each(key)) for key in keys) == 1


def _filter(keys: list[Any], each: Each) -> list[Any]:
    return [key for key in keys if _holds(each(key))]


def _map(keys: list[Any], each: Each) -> list[Any]:
    found: list[Any] = []
    for key in keys:
        parts = each(key)
        if len(parts) == 1 or _holds(parts):
            found.append(parts[-1]())
    return found


def _transform_map(keys: list[Any], each: Each) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key in keys:
        parts = each(key)
        if len(parts) == 1 or _holds(parts):
            found[key] = parts[-1]()
    return found


def _transform_entries(keys: list[Any], each: Each) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for key in keys:
        parts = each(key)
        if len(parts) > 1 and not _holds(parts):
            continue
        entries = parts[-1]()
        for name in entries:
            if name in found:
                raise CelError(f"insert failed: key {name} already exists")
            found[name] = value_of(entries, name)
    return found


def _sort_by(keys: list[Any], each: Each) -> list[Any]:
    return listing.sorted_by([(each(key)[0](), key) for key in keys])


FOLDS: dict[str, Callable[[list[Any], Each], Any]] = {
    "all": _all,
    "exists": _exists,
    "exists_one": _exists_one,
    "existsOne": _exists_one,
    "filter": _filter,
    "map": _map,
    "sortBy": _sort_by,
    "transformList": _map,
    "transformMap": _transform_map,
    "transformMapEntry": _transform_entries,
}
