"""Checks that prove the exact patch safe, so that most applies need no lossless merge.

To be fast, the checks look only at the patch, which is small, and at the few lists whose identity has more keys than
the merge key.
"""

from __future__ import annotations

from ..directives import DELETE, ORDER, PATCH, RETAIN
from ..errors import MergeError
from ..strategic.fast import PLAIN_KEYS
from ..tables.patch_schema import reachable
from ..values.plain import ABSENT, JSON_TYPES, SCALAR_TYPES, require_plain, same
from .merge import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..tables.patch_schema import PatchMeta, PatchSchema
    from ..values.plain import Object


_SINGLE = SCALAR_TYPES | {type(ABSENT)}
"""Types of values that contain no other values."""


def is_harmless(patch: Object, live: Object, schema: PatchSchema) -> bool:
    """True if an exact patch of ordinary documents loses nothing and leaks nothing. Raises the errors of `clean`."""
    for key, value in patch.items():
        if key[:1] == "$":
            if type(value) is not list or not (key == RETAIN or key.startswith(ORDER)):
                return False  # a directive from the last-applied config
            continue
        old = live.get(key, ABSENT)
        if value is None:
            if type(old) not in _SINGLE and old:
                return False  # it may have something that only live has
            continue
        if type(value) not in (dict, list):
            continue
        field = schema.fields.get(key)
        if field is None or not _is_harmless(value, old, field):
            return False
    return True


def _is_harmless(value: Any, old: Any, field: PatchMeta) -> bool:
    kind = type(value)
    if kind is not type(old) or field.replaces or (kind is list and not field.merges):
        return same(clean(value, field), value)
    if kind is dict:
        return is_harmless(value, old, field.inside)
    key = field.merge_key
    if not key:
        return False
    names = {element[key] for element in value}
    if len(names) < len(value) or {*map(type, names)} not in PLAIN_KEYS:
        return False
    before = {element[key]: element for element in old}
    added = deleted = False
    for element in value:
        live = before.get(element[key])
        if element.get(PATCH) == DELETE:
            deleted = True
        elif live is None:
            added = True
            if not same(clean(element, None), element):
                return False
            _check(element, field)
        elif not is_harmless(element, live, field.element):
            return False
    # With both, the reference misplaces elements that only live has.
    return not (added and deleted)


def _check(element: Object, field: PatchMeta) -> None:
    """Raise an error for repeated elements inside a new element."""
    for name, inner in element.items():
        known = field.element.fields.get(name)
        if known is not None:
            clean(inner, known)


def identities_agree(config: Object, last: Any, live: Object, schema: PatchSchema) -> bool:
    """True if all elements with the same merge key also have the same full identity, in all documents."""
    if type(last) is not dict:
        if type(last) not in JSON_TYPES:
            return False
        last = {}
    for name, field in fields_with_extra_keys(schema).items():
        wanted, before, current = config.get(name), last.get(name), live.get(name)
        if type(current) is dict:
            if not identities_agree(wanted if type(wanted) is dict else {}, before, current, field.inside):
                return False
        elif type(wanted) is list or type(current) is list:
            try:
                if not _agree_in_lists(_as_list(wanted), _as_list(before), _as_list(current), field):
                    return False
            except (TypeError, KeyError, MergeError):
                return False
        elif type(current) not in JSON_TYPES or type(wanted) not in JSON_TYPES:
            return False
    return True


def _agree_in_lists(wanted: list[Any], before: list[Any], current: list[Any], field: PatchMeta) -> bool:
    key, keys = field.merge_key, field.keys
    if not key:
        return len(set(wanted)) == len(wanted)
    lives = {element[key]: element for element in current}
    if keys.extra:
        for element in (*wanted, *before):
            live = lives.get(element[key])
            if live is not None and not keys.same_extra(element, live):
                return False
    if not fields_with_extra_keys(field.element):
        return True
    lasts = {element[key]: element for element in before}
    return all(
        identities_agree(element, lasts.get(element[key]), lives[element[key]], field.element)
        for element in wanted
        if element[key] in lives
    )


def _as_list(value: Any) -> list[Any]:
    if type(value) is list:
        return value
    require_plain(value)
    return []


def fields_with_extra_keys(schema: PatchSchema) -> dict[str, PatchMeta]:
    """The fields that are lists with extra keys or without a merge key, or that lead to such a list."""
    try:
        return schema.with_extra_keys
    except AttributeError:
        _find_extra_keys(schema)
        return schema.with_extra_keys


def _find_extra_keys(start: PatchSchema) -> None:
    """Fill `with_extra_keys` of every reachable schema; schemas form cycles."""
    schemas = list(reachable(start))
    leads: set[int] = set()
    while True:
        found = {id(schema) for schema in schemas if any(_leads(field, leads) for field in schema.fields.values())}
        if found == leads:
            break
        leads = found
    for schema in schemas:
        schema.with_extra_keys = {name: field for name, field in schema.fields.items() if _leads(field, leads)}


def _leads(field: PatchMeta, leads: set[int]) -> bool:
    if field.merges and field.rule.kind == "list":
        return not field.merge_key or bool(field.keys.extra) or id(field.element) in leads
    return field.rule.kind == "map" and id(field.inside) in leads
