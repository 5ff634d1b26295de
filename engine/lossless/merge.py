"""The lossless merge: the object that the config describes, without losing values of the config or of others.

It merges objects, not patches. The result contains everything in config, once. Fields that last-applied has and config
lacks are removed. Fields that only live has are kept. The order of config takes precedence, and elements that only live
has keep their positions.
"""

from __future__ import annotations

from ..directives import is_directive
from ..errors import DirectiveInConfig, MergeError
from ..strategic.order import element_type, interleave
from ..tables.patch_schema import ANYTHING
from ..values.plain import ABSENT, copied, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..paths import Step
    from ..tables.identity import Keys
    from ..tables.patch_schema import PatchMeta, PatchSchema
    from ..values.plain import Object


def merge_maps(config: Object, last: Any, live: Object, schema: PatchSchema, retains: bool = False) -> Object:
    """The merged map of config, last-applied and live. It shares parts of `live`."""
    last = last if type(last) is dict else {}
    refuse_directives(config)
    drops = retains and any(value is not None for value in config.values())
    result: Object = {}
    for key, current in live.items():
        wanted = config.get(key, ABSENT)
        before = last.get(key, ABSENT)
        if wanted is ABSENT:
            rest = _without(before, current, schema, key) if before is not ABSENT else current
            if rest is not ABSENT and not drops:
                result[key] = rest
        elif wanted is None and current is None:
            result[key] = None  # servers do not keep nulls, but an existing one stays
        elif wanted is not None:
            result[key] = _merge_values(wanted, before, current, schema, key)
    for key, wanted in config.items():
        if wanted is not None and key not in live:
            result[key] = _within(key, clean, wanted, _known_field(schema, key))
    return result


def _merge_values(wanted: Any, before: Any, current: Any, schema: PatchSchema, key: str) -> Any:
    """The value of a field that config and live both have."""
    kind = type(wanted)
    if kind is not type(current) or kind not in (dict, list):
        return _within(key, clean, wanted, _known_field(schema, key))
    try:
        field = schema.field(key) if kind is dict else schema.list_field(key)
    except MergeError:
        whole = _within(key, clean, wanted, None)
        if same(whole, current):
            return whole  # an unknown field is harmless until it changes
        raise
    return _within(key, _collection, wanted, before, current, field)


def _collection(wanted: Any, before: Any, current: Any, field: PatchMeta) -> Any:
    if type(wanted) is dict:
        if field.replaces:
            return clean(wanted, field)
        return merge_maps(wanted, before, current, field.inside, field.retains)
    if not _merges(field, wanted, before if type(before) is list else [], current):
        return clean(wanted, field)
    if not field.merge_key:
        _check_values(field, wanted, current)
        return _values(wanted, before, current, field.keys)
    return _elements(wanted, before, current, field)


def _check_values(field: PatchMeta, *lists: list[Any]) -> None:
    """Raise an error for scalars of several types, which a strategic merge patch cannot merge."""
    if any(lists) and not field.mixes:
        element_type(*lists)


def _merges(field: PatchMeta, *lists: list[Any]) -> bool:
    """True if the lists of a field merge; custom resources replace lists that cannot be merged."""
    return field.merges and field.lists and field.suits(*lists)


def _without(before: Any, current: Any, schema: PatchSchema, key: str) -> Any:
    """The rest of a field that config dropped: the part that only live has, if that can be known; else ABSENT."""
    field = _known_field(schema, key)
    kind = type(current)
    if field is None or kind is not type(before) or kind not in (dict, list):
        return ABSENT
    return _within(key, _collection, kind(), before, current, field) or ABSENT


def _elements(wanted: list[Any], before: Any, current: list[Any], field: PatchMeta) -> list[Any]:
    keys = field.keys
    keys.check_unique(wanted)
    ours, lasts, lives = keys.index(wanted), _index(keys, before), keys.index(current)
    merged: list[tuple[Any, Any]] = []
    for name, element in ours.items():
        live = lives.get(name)
        step = keys.step(element) or 0
        if live is None:
            made = _within(step, clean_map, element, field.element)
        else:
            made = _within(step, merge_maps, element, lasts.get(name), live, field.element, field.retains)
        merged.append((name, made))
    theirs = [(keys.required(element), element) for element in current]
    return _combine(merged, [pair for pair in theirs if pair[0] not in ours and pair[0] not in lasts], lives)


def _index(keys: Keys, before: Any) -> dict[Any, Any]:
    return keys.index(before) if type(before) is list else {}


def _values(wanted: list[Any], before: Any, current: list[Any], keys: Keys) -> list[Any]:
    keys.check_unique(wanted)
    ours, gone, lives = keys.index(wanted), _index(keys, before), keys.index(current)
    theirs = [pair for pair in lives.items() if pair[0] not in ours and pair[0] not in gone]
    if not ours and len(theirs) == len(lives):
        return current  # config does not have the list, so its repetitions stay
    return _combine([*ours.items()], theirs, lives)


def _combine(ours: list[tuple[Any, Any]], theirs: list[tuple[Any, Any]], lives: dict[Any, Any]) -> list[Any]:
    """One list from two lists of (identity, element) pairs."""
    positions = {name: at for at, name in enumerate(lives)}
    return [element for _, element in interleave(ours, theirs, lambda pair: positions.get(pair[0], -1))]


def clean(value: Any, field: PatchMeta | None) -> Any:
    """A copy of a config value as data: without nulls in maps, checked for directives and repeated elements."""
    kind = type(value)
    if kind is dict:
        return clean_map(value, field.inside if field is not None else ANYTHING)
    if kind is list:
        return _clean_list(value, field)
    return copied(value)


def clean_map(value: Object, schema: PatchSchema) -> Object:
    """The same for a map."""
    refuse_directives(value)
    return {
        key: _within(key, clean, item, _known_field(schema, key)) for key, item in value.items() if item is not None
    }


def _clean_list(value: list[Any], field: PatchMeta | None) -> list[Any]:
    schema = field.element if field is not None else ANYTHING
    steps: list[Step] = [*range(len(value))]
    if field is not None and _merges(field, value):
        field.keys.check_unique(value)
        if field.merge_key:
            steps = [field.keys.step(item) or 0 for item in value]
        else:
            _check_values(field, value)
    return [
        _within(step, clean_map, item, schema) if type(item) is dict else _within(step, clean, item, None)
        for step, item in zip(steps, value, strict=True)
    ]


def refuse_directives(config: Object) -> None:
    """Raise an error for directives in a config, because they would end up in the object as data."""
    for key in config:
        if is_directive(key):
            raise DirectiveInConfig(key)


def _known_field(schema: PatchSchema, key: str) -> PatchMeta | None:
    try:
        return schema.field(key)
    except MergeError:
        return None


def _within(step: Step, make: Callable[..., Any], *given: Any) -> Any:
    """The result of the function; an error gets the step prepended to its path."""
    try:
        return make(*given)
    except MergeError as error:
        raise error.within(step) from error.__cause__
