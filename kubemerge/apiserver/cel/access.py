"""Access to fields, list elements and map values, including missing ones."""

from __future__ import annotations

from typing import Any

from .equality import contains
from .language.tree import Uint
from .library.conversions import text_of, type_name
from .values import (
    LISTS,
    MAPS,
    CelError,
    LazyFields,
    List,
    Map,
    NoOverload,
    Object,
    Optional,
    Struct,
    TypedMap,
    go_type,
    key_in,
    value_at,
)

_OBJECTS = (Object, LazyFields)


class Missing(CelError):
    """A missing key or element."""


def select(of: Any, name: str) -> Any:
    """Return a field of an object, or a value of a map."""
    kind = type(of)
    if (kind is dict or kind is TypedMap) and name in of:
        return of[name]
    if kind is Map:
        return _of_map(of, name)
    if kind in _OBJECTS:
        return of.get(name)
    return index(of, name)


def has_field(of: Any, name: str) -> bool:
    """Whether a field or key exists."""
    if type(of) in _OBJECTS:
        return bool(of.has(name))
    try:
        index(of, name)
    except Missing:
        return False
    return True


def optional_field(of: Any, name: Any) -> Optional:
    """Return a field that may be missing."""
    if isinstance(of, Optional):
        if not of.there:
            return of
        of = of.value
    try:
        return Optional(index(of, name), there=True)
    except Missing:
        return Optional()


def index(of: Any, key: Any) -> Any:
    """Return an element of a list, or a value of a map."""
    if not isinstance(key, (str, int, float)):
        raise CelError(f"invalid qualifier type: {go_type(key)}")
    if isinstance(of, LISTS):
        place = _place(key, len(of))
        if type(of) is List and type(key) is not int:
            raise CelError(f"unsupported index: {shown(key)}")
        return of[place]
    if type(of) in _OBJECTS:
        if not isinstance(key, str):
            raise NoOverload
        if not of.has(key):
            raise Missing(f"no such key: {key}")
        return of.get(key)
    if type(of) is Map:
        return _of_map(of, key)
    of = of.fields if type(of) is Struct else of
    if isinstance(of, dict):
        known = key_in(of, key)
        if known is None:
            raise Missing(f"no such key: {shown(key)}")
        return of[known.value]
    raise Missing(f"no such key: {shown(key)}")


def _of_map(of: Map, key: Any) -> Any:
    if not isinstance(key, str):
        raise NoOverload
    if key not in of:
        raise Missing(f"no such key: {key}")
    return of.get(key)


def shown(key: Any) -> str:
    """A key in an error message."""
    if isinstance(key, LISTS):
        return f"[{', '.join(map(shown, key))}]"
    if isinstance(key, MAPS):
        return f"{{{', '.join(f'{shown(one)}: {shown(value_at(key, one))}' for one in key)}}}"
    try:
        return text_of(key)
    except NoOverload:
        return str(key)


def _place(key: Any, count: int) -> int:
    if isinstance(key, bool) or not isinstance(key, (int, float)):
        raise CelError(f"unsupported index type '{type_name(key)}' in list")
    if (isinstance(key, float) and not key.is_integer()) or (isinstance(key, Uint) and key >= 2**63):
        raise CelError(f"unsupported index value {shown(key)} in list")
    if not 0 <= key < count:
        raise Missing(f"index out of bounds: {shown(key)}")
    return int(key)


def is_in(item: Any, of: Any) -> bool:
    """Whether a list contains an element, or a map a key."""
    if isinstance(of, LISTS):
        if type(of) is List and of.kind == "map" and not isinstance(item, MAPS):
            raise NoOverload
        return contains(of, item)
    if type(of) is Object:
        if not isinstance(item, str):
            raise NoOverload
        return of.has(item)
    if type(of) is Map:
        if not isinstance(item, str):
            raise NoOverload
        return item in of
    if isinstance(of, dict):
        return key_in(of, item) is not None
    raise NoOverload
