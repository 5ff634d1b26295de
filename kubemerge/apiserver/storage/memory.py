"""An in-memory store for predictions. It needs no SQLite and has no history."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.values.go_json import decode, encode

from .store import KINDS_CHANGED, RELEASE, VERSION, Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..identity import ObjectId
    from ..protocol import Object
    from .history import Change


class MemoryStore(Store):
    """The objects of one cluster as JSON, so that stored objects cannot be changed by accident. For one thread only."""

    def __init__(self, release: str, *, is_complete: bool = True) -> None:
        self.file, self.is_complete = ":memory:", is_complete
        self._objects: dict[ObjectId, str] = {}
        self._shared: dict[ObjectId, Object] = {}
        self._seen: set[tuple[str, str]] = set()
        """The kinds of all objects so far. Others need no search."""
        self._values: dict[str, Any] = {RELEASE: release, VERSION: 0, KINDS_CHANGED: 0}

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A write transaction, kept as a whole or rolled back."""
        before = {**self._objects}, {**self._shared}, {**self._values}
        try:
            yield
        except BaseException:
            self._objects, self._shared, self._values = before
            raise

    together = writing

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A read transaction."""
        yield

    def close(self) -> None:
        """Do nothing."""

    # ---- objects ---------------------------------------------------------------------------------------------------

    def get(self, key: ObjectId) -> Object | None:
        """Return one object."""
        found = self._objects.get(key)
        return None if found is None else decode(found)

    def has(self, key: ObjectId) -> bool:
        """Whether an object exists, without reading it."""
        return key in self._objects

    def get_shared(self, key: ObjectId) -> Object | None:
        """Return one object that must not be changed."""
        found = self._shared.get(key)
        if found is None:
            found = self.get(key)
            if found is not None:
                self._shared[key] = found
        return found

    def of_kind(self, group: str, kind: str, namespace: str | None = None) -> Iterator[Object]:
        """Return the objects of a kind by namespace and name, of one namespace or of all."""
        return self._decoded(self.keys_of(group, kind, namespace))

    def of_kind_after(self, group: str, kind: str, namespace: str | None, after: ObjectId | None) -> Iterator[Object]:
        """Return the objects of a kind after one of them."""
        return self._decoded(self._after(group, kind, namespace, after))

    def count_after(self, group: str, kind: str, namespace: str | None, after: ObjectId | None) -> int:
        """Count the objects of a kind after one of them."""
        return sum(1 for _ in self._after(group, kind, namespace, after))

    def _after(self, group: str, kind: str, namespace: str | None, after: ObjectId | None) -> Iterator[ObjectId]:
        return (one for one in self.keys_of(group, kind, namespace) if after is None or one > after)

    def counts(self) -> dict[tuple[str, str], int]:
        """The number of objects by group and kind."""
        found: dict[tuple[str, str], int] = {}
        for one in sorted(self._objects):
            found[one.group_kind] = found.get(one.group_kind, 0) + 1
        return found

    def all(self) -> Iterator[Object]:
        """Every object, by group, kind, namespace and name."""
        return self._decoded(iter(sorted(self._objects)))

    def with_text(self, text: str) -> Iterator[Object]:
        """Return the objects whose JSON contains this text."""
        return self._decoded(iter([key for key in sorted(self._objects) if text in self._objects[key]]))

    def keys_in(self, namespace: str) -> Iterator[ObjectId]:
        """Return the keys of the objects in a namespace."""
        return iter([key for key in sorted(self._objects) if key.namespace == namespace])

    def keys_of(self, group: str, kind: str, namespace: str | None = None) -> Iterator[ObjectId]:
        """Return the keys of the objects of a kind, in one namespace or in all."""
        if (group, kind) not in self._seen:
            return iter(())
        there = [key for key in self._objects if key.group_kind == (group, kind)]
        return iter(sorted(key for key in there if namespace is None or key.namespace == namespace))

    def _decoded(self, keys: Iterator[ObjectId]) -> Iterator[Object]:
        return iter([decode(self._objects[key]) for key in keys])

    def put(self, key: ObjectId, content: Object, version: int | None = None) -> None:  # noqa: ARG002
        """Store an object, replacing an existing one."""
        self._objects[key] = encode(content)
        self._shared.pop(key, None)
        self._seen.add(key.group_kind)

    def remove(self, key: ObjectId, version: int) -> None:  # noqa: ARG002
        """Remove an object."""
        self._objects.pop(key, None)
        self._shared.pop(key, None)

    def clear(self) -> None:
        """Remove all objects."""
        self._objects, self._shared = {}, {}

    # ---- history ---------------------------------------------------------------------------------------------------

    def changes_since(self, version: int) -> list[Change] | None:
        """Return None, because there is no history."""

    def changed_since(self, version: int, group: str, kind: str) -> dict[ObjectId, Object | None] | None:
        """Return None, because there is no history."""

    def forget_history(self) -> None:
        """Do nothing, because there is no history."""

    # ---- values ----------------------------------------------------------------------------------------------------

    def release(self) -> str:
        """The release of the store."""
        return str(self._values[RELEASE])

    def number(self, name: str) -> int:
        """Return a counter."""
        return int(self._values[name])

    def text(self, name: str) -> str | None:
        """Return a text, or None if it was never stored."""
        found = self._values.get(name)
        return None if found is None else str(found)

    def set(self, name: str, value: int | str) -> None:
        """Store a text or a counter."""
        self._values[name] = value

    def check(self) -> None:
        """Do nothing."""
