"""All functions and macros by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import operators
from ..access import is_in, shown
from ..language.overloads import overloads
from ..values import CelError, GrowingMap, NoOverload, as_key, key_in, value_at
from . import authorization, conversions, listing, networks, quantities, texts, versions

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..language.types import Type

BY_NAME: dict[str, Callable[..., Any]] = {
    **operators.OPERATORS,
    "@in": is_in,
    **conversions.FUNCTIONS,
    **listing.FUNCTIONS,
    **networks.FUNCTIONS,
    **quantities.FUNCTIONS,
    **texts.FUNCTIONS,
    **versions.FUNCTIONS,
}
METHODS: dict[str, Callable[..., Any]] = {
    **authorization.METHODS,
    **conversions.METHODS,
    **listing.METHODS,
    **networks.METHODS,
    **quantities.METHODS,
    **texts.METHODS,
    **versions.METHODS,
}
SHARED = ("indexOf", "lastIndexOf", "isGreaterThan", "isLessThan", "compareTo", "ip")
"""Methods of several types. The first one that accepts the value is called."""


def find_function(name: str, *, member: bool) -> Callable[..., Any]:
    """Return the function of this name."""
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


def is_dispatched(name: str) -> bool:
    """Whether a server selects the overload by the values, if the types are dyn."""
    return name not in SINGLETONS


NUMBERS = ("int", "uint", "double")
TIMES = ("google.protobuf.Duration", "google.protobuf.Timestamp")
ORDERED = ("bool", "string", "bytes", *NUMBERS, *TIMES)
TAKEN: dict[str, tuple[str, ...]] = {
    "_+_": ("string", "bytes", "list", *NUMBERS, *TIMES),
    "_-_": (*NUMBERS, *TIMES),
    "_*_": NUMBERS,
    "_/_": NUMBERS,
    "_%_": ("int", "uint"),
    "-_": ("int", "double", "bool"),
    **dict.fromkeys(("_<_", "_<=_", "_>_", "_>=_"), ORDERED),
    "size": ("string", "bytes", "list", "map"),
    "matches": ("string",),
    "sort": ("list",),
    "@sortByAssociatedKeys": ("list",),
}
"""Functions with one implementation, and the types of their first argument."""
COMPILED = "@compiled"
"""The name of a function with a constant pattern."""
SINGLETONS = frozenset((*TAKEN, COMPILED, "!_", "@in", "contains", "startsWith", "endsWith"))
"""Functions of cel-go with one implementation for all overloads."""


def overload_check(name: str, count: int, *, member: bool) -> Callable[[list[Any]], bool] | None:
    """Return a check of arguments by the overloads of a function. None if the function checks them itself."""
    listed = overloads().get(name) if is_dispatched(name) else None
    if not listed:
        return None
    taken = [one.takes for one in listed if one.member is member and len(one.takes) == count]

    def fits(given: list[Any]) -> bool:
        kinds = [conversions.type_name(one) for one in given]
        return any(all(map(_accepts, types, kinds)) for types in taken)

    return fits


def _accepts(of: Type, kind: str) -> bool:
    """Whether an argument of an overload can be of a type at runtime. Elements are not compared."""
    return len(of.name) == 1 or of.name == "dyn" or RUNTIME.get(of.name, of.name) == kind


RUNTIME = {"duration": "google.protobuf.Duration", "timestamp": "google.protobuf.Timestamp", "null": "null_type"}
"""The names of types at runtime, if the checker has others."""


def no_overload(name: str, given: list[Any]) -> NoOverload:
    """Return the error for arguments without a matching overload."""
    kinds = [conversions.type_name(one) for one in given]
    if name == "flatten":
        return NoOverload(f"{kinds[0]}.flatten({', '.join(kinds[1:])})")
    if name not in SINGLETONS:
        return NoOverload(f"{name}({', '.join(kinds)})")
    receives = kinds[0] in ("string", *TIMES)
    return NoOverload(name if name in TAKEN and kinds[0] not in TAKEN[name] and not receives else "")


def _inserted(accumulated: Any, *entry: Any) -> Any:
    """A map with one more entry, or with all entries of another map."""
    found = accumulated if isinstance(accumulated, GrowingMap) else GrowingMap(accumulated)
    entries = {as_key(entry[0]): entry[1]} if len(entry) == 2 else {key: value_at(entry[0], key) for key in entry[0]}
    for key, value in entries.items():
        if key_in(found, key) is not None:
            raise CelError(f"insert failed: key {shown(key)} already exists")
        found[as_key(key)] = value
    return found


BY_NAME["cel.@mapInsert"] = _inserted
METERED = frozenset((*listing.METERED, *texts.METERED))
"""Functions that check the meter before they create something large."""
judge_pattern = texts.judge_pattern
