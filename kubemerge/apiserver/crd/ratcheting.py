"""Validation ratcheting: problems of unchanged values are accepted in updates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.go_json import encode
from engine.values.plain import same

if TYPE_CHECKING:
    from ..schemas.schemas import Schema


class Correlated:
    """A value and its old value, correlated by the schema."""

    __slots__ = ("_children", "_equal", "_olds", "new", "old", "schema")

    def __init__(self, new: Any, old: Any, schema: Schema | None) -> None:
        self.new, self.old, self.schema = new, old, schema
        self._equal: bool | None = None
        self._children: dict[str | int, Correlated | None] = {}
        self._olds: dict[str, Any] | None = None

    def key(self, name: str) -> Correlated | None:
        """Return a field with its old value, or None if it is unknown."""
        if name not in self._children:
            self._children[name] = self._key(name)
        return self._children[name]

    def _key(self, name: str) -> Correlated | None:
        if self.schema is None or not isinstance(self.new, dict) or not isinstance(self.old, dict):
            return None
        inner = self.schema.child(name)
        if inner is None or name not in self.new or name not in self.old:
            return None
        return Correlated(self.new[name], self.old[name], inner)

    def index(self, place: int) -> Correlated | None:
        """Return an element of a keyed list with its old value, or None."""
        if place not in self._children:
            self._children[place] = self._index(place)
        return self._children[place]

    def _index(self, place: int) -> Correlated | None:
        schema = self.schema
        if schema is None or schema.list_type != "map" or schema.items is None:
            return None
        if not isinstance(self.new, list) or not isinstance(self.old, list):
            return None
        if self._olds is None:
            self._olds = by_keys(self.old, schema.map_keys)
        item = self.new[place]
        key = key_of(item, schema.map_keys)
        before = self._olds.get(key) if key is not None else None
        return Correlated(item, before, schema.items) if before is not None else None

    def is_equal(self) -> bool:
        """Whether the value is unchanged. The order of fields, and of keyed elements, does not matter."""
        if self._equal is None:
            self._equal = self._compare()
        return self._equal

    def _compare(self) -> bool:
        new, old = self.new, self.old
        if new is None or old is None:
            return new is None and old is None
        if type(new) is not type(old):
            return False
        if isinstance(new, list):
            if len(new) != len(old):
                return False
            for place in range(len(new)):
                child = self.index(place)
                if child is None:
                    return self._olds is None and same(new, old)
                if not child.is_equal():
                    return False
            return True
        if isinstance(new, dict):
            return len(new) == len(old) and all(
                (child := self.key(name)) is not None and child.is_equal() for name in new
            )
        return same(new, old)


def key_of(item: Any, keys: tuple[str, ...]) -> str | None:
    """Return the key of a list element. None if a key is missing or not a scalar."""
    if not isinstance(item, dict) or not all(isinstance(item.get(name), (str, int, float)) for name in keys):
        return None
    return encode([item[name] for name in keys])


def by_keys(items: list[Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """Return the elements by key. The first of several counts."""
    found: dict[str, Any] = {}
    for item in items:
        key = key_of(item, keys) if keys else None
        if key is not None:
            found.setdefault(key, item)
    return found
