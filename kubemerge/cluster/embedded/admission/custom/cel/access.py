"""Fields, elements and values of keys, and those that may be missing."""

from __future__ import annotations

from typing import Any

from .equality import contains, value_of
from .language.types import escaped
from .values import CelError, List, Map, NoOverload, Object, Optional


def field(of: Any, name: str) -> Any:
    """A field of an object, or the value of a key."""
    if isinstance(of, Object):
        return of.get(name)
    if isinstance(of, Optional):
        return optional_field(of, name)
    if isinstance(of, (dict, Map)):
        if name not in of:
            raise CelError(f"no such key: {name}")
        return value_of(of, name)
    raise NoOverload


def optional_field(of: Any, name: Any) -> Optional:
    """A field that may be missing."""
    if isinstance(of, Optional):
        if not of.there:
            return of
        of = of.value
    if isinstance(of, Object):
        return Optional(of.get(name), there=True) if of.has(name) else Optional()
    if isinstance(of, (dict, Map)):
        return Optional(value_of(of, name), there=True) if name in of else Optional()
    if isinstance(of, (list, List)) and isinstance(name, int):
        return Optional(of[name], there=True) if 0 <= name < len(of) else Optional()
    raise NoOverload


def index(of: Any, key: Any) -> Any:
    """An element, or the value of a key."""
    if isinstance(of, Optional):
        return optional_field(of, key)
    if isinstance(of, (list, List)):
        if isinstance(key, bool) or not isinstance(key, (int, float)) or key != int(key):
            raise NoOverload
        if not 0 <= key < len(of):
            raise CelError(f"index out of bounds: {int(key)}")
        return of[int(key)]
    if isinstance(of, Object):
        return of.get(escaped(key) or key)
    if isinstance(of, (dict, Map)):
        if key not in of:
            raise CelError(f"no such key: {key}")
        return value_of(of, key)
    raise NoOverload


def is_in(item: Any, of: Any) -> bool:
    """Whether a list has an element, or a map a key."""
    if isinstance(of, Object):
        return isinstance(item, str) and item in of.raw
    if isinstance(of, (dict, Map)):
        return item in of
    if isinstance(of, (list, List)):
        return contains(of, item)
    raise NoOverload
