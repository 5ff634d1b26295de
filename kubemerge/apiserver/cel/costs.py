"""Runtime costs of calls, as in cel-go and the libraries of Kubernetes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .library.networks import Cidr, Ip
from .meter import Panic
from .values import LISTS, LITERALS, MAPS, CelError, Duration, Joined, Optional, Time, go_type, value_at

if TYPE_CHECKING:
    from collections.abc import Callable

    Cost = Callable[[list[Any], Any], int]

AUTHORIZATION_CHECK = 350_000
CONTAINERS = (*LISTS, *MAPS)
SIZED = (str, bytes, *CONTAINERS)
ADDED = (int, float, str, bytes, Duration, Time)
"""Types with a sum."""
LIST, MAP, STRUCT = 10, 30, 40
"""The cost of creating a list, a map, and a struct."""
REGEX_OF_A_FORMAT = {
    "dns1123Label": 30,
    "dns1123Subdomain": 60,
    "dns1035Label": 30,
    "dns1123LabelPrefix": 30,
    "dns1123SubdomainPrefix": 60,
    "dns1035LabelPrefix": 30,
    "qualifiedName": 60,
    "labelValue": 40,
    "uri": 1104,
    "uuid": 72,
    "byte": 84,
    "date": 72,
    "datetime": 72,
}
"""The size that a server takes for the pattern of a named format."""


def library_size(value: Any) -> int:
    """The size of a value for the libraries of Kubernetes. 1 if it has none."""
    if isinstance(value, SIZED):
        return len(value)
    return value.size() if isinstance(value, (Cidr, Ip)) else 1


def size(value: Any) -> int:
    """The size of a value for cel-go, which also looks into optional values."""
    while isinstance(value, Optional) and value.there:
        value = value.value
    return library_size(value)


def _tenth(count: float) -> int:
    return math.ceil(count * 0.1)


def traversal(value: Any, known: dict[int, tuple[int, Any]] | None = None) -> int:
    """The cost of traversing a value. `known` are the costs of lists and maps that an expression constructed."""
    if isinstance(value, str):
        return int((len(value) if value.isascii() else len(value.encode())) * 0.1)
    if isinstance(value, bytes):
        return int(len(value) * 0.1)
    if not isinstance(value, CONTAINERS):
        return 1
    known = {} if known is None else known
    if id(value) in known:
        return known[id(value)][0]
    parts = value.parts if isinstance(value, Joined) else value
    if isinstance(value, MAPS):
        parts = [one for key in value for one in (key, value_at(value, key))]
    found = sum([traversal(one, known) for one in parts])
    if isinstance(value, LITERALS):
        known[id(value)] = (found, value)  # kept, so that no other value gets its id
    return found


# ---- cel-go ----------------------------------------------------------------------------------------------------------


def compared(args: list[Any], _result: Any = None) -> int:
    """The cost of `==`, and of ordering texts or bytes."""
    return _tenth(min(size(args[0]), size(args[1])))


def joined(args: list[Any], _result: Any = None) -> int:
    """The cost of concatenating texts or bytes."""
    return _tenth(size(args[0]) + size(args[1]))


def _pattern(args: list[Any], _result: Any = None) -> int:
    return _tenth(1.0 + size(args[0])) * math.ceil(size(args[1]) * 0.25)


def _of(place: int) -> Cost:
    return lambda args, _result: _tenth(size(args[place]))


def allocated(factor: float, count: int) -> int:
    """The cost of a call that creates a list."""
    return int(count * (factor if factor >= 0 else 1.0)) + 1 + LIST


def _made(_args: list[Any], result: Any) -> int:
    return allocated(1, library_size(result))


def _flattened(args: list[Any], _result: Any) -> int:
    if len(args) == 2 and isinstance(args[1], CelError):
        raise Panic("internal error: interface conversion: ref.Val is *types.Err, not types.Int")
    return allocated(float(args[1]) if len(args) == 2 else 1.0, library_size(args[0]))


def _self_compared(place: int) -> Cost:
    def cost(args: list[Any], _result: Any) -> int:
        value = args[place]
        if not isinstance(value, LISTS):
            kind = "*types.Err" if isinstance(value, CelError) else go_type(value)
            missing = "Contains" if isinstance(value, ADDED) and not isinstance(value, bool) else "Add"
            why = f"{kind} is not traits.Lister: missing method {missing}"
            raise Panic(f"internal error: interface conversion: {why}")
        count = len(value)
        factor = 2.1 if count and isinstance(value[0], (str, bytes)) else 2.0
        return allocated(factor, count * count)

    return cost


def _sets(factor: float) -> Cost:
    return lambda args, _result: 1 + int(library_size(args[0]) * library_size(args[1]) * factor)


OVERLOADS: dict[str, Cost] = {
    "starts_with_string": _of(1),
    "ends_with_string": _of(1),
    "string_to_bytes": _of(0),
    "bytes_to_string": _of(0),
    "strings_quote": _of(0),
    "string_format": _of(0),
    "in_list": lambda args, _result: size(args[1]),
    "equals": compared,
    "not_equals": compared,
    "add_string": joined,
    "add_bytes": joined,
    "matches": _pattern,
    "matches_string": _pattern,
    "contains_string": lambda args, _result: _tenth(size(args[0])) * _tenth(size(args[1])),
    **{
        f"{order}_{kind}": compared
        for order in ("less", "less_equals", "greater", "greater_equals")
        for kind in ("string", "bytes")
    },
}
"""Overloads of cel-go whose cost depends on their arguments."""
TRACKED: dict[str, Cost] = {
    "list_slice": _made,
    "lists_range": _made,
    "list_reverse": _made,
    "list_flatten": _flattened,
    "list_flatten_int": _flattened,
    "list_distinct": _self_compared(0),
    "list_sets_contains_list": _sets(1),
    "list_sets_intersects_list": _sets(1),
    "list_sets_equivalent_list": _sets(2),
    **{
        f"list_{kind}_{name}": _self_compared(place)
        for kind in ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
        for name, place in (("sort", 0), ("sortByAssociatedKeys", 1))
    },
}
"""Overloads of cel-go's libraries, which take precedence."""


# ---- Kubernetes ------------------------------------------------------------------------------------------------------


def _traversed(args: list[Any], _result: Any) -> int:
    return traversal(args[0])


def _scanned(factor: float) -> Cost:
    return lambda args, _result: math.ceil(library_size(args[0]) * factor * 0.1)


def _found(args: list[Any], _result: Any) -> int:
    return _tenth(1.0 + library_size(args[0])) * math.ceil(library_size(args[1]) * 0.25)


def _contains_ip(args: list[Any], _result: Any) -> int:
    return _tenth(2 * library_size(args[0]))


def _contains_cidr(args: list[Any], result: Any) -> int:
    return _contains_ip(args, result) + _tenth(library_size(args[0])) + 1


def _after_reading(cost: Cost) -> Cost:
    """The cost of a call after traversing its argument."""
    return lambda args, result: cost(args, result) + _tenth(library_size(args[1]))


def _validated(args: list[Any], _result: Any) -> int:
    if getattr(args[0], "name", None) not in REGEX_OF_A_FORMAT:
        return 1
    regex = REGEX_OF_A_FORMAT[args[0].name]
    return _tenth(1.0 + library_size(args[1])) * math.ceil(regex * 0.25)


FUNCTIONS: dict[str, Cost] = {
    **dict.fromkeys(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes"), _traversed),
    **dict.fromkeys(("url", "lowerAscii", "upperAscii", "substring", "trim", "cidr", "isIP", "isCIDR"), _scanned(1)),
    **dict.fromkeys(("quantity", "isQuantity", "semver", "isSemver"), _scanned(1)),
    **dict.fromkeys(("replace", "split", "ip.isCanonical"), _scanned(2)),
    "join": lambda _args, result: math.ceil(library_size(result) * 2 * 0.1),
    "find": _found,
    "findAll": _found,
    "ip": _scanned(1),
    "containsIP": _contains_ip,
    "containsCIDR": _contains_cidr,
    "validate": _validated,
    "check": lambda _args, _result: AUTHORIZATION_CHECK,
    **dict.fromkeys(("fieldSelector", "labelSelector"), lambda args, _result: _tenth(library_size(args[1]))),
    "jsonpatch.escapeKey": _scanned(1),
}
"""Functions of the Kubernetes libraries whose cost depends on their arguments, for all overloads."""
TRACKED |= {
    "cidr_ip": lambda _args, _result: 1,
    "cidr_contains_ip_string": _after_reading(_contains_ip),
    "cidr_contains_cidr_string": _after_reading(_contains_cidr),
}


def of_call(name: str, overload: str) -> Cost | None:
    """Return the cost of a call, or None if it costs 1. `overload` is empty if it is only known at runtime."""
    return TRACKED.get(overload) or FUNCTIONS.get(name) or OVERLOADS.get(overload)
