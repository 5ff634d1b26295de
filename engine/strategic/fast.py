"""The three-way patch in one pass over the config, for documents without surprises.

The reference compares live object and config, then last applied config and new one, and lays the two patches together.
Where no directive is written in a document, no list repeats a key, and nothing that was applied has vanished since,
that comes to what is done here. Everything else is `Irregular` and takes the long way (see strategic).
"""

from __future__ import annotations

from itertools import repeat

from ..directives import DELETE, ORDER, PATCH, RETAIN
from ..errors import MergeError
from ..tables.shapes import is_quiet
from ..values.plain import ABSENT, SCALAR_TYPES, copied, same, same_types, text
from .diff import DELETIONS, DELTA
from .merge import COMBINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeAlias

    from ..tables.shapes import Field, Shape
    from ..values.plain import Object

    Items: TypeAlias = list[Any]
    KeyOf: TypeAlias = Callable[[Any], Any]


class Irregular(Exception):
    """A document that takes the long way."""


NOTHING: Object = {}


def exact_patch(last: Object, config: Object, live: Object, shape: Shape) -> Object:
    """The reference's three-way patch: the short way where it can be gone, else the long one."""
    try:
        return reconciled(last, config, live, shape)
    except (Irregular, MergeError):  # the long way also says where an error is
        return long_way(last, config, live, shape)


def long_way(last: Object, config: Object, live: Object, shape: Shape) -> Object:
    """The three-way patch as the reference makes it, from two comparisons."""
    delta = DELTA.maps(live, config, shape)
    return COMBINE.maps(DELETIONS.maps(last, config, shape), delta, shape)


def reconciled(last: Object, config: Object, live: Object, shape: Shape) -> Object:
    """The patch that brings `live` to `config`, and removes what `last` had and `config` has no more."""
    if PATCH in config:
        raise Irregular
    patch: Object = {}
    fields = shape.fields
    for key, value in config.items():
        current = live.get(key, ABSENT)
        kind = type(value)
        if kind is str:
            if value != current:
                patch[key] = value
        elif kind is not type(current):
            patch[key] = _added(value, last.get(key))
        elif kind is dict:
            inner = _map(last.get(key), value, current, fields.get(key))
            if inner:
                patch[key] = inner
        elif kind is list:
            _list(key, last.get(key), value, current, fields.get(key), patch)
        elif value != current or kind not in SCALAR_TYPES:
            patch[key] = copied(value)
    if last and not last.keys() <= config.keys():
        patch.update(_gone(last, config))
    if patch:
        _no_directives(patch, last, config)
    return patch


def _no_directives(patch: Object, last: Object, config: Object) -> None:
    """What the documents call a field does not look like a directive."""
    if any(key[:1] == "$" and (key in config or key in last) for key in patch):
        raise Irregular


def _gone(last: Object, config: Object) -> Object:
    return dict.fromkeys([key for key in last if key not in config])


def _retain(config: Object, live: Object, patch: Object) -> None:
    if not patch and live.keys() <= config.keys():
        return
    kept = sorted(key for key, value in config.items() if value is not None)
    if kept and (patch or any(value is not None and key not in config for key, value in live.items())):
        patch[RETAIN] = kept


def _added(value: Any, old: Any) -> Any:
    """A value that the live object does not have, or has something else in place of."""
    kind = type(value)
    if (kind is dict or kind is list) and (type(old) is kind or _speaks(value)):
        raise Irregular
    return copied(value)


def _speaks(value: Any) -> bool:
    """Whether there is a `$patch` anywhere in the value."""
    if type(value) is dict:
        return PATCH in value or any(type(item) in (dict, list) and _speaks(item) for item in value.values())
    return type(value) is list and any(type(item) in (dict, list) and _speaks(item) for item in value)


def _map(old: Any, value: Object, current: Object, field: Field | None) -> Object:
    if field is None or field.faulty or field.replaces:
        raise Irregular
    if type(old) is not dict or (field.quiet and old == value):
        old = NOTHING  # then nothing is gone, at any depth
    if field.quiet and value == current and same_types(value, current, PATCH):
        return DELETIONS.maps(old, value, field.inside, field.retains) if old else NOTHING
    inner = reconciled(old, value, current, field.inside)
    if field.retains:
        _retain(value, current, inner)
    return inner


def _list(name: str, old: Any, value: Items, current: Items, field: Field | None, patch: Object) -> None:
    if field is None or field.faulty or not field.lists:
        raise Irregular
    key = field.merge_key
    if not field.merges:
        if not same(value, current):
            patch[name] = _added(value, None)
    elif not key or not current:
        _unkeyed(name, old, value, current, patch)
    elif not (value == current == old and _is_settled(value, current, field)):
        changed, ordered = _elements(old, value, current, field)
        if changed:
            patch[name] = changed
        if value and (changed or not ordered):
            patch[f"{ORDER}/{name}"] = [{key: item[key]} for item in value]


def _is_settled(value: Items, current: Items, field: Field) -> bool:
    """Whether a list that is everywhere the same has nothing to say: its elements have names, each its own."""
    if not (is_quiet(field.element) and same_types(value, current, PATCH)):
        return False
    try:
        names = [*map(field.key_of, value)]
    except (TypeError, LookupError):
        return False
    return {*map(type, names)} <= _TEXT and len({*names}) == len(names)


def _unkeyed(name: str, old: Any, value: Items, current: Items, patch: Object) -> None:
    """Lists that are new in the live object, or sorted lists of words that nobody has changed."""
    applied = type(old) is list and len(old) > 0
    if not current and not applied:
        if value:
            patch[name] = _added(value, None)
    elif value != current or (applied and old != value) or not _all_text(value) or sorted(value) != value:
        raise Irregular


def _all_text(items: Items) -> bool:
    return all(type(item) is str for item in items)


def _elements(old: Any, value: Items, current: Items, field: Field) -> tuple[Items, bool]:
    """What the patch says of the elements of a keyed list, and whether the live ones are in the config's order."""
    key, shape, retains = field.merge_key, field.element, field.retains
    if type(old) is not list:
        old = []
    names, live_names, old_names = _keys(field.key_of, value, current, old)
    ordered = names == live_names
    quiet = is_quiet(shape)
    now: Iterable[Any] = current if ordered else map(dict(zip(live_names, current, strict=True)).get, names)
    before: Iterable[Any] = old
    if names != old_names:
        before = map(dict(zip(old_names, old, strict=True)).get, names)
    elif quiet and old == value:
        before = repeat(None, len(names))  # nothing of them is gone, at any depth
    changed: Items = []
    for name, new, live, last in zip(names, value, now, before, strict=True):
        if live is None:
            changed.append(_added(new, last))
            continue
        if quiet and new == live and same_types(new, live, PATCH):
            if last is None or last == new:
                continue
            inner = DELETIONS.maps(last, new, shape, retains)
        else:
            inner = reconciled(last or NOTHING, new, live, shape)
            if retains:
                _retain(new, live, inner)
        if inner:
            inner[key] = name
            changed.append(inner)
    if names != old_names:
        gone = {*old_names}.difference(names)
        changed += [{key: name, PATCH: DELETE} for name in sorted(gone, key=text)]
    return changed, ordered


def _keys(key_of: KeyOf, value: Items, current: Items, old: Items) -> tuple[Items, Items, Items]:
    """The keys of the elements: no list repeats one, and all are strings, or all integers."""
    try:
        names, live_names, old_names = [*map(key_of, value)], [*map(key_of, current)], [*map(key_of, old)]
    except (TypeError, LookupError):
        raise Irregular from None
    kinds = {*map(type, names)}
    if not (kinds == _TEXT and names == live_names == old_names):
        kinds |= {*map(type, live_names), *map(type, old_names)}
        if kinds not in _PLAIN or len({*live_names}) < len(live_names) or len({*old_names}) < len(old_names):
            raise Irregular
    if len({*names}) < len(names):
        raise Irregular
    return names, live_names, old_names


_TEXT = {str}
_PLAIN = (_TEXT, {int})
