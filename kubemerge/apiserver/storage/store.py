"""The interface of stores: `sqlite.py`, which writes a file, and `memory.py`."""

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
"""The release, the last resourceVersion, and that of the last change to CustomResourceDefinitions."""
POLICIES_CHANGED = "policiesChanged"
"""The resourceVersion of the last change to admission policies, bindings or webhook configurations, as a text. Missing
before one.
"""
PATCH_RELEASE = "patchRelease"
"""The release as `1.36.1`, if the cluster was created for a patch release."""
DELETIONS_DENIED = "deletionsDenied"
"""A text if a policy denied the deletion of an object by a controller, which tries again after a change of policies."""
TOKEN_KEY = "tokenKey"  # noqa: S105 - a name
"""The key that signs ServiceAccount tokens, once one was issued."""


class Store(ABC):
    """The objects of one cluster, with the resourceVersion counter and a few other values."""

    file: str
    closed_to_others: bool = False
    """Whether others could read the file before it was opened."""
    is_complete: bool = True
    """Whether the store contains all objects of the cluster, so that a missing one does not exist."""

    # ---- transactions ----------------------------------------------------------------------------------------------

    @abstractmethod
    def writing(self) -> AbstractContextManager[None]:
        """A write transaction, one at a time, kept as a whole or rolled back."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[None]:
        """A read transaction: a consistent snapshot of the objects."""

    @abstractmethod
    def together(self) -> AbstractContextManager[None]:
        """Group several transactions, each kept or not by itself. If the group fails, none is kept."""

    @abstractmethod
    def close(self) -> None:
        """Close the store."""

    # ---- objects ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def get(self, key: ObjectId) -> Object | None:
        """Return one object."""

    @abstractmethod
    def has(self, key: ObjectId) -> bool:
        """Whether an object exists, without reading it."""

    @abstractmethod
    def get_shared(self, key: ObjectId) -> Object | None:
        """Return one object that must not be changed."""

    @abstractmethod
    def of_kind(self, group: str, kind: str, namespace: str | None = None) -> Iterator[Object]:
        """Return the current objects of a kind by namespace and name, of one namespace or of all."""

    @abstractmethod
    def of_kind_after(self, group: str, kind: str, namespace: str | None, after: ObjectId | None) -> Iterator[Object]:
        """Return the objects of a kind after one of them, inside the transaction."""

    @abstractmethod
    def count_after(self, group: str, kind: str, namespace: str | None, after: ObjectId | None) -> int:
        """Count the objects of a kind after one of them."""

    @abstractmethod
    def counts(self) -> dict[tuple[str, str], int]:
        """The number of objects by group and kind."""

    @abstractmethod
    def all(self) -> Iterator[Object]:
        """Every object, by group, kind, namespace and name."""

    @abstractmethod
    def with_text(self, text: str) -> Iterator[Object]:
        """Return the objects whose JSON contains this text."""

    @abstractmethod
    def keys_in(self, namespace: str) -> Iterator[ObjectId]:
        """Yield the keys of the objects in a namespace."""

    @abstractmethod
    def keys_of(self, group: str, kind: str, namespace: str | None = None) -> Iterator[ObjectId]:
        """Yield the keys of the objects of a kind, in one namespace or in all."""

    @abstractmethod
    def put(self, key: ObjectId, content: Object, version: int | None = None) -> None:
        """Store an object, replacing an existing one. With a version, the change is added to the history."""

    @abstractmethod
    def remove(self, key: ObjectId, version: int) -> None:
        """Remove an object, and add the change to the history."""

    @abstractmethod
    def clear(self) -> None:
        """Remove all objects."""

    # ---- history ---------------------------------------------------------------------------------------------------

    @abstractmethod
    def changes_since(self, version: int) -> list[Change] | None:
        """Return the changes after a version. None if the history does not reach back so far."""

    @abstractmethod
    def changed_since(self, version: int, group: str, kind: str) -> dict[ObjectId, Object | None] | None:
        """Return changed objects of a kind as they were at a version. None if the history does not reach
        back so far.
        """

    @abstractmethod
    def forget_history(self) -> None:
        """Make all watches list again."""

    # ---- values ----------------------------------------------------------------------------------------------------

    @abstractmethod
    def release(self) -> str:
        """The release of the store."""

    @abstractmethod
    def number(self, name: str) -> int:
        """Return a counter."""

    @abstractmethod
    def text(self, name: str) -> str | None:
        """Return a text, or None if it was never stored."""

    @abstractmethod
    def set(self, name: str, value: int | str) -> None:
        """Store a text or a counter."""

    @abstractmethod
    def check(self) -> None:
        """Read everything. Raise StoreError if anything is damaged."""

    def next_version(self) -> int:
        """Return a new resourceVersion, never used before."""
        version = self.number(VERSION) + 1
        self.set(VERSION, version)
        return version
