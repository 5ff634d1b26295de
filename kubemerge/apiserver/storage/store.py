"""Stores of objects: the interface of `sqlite.py`, which writes a file, and of `memory.py`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from ..identity import ObjectId
    from ..protocol import Object
    from .history import Change

RELEASE, VERSION, KINDS_CHANGED = "release", "resourceVersion", "kindsChanged"
"""The release, the last resourceVersion, and the one at which the CustomResourceDefinitions changed."""
TOKEN_KEY = "tokenKey"  # noqa: S105 - a name
"""The key that signs ServiceAccount tokens, once one was issued."""


class Store(ABC):
    """The objects of one cluster, with the counter of resourceVersions and a few other values."""

    file: str
    closed_to_others: bool = False
    """Whether others could read the file until it was opened."""
    is_whole: bool = True
    """Whether all objects of the cluster are in it, so that one that is missing does not exist."""

    # ---- transactions ----------------------------------------------------------------------------------------------

    @abstractmethod
    def writing(self) -> AbstractContextManager[None]:
        """A write transaction, one at a time. All of it is kept, or nothing."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[None]:
        """A read transaction: the objects as they are at one moment."""

    @abstractmethod
    def together(self) -> AbstractContextManager[None]:
        """Several transactions, each kept or not by itself; none of them is kept if this fails."""

    @abstractmethod
    def close(self) -> None:
        """Close the store."""

    # ---- objects ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def get(self, key: ObjectId) -> Object | None:
        """One object."""

    @abstractmethod
    def has(self, key: ObjectId) -> bool:
        """Whether there is an object, without reading it."""

    @abstractmethod
    def get_shared(self, key: ObjectId) -> Object | None:
        """One object that nobody may change."""

    @abstractmethod
    def of_kind(self, group: str, kind: str, namespace: str | None = None) -> Iterator[Object]:
        """The objects of a kind by namespace and name, of one namespace or of all, as they are now."""

    @abstractmethod
    def of_kind_after(self, group: str, kind: str, namespace: str | None, after: ObjectId | None) -> Iterator[Object]:
        """The objects of a kind that come after one of them, inside the transaction."""

    @abstractmethod
    def count_after(self, group: str, kind: str, namespace: str | None, after: ObjectId | None) -> int:
        """How many objects of a kind come after one of them."""

    @abstractmethod
    def counts(self) -> dict[tuple[str, str], int]:
        """The number of objects by group and kind."""

    @abstractmethod
    def all(self) -> Iterator[Object]:
        """Every object, by group, kind, namespace and name."""

    @abstractmethod
    def with_text(self, text: str) -> Iterator[Object]:
        """The objects whose JSON has this text in it."""

    @abstractmethod
    def keys_in(self, namespace: str) -> Iterator[ObjectId]:
        """Which objects are in a namespace."""

    @abstractmethod
    def keys_of(self, group: str, kind: str, namespace: str | None = None) -> Iterator[ObjectId]:
        """Which objects of a kind there are, in one namespace or in all."""

    @abstractmethod
    def put(self, key: ObjectId, content: Object, version: int | None = None) -> None:
        """Store an object, replacing an existing one; with a version, the history has this change."""

    @abstractmethod
    def remove(self, key: ObjectId, version: int) -> None:
        """Remove an object; the history has this change."""

    @abstractmethod
    def clear(self) -> None:
        """Remove all objects."""

    # ---- history ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def changes_since(self, version: int) -> list[Change] | None:
        """The changes after a version; None if the history does not go back so far."""

    @abstractmethod
    def changed_since(self, version: int, group: str, kind: str) -> dict[ObjectId, Object | None] | None:
        """The changed objects of a kind as they were at a version; None if the history does not go back so far."""

    @abstractmethod
    def forget_history(self) -> None:
        """Make those who follow the changes read everything again."""

    # ---- values ----------------------------------------------------------------------------------------------------

    @abstractmethod
    def release(self) -> str:
        """The release that the store was made for."""

    @abstractmethod
    def number(self, name: str) -> int:
        """A counter."""

    @abstractmethod
    def text(self, name: str) -> str | None:
        """A text, or None if it was never stored."""

    @abstractmethod
    def set(self, name: str, value: int | str) -> None:
        """Store a text or a counter."""

    @abstractmethod
    def check(self) -> None:
        """Read everything; a StoreError says if anything is damaged."""

    def next_version(self) -> int:
        """A new resourceVersion, never used before."""
        version = self.number(VERSION) + 1
        self.set(VERSION, version)
        return version
