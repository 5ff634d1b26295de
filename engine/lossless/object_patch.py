"""Strategic merge patches that turn a live object into a given object, on any API server.

A list whose elements share a merge key is sent as a whole.
"""

from __future__ import annotations

from ..directives import DELETE, ORDER, PATCH, REMOVE, REPLACE
from ..errors import MergeError
from ..strategic.fast import apply_by
from ..values.plain import ABSENT, copied, identity, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..tables.identity import Keys
    from ..tables.patch_schema import PatchMeta, PatchSchema
    from ..values.plain import Object


class _Inexpressible(Exception):
    """A list order that no patch can produce; the parent map is sent as a whole."""


def patch_between(live: Object, wanted: Object, schema: PatchSchema) -> Object:
    """The patch, verified by applying it; if the result is not the wanted object, the whole object."""
    try:
        patch = _maps(live, wanted, schema)
        if same(apply_by(schema).maps(live, patch, schema), wanted):
            return patch
    except (_Inexpressible, MergeError):
        pass  # happens only if the live object has directives in its data
    return _whole(wanted)


def _whole(wanted: Object) -> Object:
    return {**copied(wanted), PATCH: REPLACE}


def _maps(live: Object, wanted: Object, schema: PatchSchema) -> Object:
    patch: Object = {key: None for key in live if key not in wanted}
    for key, value in wanted.items():
        old = live.get(key, ABSENT)
        if old is not ABSENT and same(old, value):
            continue
        kind = type(value)
        if kind is not type(old) or kind not in (dict, list):
            patch[key] = copied(value)
        elif kind is dict:
            field = schema.field(key)
            patch[key] = copied(value) if field.replaces else _map(old, value, field.inside)
        else:
            _list(key, old, value, schema.list_field(key), patch)
    return patch


def _map(old: Object, value: Object, schema: PatchSchema) -> Object:
    try:
        return _maps(old, value, schema)
    except _Inexpressible:
        return _whole(value)


def _list(name: str, old: list[Any], value: list[Any], field: PatchMeta, patch: Object) -> None:
    if not field.merges:
        patch[name] = copied(value)
    elif not field.merge_key:
        _scalars(name, old, value, patch)
    elif _has_unique_keys(old, field.merge_key) and _has_unique_keys(value, field.merge_key):
        _elements(name, old, value, field, patch)
    elif _is_grouped(value, field.keys):
        patch[name] = [{PATCH: REPLACE}, *copied(value)]
    else:
        raise _Inexpressible


def _has_unique_keys(elements: list[Any], key: str) -> bool:
    """True if no two elements share a merge key, also as text, since some servers compare text."""
    if not all(type(element) is dict and element.get(key) is not None for element in elements):
        return False
    return len({str(element[key]) for element in elements}) == len(elements)


def _is_grouped(elements: list[Any], keys: Keys) -> bool:
    """True if elements that share a merge key are adjacent, as servers sort a list that is sent as a whole."""
    groups: dict[Any, int] = {}
    numbers = [groups.setdefault(keys.merged_by(element), len(groups)) for element in elements]
    return numbers == sorted(numbers)


def _elements(name: str, old: list[Any], value: list[Any], field: PatchMeta, patch: Object) -> None:
    key, name_of = field.merge_key, field.keys.merged_by
    before = {name_of(element): element for element in old}
    kept = set(map(name_of, value))
    items: list[Object] = []
    for element in value:
        live = before.get(name_of(element))
        if live is None:
            items.append(copied(element))
        elif not same(live, element):
            items.append({**_maps(live, element, field.element), key: element[key]})
    items += [{key: element[key], PATCH: DELETE} for element in old if name_of(element) not in kept]
    if items:
        patch[name] = items
    if value:
        patch[f"{ORDER}/{name}"] = [{key: element[key]} for element in value]


def _scalars(name: str, old: list[Any], value: list[Any], patch: Object) -> None:
    kept = {identity(item) for item in value}
    gone = {identity(item): item for item in old if identity(item) not in kept}
    if gone:
        patch[f"{REMOVE}/{name}"] = [*gone.values()]
    if value:
        patch[name] = copied(value)
        patch[f"{ORDER}/{name}"] = copied(value)
