"""Pages of lists, all at the resourceVersion of the first page."""

from __future__ import annotations

from functools import partial
from heapq import merge
from typing import TYPE_CHECKING, NamedTuple

from ..crd.deadlines import Unfinished
from ..errors import Expired
from ..kinds.builtin_kinds import stored_in
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


MAX_COUNTS = 1_000
"""The maximum number of remembered counts."""


class ListOptions(NamedTuple):
    """The parameters of a list."""

    resource: Resource
    namespace: str | None = None
    selects: Callable[[Object], bool] | None = None
    limit: int = 0
    """The maximum number of objects. 0 for all."""
    after: ObjectId | None = None
    """The last object of the page before."""
    version: int | None = None
    """The resourceVersion of the list. None for the current one."""


class Page(NamedTuple):
    """Objects of a kind, by namespace and name."""

    items: list[Object]
    version: int
    """The resourceVersion of the list."""
    last: ObjectId | None
    """The last object, if there are more."""
    remaining: int | None
    """The number of remaining objects. None for a list with selectors."""


class RemainingCounts:
    """The numbers of objects after the last pages.

    Counting takes as long as there are objects. The count of a page is that of the page before without its objects.
    """

    def __init__(self) -> None:
        self._counts: dict[tuple[int, str, str, str | None, ObjectId | None], int] = {}

    def after(
        self, wanted: ListOptions, version: int, last: ObjectId | None, items: int, count: Callable[[], int]
    ) -> int:
        """The number of objects after the last one of a page, which has this number of objects."""
        group = stored_in(wanted.resource.group, wanted.resource.kind)
        kind, namespace = wanted.resource.kind, wanted.namespace if wanted.resource.namespaced else None
        before = self._counts.get((version, group, kind, namespace, wanted.after))
        found = count() if before is None else before - items
        if len(self._counts) >= MAX_COUNTS:
            self._counts.clear()
        self._counts[version, group, kind, namespace, last] = found
        return found


def page(store: Store, kinds: Kinds, wanted: ListOptions, counts: RemainingCounts) -> Page:
    """Return one page, inside a transaction. Raise Expired if the resourceVersion is too old."""
    now = store.number(VERSION)
    version = now if wanted.version is None else wanted.version
    items: list[Object] = []
    last: ObjectId | None = None
    unfinished: list[Unfinished] = []
    objects = _then(store, wanted, version, now)
    for key, found in objects:
        if wanted.limit and len(items) == wanted.limit:
            _raise_all(unfinished)
            if wanted.selects is not None:
                return Page(items, version, last, None)
            is_now = version == now
            count = partial(_count_after, store, wanted, last) if is_now else partial(_count_from_here, objects)
            return Page(items, version, last, counts.after(wanted, version, last, len(items), count))
        try:
            seen = kinds.in_version(found, wanted.resource)
        except Unfinished as error:  # the conversion webhook is called for all objects together
            unfinished.append(error)
            continue
        if wanted.selects is None or wanted.selects(seen):
            items.append(seen)
            last = key
    _raise_all(unfinished)
    return Page(items, version, None, None)


def _count_after(store: Store, wanted: ListOptions, last: ObjectId | None) -> int:
    """The current number of objects after this one."""
    group, kind = stored_in(wanted.resource.group, wanted.resource.kind), wanted.resource.kind
    return store.count_after(group, kind, wanted.namespace if wanted.resource.namespaced else None, last)


def _count_from_here(objects: Iterator[tuple[ObjectId, Object]]) -> int:
    """The number of objects that are left, and the one before them, which is not on the page."""
    return 1 + sum(1 for _ in objects)


def _raise_all(unfinished: list[Unfinished]) -> None:
    """Raise all work that a page waits for as one."""
    if not unfinished:
        return

    def finish() -> None:
        for one in unfinished:
            one.finish()

    raise Unfinished(finish, waits=True)


def _then(store: Store, wanted: ListOptions, version: int, now: int) -> Iterator[tuple[ObjectId, Object]]:
    """The objects at a version, after the last one of the page before."""
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
