"""Merging lists: elements by key, scalars by value, and the order of the result.

The reference merges in the memory of the live list, and later reads the order of the live elements from that same
memory. Its changed content affects the result, so this code models it: `live` is a list that is modified while merging.
"""

from __future__ import annotations

from ..directives import DELETE, PATCH, REPLACE
from ..errors import BadMergeKey, MergeError, MissingMergeKey, MixedElements, OrderMismatch, UnknownDirective
from ..values.plain import ABSENT, identity, kind_name, same_scalar, strip_directives
from .order import Positions, deduplicate, element_type, merge_order, partition, require_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from ..tables.patch_schema import PatchMeta, PatchSchema
    from ..values.plain import Object

    Items: TypeAlias = list[Any]
    Maps: TypeAlias = Callable[[Object, Object, PatchSchema], Object]
    """Merges an element of the patch into an element of the live list."""


def merge_list(maps: Maps, live: Items, patch: Items, field: PatchMeta) -> Items:
    """The merged list, in the order of the patch and of the live list. Modifies `live` (see above)."""
    if not live and not patch:
        return []
    if element_type(live, patch) is not dict:
        return _scalars(live, patch, field.merge_key or None)
    key = field.merge_key
    if not key:
        raise MissingMergeKey("", (patch or live)[0])
    kept, gone, replaced = _by_directive(patch, key)
    left = _without(live, gone, key) if gone else list(live)
    if replaced:
        return merge_order([], kept, [], kept, key)
    merged = _merge(maps, live, left, kept, field)
    ours, theirs = partition(merged, kept, key)
    return merge_order(ours, theirs, kept, left, key)


def _scalars(live: Items, patch: Items, key: str | None) -> Items:
    count = len(live)
    both = live + patch
    end = deduplicate(both)
    if _capacity(count) >= len(both):
        live[:] = both[:count]
    ours, theirs = partition(both[:end], patch, key)
    return merge_order(ours, theirs, patch, live, key)


def _capacity(count: int) -> int:
    """The capacity of a decoded list of this length in Go. Beyond 512 Go grows differently, which is ignored."""
    return 1 << (count - 1).bit_length() if count else 0


def _by_directive(patch: Items, key: str) -> tuple[Items, Items, bool]:
    """The elements of a patch to merge, the keys of those to delete, and True if the list is replaced."""
    kept, gone, replaced = [], [], False
    for item in patch:
        word = item.get(PATCH, ABSENT)
        if word is ABSENT:
            kept.append(item)
        elif word == DELETE:
            require_key(key, [item])
            gone.append(item[key])
        elif word == REPLACE:
            replaced = True
        else:
            raise UnknownDirective(word, item)
    return kept, gone, replaced


def _without(live: Items, gone: Items, key: str) -> Items:
    """The elements without deleted keys. `live` is modified too, and keeps its content after the new end."""
    places: dict[Any, list[int]] = {}
    unhashable = {type(value) for value in gone} & {dict, list}
    for at, item in enumerate(live):
        value = item.get(key, ABSENT)
        if type(value) in unhashable:
            raise BadMergeKey(value)
        if value is not ABSENT and type(value) not in (dict, list):
            places.setdefault(identity(value), []).append(at)
    hashable = [value for value in gone if type(value) not in unhashable]
    dead = {at for value in hashable for at in places.get(identity(value), ())}
    left = [item for at, item in enumerate(live) if at not in dead]
    live[: len(left)] = left
    return left


def _merge(maps: Maps, live: Items, left: Items, kept: Items, field: PatchMeta) -> Items:
    """The rest of the live list, with the elements of the patch merged into it or appended."""
    key, schema = field.merge_key, field.element
    merged = list(left)
    positions = Positions(left, key)
    for item in kept:
        require_key(key, (item,))
        at = positions.of(item)
        if at >= 0:
            try:
                merged[at] = maps(merged[at], item, schema)
            except MergeError as error:
                error.within(((key, item[key]),))
                raise
        else:
            if len(merged) < len(live):
                live[len(merged)] = item
            positions.add(item, len(merged))
            merged.append(item)
    return merged


def put_in_order(maps: Maps, live: Any, patch: Any, order: Items, field: PatchMeta, *, stores_directives: bool) -> Any:
    """A list whose order is set by the patch; ABSENT if it is in neither the object nor the patch."""
    key = field.merge_key
    _check_order([] if patch is ABSENT else patch, order, key)
    if live is ABSENT and patch is ABSENT:
        return ABSENT
    storage = [] if live is ABSENT else list(live)
    if patch is ABSENT:
        merged, patch = storage, []
    elif live is ABSENT and stores_directives:
        merged = patch
    elif live is ABSENT:
        merged = [item for item in [strip_directives(item, nulls=True) for item in patch] if item is not ABSENT]
    else:
        merged = merge_list(maps, storage, patch, field) if field.merges else patch
    ours, theirs = partition(merged, order, key or None)
    return merge_order(ours, theirs, order, storage, key if element_type(storage, patch) is dict else None)


def _check_order(patch: Items, order: Items, key: str) -> None:
    """Raise an error for patch elements that are not in the given order; elements with a directive do not count."""
    if not patch or not order:
        return
    if key and not all(type(item) is dict for item in patch):
        raise MixedElements(sorted({kind_name(item) for item in patch}))
    items = [item for item in patch if item.get(PATCH) != DELETE] if key else patch
    at = here = 0
    while at < len(items) and here < len(order):
        item = items[at]
        if type(item) is dict and PATCH in item:
            at += 1
            continue
        if key:
            require_key(key, (item, order[here]))
            at += same_scalar(item[key], order[here][key])
        else:
            at += same_scalar(item, order[here])
        here += 1
    if at < len(items):
        raise OrderMismatch(patch, order)


def remove_scalars(maps: Maps, live: Items, gone: Items, field: PatchMeta) -> Items:
    """A list without the scalars named in a directive; a list of maps is merged as with any patch."""
    if not live and not gone:
        return live
    if element_type(live, gone) is dict:
        return merge_list(maps, list(live), gone, field)
    known = {identity(item) for item in gone}
    return [item for item in live if identity(item) not in known]
