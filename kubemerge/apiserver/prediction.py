"""An in-memory cluster for predictions: it handles one request about one given object and keeps nothing."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import engine

from .cluster import EmbeddedCluster
from .decoding import type_errors
from .decoding.decoder import as_stored, decode_object
from .defaulting.fill import apply_defaults
from .dumps import hold
from .identity import Reference
from .managed_fields import split_managed_fields, with_managed_fields
from .registry import service_allocation
from .resources import key_for
from .storage.changes import StoreEvent
from .storage.index import SERVICE, Index
from .storage.memory import MemoryStore
from .system_fields import ORIGINS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .identity import ObjectId
    from .protocol import Object, Resource
    from .resources import Kinds
    from .storage.store import Store


class PredictionCluster(EmbeddedCluster):
    """An in-memory cluster that can hold a live object for one request."""

    def __init__(self, kinds: Kinds, objects: Iterable[Object], *, is_complete: bool) -> None:
        self._kinds_given, self._is_complete = kinds, is_complete
        super().__init__(":memory:", release=kinds.patch_release, controllers="-*", origins=ORIGINS)
        for one in objects:
            with suppress(engine.MergeError):
                self.load([one])

    def _opened(self, file: str, release: str, mode: str) -> Store:  # noqa: ARG002
        store = MemoryStore(release, is_complete=self._is_complete)
        self._populate(store)
        return store

    def _kinds(self) -> Kinds:
        return self._kinds_given

    @contextmanager
    def holding(self, live: Object | None, resource: Resource, content: Object) -> Iterator[None]:
        """Hold the live object, if any, and its namespace for the time of the block, then undo everything."""
        metadata = content.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
        if live is None and not (name and isinstance(name, str)):
            yield  # it has no name yet, or is rejected
            return
        key = key_for(resource, Reference.of(content))
        namespace = key.namespace if self._is_complete else ""
        if live is None and not namespace and not self._store.has(key):
            yield
            return
        with suppress(RollBack), self._store.together():
            with self._store.writing():
                if live is None and self._store.has(key):
                    self._without(key)
                hold(self._store, self._kinds(), self._origins, live, namespace)
            self._index = Index()
            try:
                yield
            finally:
                self._index = Index()
            raise RollBack

    def _without(self, key: ObjectId) -> None:
        """Remove an object that the request creates, and its usage of quotas."""
        before = self._store.get(key)
        self._store.remove(key, self._store.next_version())
        if key.namespace in Index().quotas(self._store):
            from .quota.release import release  # most clusters have no quotas

            release(self._changes(dry_run=False), StoreEvent(key, before, None))

    def read(self, live: Object) -> Object:
        """Return the object as it is read from the store."""
        with self._store.reading():
            kinds = self._kinds()
            resource = kinds.resource(live["apiVersion"], live["kind"])
            content, entries = split_managed_fields(live)
            if type_errors.unreadable(content, resource, kinds)[0]:
                return live
            definition = kinds.definition(resource)
            if definition is not None:
                return kinds.in_version(kinds.stored(live), resource)
            found = apply_defaults(decode_object(content, resource, kinds), kinds.release, definition)
            if (resource.group, resource.kind) == SERVICE:
                found = service_allocation.as_read(found, kinds.minor)
            return with_managed_fields(as_stored(found, resource, kinds), entries)


class RollBack(Exception):
    """Roll back a transaction."""
