"""The three-way patch in one pass over the config, for ordinary documents.

Like `fast`, it gives exactly the result of the plain code, or hands documents over to it.
"""

from __future__ import annotations

from itertools import repeat

from ..directives import DELETE, ORDER, PATCH, RETAIN
from ..errors import MergeError
from ..values.plain import ABSENT, JSON_TYPES, SCALAR_TYPES, copied, no_fields, require_plain, same, same_types, text
from .fast import DELETIONS, DELTA, TEXT, combine_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from ..tables.patch_schema import PatchMeta, PatchSchema
    from ..values.plain import Object
    from .diff import Items

    OfElements: TypeAlias = tuple[str, PatchSchema, bool, bool, bool]
    """See `PatchMeta.of_elements`."""

NOTHING: Object = {}
INTEGER = {int}
PLAIN_TYPES = frozenset({str, int})


class NeedsGeneralPath(Exception):
    """Documents that need the general code."""


def three_way(last: Object, config: Object, live: Object, schema: PatchSchema) -> Object:
    """The patch from `live` to `config`; removes fields of `last` that `config` no longer has."""
    try:
        return quick_three_way(last, config, live, schema)
    except (NeedsGeneralPath, MergeError):  # the general code also finds the path of an error
        return full_three_way(last, config, live, schema)


def full_three_way(last: Object, config: Object, live: Object, schema: PatchSchema) -> Object:
    """The three-way patch as the reference makes it: two comparisons, whose patches are combined."""
    delta = DELTA.maps(live, config, schema)
    return combine_by(schema).maps(DELETIONS.maps(last, config, schema), delta, schema)


def quick_three_way(  # noqa: C901, PLR0912 - one pass in one function, for speed
    last: Object, config: Object, live: Object, schema: PatchSchema, retains: bool = False
) -> Object:
    """The same in one pass over the config, for documents without directives and repeated keys.

    NeedsGeneralPath for others, and where live does not have the last applied values.
    """
    if PATCH in config:
        raise NeedsGeneralPath
    patch: Object = {}
    fields = schema.fields
    for key, value in config.items():
        current = live.get(key, ABSENT)
        kind = type(value)
        if kind is str:
            if value != current:
                patch[key] = value
        elif kind is dict and type(current) is dict:
            field = fields.get(key)
            if field is None:
                raise NeedsGeneralPath
            merges, skip_equal, inside, keeps = field.of_maps
            if not merges:
                raise NeedsGeneralPath
            old = last.get(key)
            # If nothing was applied, or exactly this, then nothing was removed at any depth.
            if type(old) is not dict:
                old = NOTHING if old is None else no_fields(old)
            elif skip_equal and old == value:
                old = NOTHING
            if not (skip_equal and value == current and same_types(value, current, PATCH)):
                inner = quick_three_way(old, value, current, inside, keeps)
            elif old:
                inner = DELETIONS.maps(old, value, inside, keeps)
            else:
                continue
            if inner:
                patch[key] = inner
        elif kind is list and type(current) is list:
            _list(key, last.get(key), value, current, fields.get(key), patch)
        elif value != current or kind is not type(current) or kind not in SCALAR_TYPES:
            patch[key] = _copy_added(value, last.get(key), current)
    for key in last:
        if key not in config:
            patch[key] = None
    if patch and min(patch) < "%":
        _reject_directives(patch, last, config)
    if retains:
        _add_retained_keys(config, live, patch)
    return patch


def _reject_directives(patch: Object, last: Object, config: Object) -> None:
    """NeedsGeneralPath if a field of the documents looks like a directive."""
    for key in patch:
        if key[:1] == "$" and (key in config or key in last):
            raise NeedsGeneralPath


def _add_retained_keys(config: Object, live: Object, patch: Object) -> None:
    if patch or not live.keys() <= config.keys():
        kept = sorted(key for key, value in config.items() if value is not None)
        if kept and (patch or any(value is not None and key not in config for key, value in live.items())):
            patch[RETAIN] = kept


def _copy_added(value: Any, old: Any, current: Any = ABSENT) -> Any:
    """A copy of a value that live does not have, or has with another type."""
    kind, plain = type(value), type(old) in JSON_TYPES and type(current) in JSON_TYPES
    if kind is float:
        require_plain(current)
    if not plain or ((kind is dict or kind is list) and (type(old) is kind or _has_patch_directive(value))):
        raise NeedsGeneralPath
    return copied(value)


def _has_patch_directive(value: Any) -> bool:
    """True if there is a `$patch` anywhere in the value."""
    if type(value) is dict:
        return PATCH in value or any(map(_has_patch_directive, value.values()))
    return type(value) is list and any(map(_has_patch_directive, value))


def _list(  # noqa: C901 - one function, for speed
    name: str, old: Any, value: Items, current: Items, field: PatchMeta | None, patch: Object
) -> None:
    """Add the changes of a list to the patch; NeedsGeneralPath for lists that are not plain."""
    of_elements = None if field is None else field.of_elements
    if of_elements is None:
        raise NeedsGeneralPath
    key, _, skip_equal, _, merges = of_elements
    if not merges:
        if not same(value, current):
            copied(current)  # raises an error for values that are not plain
            patch[name] = _copy_added(value, None)
        return
    if not key or not current:
        _scalar_list(name, old, value, current, patch)
        return
    if value == current == old and _causes_no_patch(value, current, of_elements):
        return
    if type(old) is not list:
        require_plain(old)
        old = []
    same_as_old = skip_equal and old == value
    names, live_names, old_names = _keys(key, value, current, old, same_as_old)
    ordered, known = names == live_names, names == old_names
    now: Iterable[Any] = current if ordered else _lookup(names, live_names, current)
    before: Iterable[Any] = old
    if not known:
        before = _lookup(names, old_names, old)
    elif same_as_old:
        before = repeat(None, len(names))  # nothing in them was removed, at any depth
    changed = _elements(names, value, now, before, of_elements)
    if not known:
        gone = {*old_names}.difference(names)
        if not PLAIN_TYPES.issuperset(map(type, gone)):
            raise NeedsGeneralPath
        changed += [{key: name, PATCH: DELETE} for name in sorted(gone, key=text)]
    if changed:
        patch[name] = changed
    if names and (changed or not ordered):
        patch[f"{ORDER}/{name}"] = [{key: name} for name in names]


def _causes_no_patch(value: Items, current: Items, of_elements: OfElements) -> bool:
    """True if a list that is equal in all documents causes no patch: its keys are unique strings."""
    key, _, skip_equal, _, _ = of_elements
    if not (skip_equal and same_types(value, current, PATCH)):
        return False
    try:
        names = [item[key] for item in value]
        "".join(names)  # a TypeError if one is not a string
    except (TypeError, LookupError):
        return False
    return len({*names}) == len(names)


def _scalar_list(name: str, old: Any, value: Items, current: Items, patch: Object) -> None:
    """Lists that are new, or unchanged sorted lists of strings; NeedsGeneralPath for others."""
    applied = type(old) is list and len(old) > 0
    require_plain(old)
    if not current and not applied:
        if value:
            patch[name] = _copy_added(value, None)
    elif value != current or (applied and old != value) or {*map(type, value)} != TEXT or sorted(value) != value:
        raise NeedsGeneralPath


def _elements(names: Items, value: Items, now: Iterable[Any], before: Iterable[Any], of_elements: OfElements) -> Items:
    """The changed elements of a keyed list, without deletions."""
    key, schema, skip_equal, retains, _ = of_elements
    changed: Items = []
    for name, new, live, last in zip(names, value, now, before):  # noqa: B905 - mypyc compiles only this one well
        if live is None:
            changed.append(_copy_added(new, last))
            continue
        if not (skip_equal and new == live and same_types(new, live, PATCH)):
            inner = quick_three_way(last or NOTHING, new, live, schema, retains)
        elif last is None or last == new:
            continue
        else:
            inner = DELETIONS.maps(last, new, schema, retains)
        if inner:
            inner[key] = name
            changed.append(inner)
    return changed


def _lookup(names: Items, keys: Items, items: Items) -> Iterable[Any]:
    """For each name, the element with that key, or None; NeedsGeneralPath if a key repeats."""
    by_key = dict(zip(keys, items))  # noqa: B905 - equally long
    if len(by_key) < len(keys):
        raise NeedsGeneralPath
    return map(by_key.get, names)


def _keys(key: str, value: Items, current: Items, old: Items, same_as_old: bool) -> tuple[Items, Items, Items]:
    """The keys of the elements of the three lists; NeedsGeneralPath if odd, or repeated in the first.

    They are all integers, or all strings. Subclasses of str are found where the elements themselves are compared.
    """
    try:
        names = [item[key] for item in value]
        live_names = [item[key] for item in current]
        kind = type((names or live_names)[0])
        old_names = names if same_as_old and kind is str else [item[key] for item in old]
        if kind is str:
            "".join(names)  # a TypeError if one is not a string
            if not names == live_names == old_names:
                "".join(live_names + old_names)
        elif {*map(type, names), *map(type, live_names), *map(type, old_names)} != INTEGER:
            raise NeedsGeneralPath
    except (TypeError, LookupError):
        raise NeedsGeneralPath from None
    if len({*names}) < len(names):
        raise NeedsGeneralPath
    return names, live_names, old_names
