"""Importing objects of another cluster from the output of `kubectl get -o yaml`."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .controllers.bootstrap import create_namespaces
from .errors import BadRequest, ClusterError, NoMatch
from .identity import ObjectId
from .kinds.builtin_kinds import DEFINITION, NAMESPACE, stored_in
from .metadata import check_values, copy_as_json
from .resources import check_definition, key_of
from .storage.store import KINDS_CHANGED, POLICIES_CHANGED, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .metadata import Origins
    from .protocol import Object
    from .resources import Kinds
    from .storage.store import Store

LARGEST_VERSION = 1 << 62
"""The largest resourceVersion that can be a counter. Objects above it get a new one."""


@dataclass
class Loaded:
    """The result of importing a dump."""

    added: int = 0
    replaced: int = 0
    namespaces: tuple[str, ...] = ()
    """Namespaces created because the dump has objects in them, but no Namespace."""
    unserved: tuple[tuple[str, str], ...] = ()
    """apiVersion and kind of objects that are stored, but not served until their kind is defined."""


def load(store: Store, kinds: Callable[[], Kinds], objects: Sequence[Object], origins: Origins) -> Loaded:
    """Store these objects inside a transaction, replacing existing ones.

    The `index` of an error is the position of the object that cannot be stored.
    """
    loading = _Loading(store, origins)
    dump: list[Object] = []
    for index, one in enumerate(objects):
        with _about(index):
            dump.append(_readable(one, kinds))
    store.set(VERSION, max([store.number(VERSION), *filter(None, map(_version, dump))]))
    for part in (True, False):  # definitions of kinds first
        now = kinds()
        for index, one in enumerate(dump):
            if is_definition(one) is part:
                with _about(index):
                    loading.take(one, now)
        store.set(KINDS_CHANGED, store.next_version())
        store.forget_history()  # it lacks the objects of a dump
    store.set(POLICIES_CHANGED, str(store.number(VERSION)))
    loading.add_namespaces()
    return loading.loaded


def hold(store: Store, kinds: Kinds, origins: Origins, live: Object | None, namespace: str) -> None:
    """Store one object unchanged inside a transaction, and create the namespace of the request if it is missing."""
    loading = _Loading(store, origins)
    if live is not None:
        loading.take(_readable(live, lambda: kinds), kinds)
    if namespace and store.get(ObjectId(*NAMESPACE, "", namespace)) is None:
        create_namespaces(store, origins, [namespace])


@contextmanager
def _about(index: int) -> Iterator[None]:
    try:
        yield
    except ClusterError as error:
        error.index = index
        raise


def _readable(content: Object, kinds: Callable[[], Kinds]) -> Object:
    found = copy_as_json(content)
    check_values(found["metadata"])
    if is_definition(found):
        now = kinds()
        check_definition(found, now.resource(found["apiVersion"], found["kind"]), now.release)
    return found


def is_definition(content: Object) -> bool:
    """Whether an object is a CustomResourceDefinition."""
    return ObjectId.of(content).group_kind == DEFINITION


class _Loading:
    def __init__(self, store: Store, origins: Origins) -> None:
        self._store, self._origins = store, origins
        self._namespaces: set[str] = set()
        self.loaded = Loaded()

    def take(self, content: Object, kinds: Kinds) -> None:
        """Store one object. Fill in missing metadata."""
        key, found = self._key(content, kinds), content["metadata"]
        if not self._store.has(key):
            self.loaded.added += 1
        else:
            self.loaded.replaced += 1
        self._namespaces.add(key.namespace)
        metadata = {**found, **({"namespace": key.namespace} if key.namespace else {})}
        metadata.setdefault("uid", self._origins.uid())
        metadata.setdefault("creationTimestamp", self._origins.now())
        if _version(content) is None:
            metadata["resourceVersion"] = str(self._store.next_version())
        self._store.put(key, {**content, "metadata": metadata})

    def _key(self, content: Object, kinds: Kinds) -> ObjectId:
        api_version, kind, found = content["apiVersion"], content["kind"], content["metadata"]
        name = found.get("name")
        if not name:
            raise BadRequest(f"a {kind} of the dump has no metadata.name. Dump the objects again")
        try:
            return key_of(kinds.resource(api_version, kind), name, found.get("namespace"))
        except NoMatch:
            pair = (api_version, kind)
            self.loaded.unserved = tuple(sorted({*self.loaded.unserved, pair}))
            group = api_version.rpartition("/")[0]
            return ObjectId(stored_in(group, kind), kind, found.get("namespace") or "", name)

    def add_namespaces(self) -> None:
        """Create the missing namespaces of objects in the dump."""
        needed = sorted(name for name in self._namespaces if name)
        missing = [name for name in needed if self._store.get(ObjectId(*NAMESPACE, "", name)) is None]
        create_namespaces(self._store, self._origins, missing)
        self.loaded.namespaces = tuple(missing)


def _version(content: Object) -> int | None:
    text = content["metadata"].get("resourceVersion", "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 20 else 0
    return number if 0 < number < LARGEST_VERSION else None
