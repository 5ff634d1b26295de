"""Lists in pages, each of them as the objects were when the first page was read."""

from __future__ import annotations

from heapq import merge
from typing import TYPE_CHECKING, NamedTuple

from ..errors import Expired
from ..kinds.facts import stored_in
from ..resources import key_in_store
from .store import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..identity import ObjectId
    from ..protocol import Object, Resource
    from ..resources import Kinds
    from .store import Store

TOO_OLD = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without "
    "the continue parameter."
)


class Wanted(NamedTuple):
    """Which objects of a kind a list is about."""

    resource: Resource
    namespace: str | None = None
    selects: Callable[[Object], bool] | None = None
    limit: int = 0
    """How many objects at most; 0 for all."""
    after: ObjectId | None = None
    """The last object of the page before."""
    version: int | None = None
    """The moment that the list is of; None for now."""


class Page(NamedTuple):
    """Objects of a kind, by namespace and name."""

    items: list[Object]
    version: int
    """The moment that the list is of."""
    last: ObjectId | None
    """The last object, if there are more."""
    remaining: int | None
    """How many more there are; None if that takes reading them."""


def page(store: Store, kinds: Kinds, wanted: Wanted) -> Page:
    """One page, inside a transaction; Expired if the moment is too long ago."""
    now = store.number(VERSION)
    version = now if wanted.version is None else wanted.version
    items: list[Object] = []
    last: ObjectId | None = None
    for key, found in _then(store, wanted, version, now):
        if wanted.limit and len(items) == wanted.limit:
            more = None if wanted.selects else _count(store, wanted, last) if version == now else None
            return Page(items, version, last, more)
        seen = kinds.seen(found, wanted.resource)
        if wanted.selects is None or wanted.selects(seen):
            items.append(seen)
            last = key
    return Page(items, version, None, None)


def _then(store: Store, wanted: Wanted, version: int, now: int) -> Iterator[tuple[ObjectId, Object]]:
    """The objects that there were at a version, after the last one that was read."""
    group, kind = stored_in(wanted.resource.group, wanted.resource.kind), wanted.resource.kind
    namespace = wanted.namespace if wanted.resource.namespaced else None
    stored = ((key_in_store(one), one) for one in store.of_kind_after(group, kind, namespace, wanted.after))
    if version == now:
        return stored
    changed = store.changed_since(version, group, kind)
    if changed is None:
        raise Expired(TOO_OLD)
    before = sorted(
        (key, one)
        for key, one in changed.items()
        if one is not None
        and (namespace is None or key.namespace == namespace)
        and (wanted.after is None or key > wanted.after)
    )
    return merge(((key, one) for key, one in stored if key not in changed), before, key=lambda pair: pair[0])


def _count(store: Store, wanted: Wanted, last: ObjectId | None) -> int:
    """How many objects come after the last one of a page."""
    group = stored_in(wanted.resource.group, wanted.resource.kind)
    namespace = wanted.namespace if wanted.resource.namespaced else None
    return store.count_after(group, wanted.resource.kind, namespace, last)
