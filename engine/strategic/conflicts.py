"""Conflicts between two strategic merge patches."""

from __future__ import annotations

from ..directives import PATCH, RETAIN
from ..errors import Conflict, MergeError, UnclearConflict
from ..values.plain import copied, require_plain, same, same_scalar, text
from .order import deduplicate, element_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from ..paths import Steps
    from ..tables.identity import Keys
    from ..tables.patch_schema import PatchMeta, PatchSchema
    from ..values.plain import Object

    Items: TypeAlias = list[Any]


def conflicting(ours: Object, theirs: Object, schema: PatchSchema) -> list[Conflict]:
    """Every conflict of two patches; the reference only determines if there is one.

    If there are a conflict and an error, the reference reports the one it finds first, almost always the conflict.
    Therefore an error is raised only if there is no conflict. Like the reference, this function sorts the lists of
    scalars that it compares in place: do not pass documents that must not change.
    """
    found = _Conflicts()
    _maps(found, (), ours, theirs, None, schema)
    if found.errors and not found.conflicts:
        raise found.errors[0]
    return found.conflicts


class _Conflicts:
    __slots__ = ("conflicts", "errors")

    def __init__(self) -> None:
        self.conflicts: list[Conflict] = []
        self.errors: list[MergeError] = []

    def add(self, at: Steps, ours: Any, theirs: Any) -> None:
        self.conflicts.append(Conflict(at, copied(ours), copied(theirs)))


def _maps(
    found: _Conflicts, at: Steps, ours: Object, theirs: Object, field: PatchMeta | None, schema: PatchSchema
) -> None:
    if (PATCH in ours) != (PATCH in theirs) or not same_scalar(ours.get(PATCH), theirs.get(PATCH)):
        found.add(at, ours, theirs)
        return
    if field is not None and field.replaces:
        return
    for key in sorted(ours.keys() & theirs.keys() - {PATCH, RETAIN}):
        try:
            _values(found, (*at, key), ours[key], theirs[key], schema)
        except MergeError as error:
            found.errors.append(error)


def _values(found: _Conflicts, at: Steps, ours: Any, theirs: Any, schema: PatchSchema) -> None:
    """The conflicts in one field of two patches."""
    kind = type(ours)
    require_plain(ours, theirs)
    name = str(at[-1])
    try:
        if kind is dict:
            field = schema.field(name)
        elif kind is list:
            field = schema.list_field(name)
    except MergeError as error:
        _place(error, at)
        raise
    if kind in (dict, list) and type(theirs) is not kind:
        found.add(at, ours, theirs)
    elif kind is dict:
        _maps(found, at, ours, theirs, field, field.inside)
    elif kind is list:
        _lists(found, at, ours, theirs, field)
    elif not same(ours, theirs):
        found.add(at, ours, theirs)


def _lists(found: _Conflicts, at: Steps, ours: Items, theirs: Items, field: PatchMeta) -> None:
    try:
        kind = element_type(ours, theirs)
        if field.merges:
            if kind is dict:
                _compare_keyed(found, at, ours, theirs, field)
        elif len(ours) != len(theirs):
            found.add(at, ours, theirs)
        elif kind is dict:
            _positional(found, at, ours, theirs, field.element)
        else:
            _scalars(found, at, ours, theirs)
    except MergeError as error:
        if not error.steps:
            _place(error, at)
        raise


def _compare_keyed(found: _Conflicts, at: Steps, ours: Items, theirs: Items, field: PatchMeta) -> None:
    """The conflicts of elements with the same key. The last of repeated keys counts."""
    key = field.merge_key
    left, right = _by_key(ours, field.keys), _by_key(theirs, field.keys)
    for name in sorted(left.keys() & right.keys()):
        item = left[name]
        _maps(found, (*at, ((key, item[key]),)), item, right[name], None, field.element)


def _by_key(items: Items, keys: Keys) -> dict[str, Any]:
    return {_index_text(keys.key_value(item)): item for item in items}


def _index_text(value: Any, *, inside: bool = False) -> str:
    """The text (Go's `%s`) by which the reference indexes elements; numbers include their type."""
    if type(value) is dict:
        return f"map[{' '.join(f'{key}:{_index_text(value[key], inside=True)}' for key in sorted(value))}]"
    if type(value) is list:
        return f"[{' '.join(_index_text(item, inside=True) for item in value)}]"
    if type(value) is str or (value is None and inside):
        return text(value)
    return "%!s(<nil>)" if value is None else f"%!s({_GO_TYPES[type(value)]}={text(value)})"


_GO_TYPES = {int: "int64", float: "float64", bool: "bool"}


def _positional(found: _Conflicts, at: Steps, ours: Items, theirs: Items, schema: PatchSchema) -> None:
    """Elements compared by position. The reference stops at the first conflict or error."""
    conflicts, errors = len(found.conflicts), len(found.errors)
    for place, (left, right) in enumerate(zip(ours, theirs, strict=True)):
        _maps(found, (*at, place), left, right, None, schema)
        if len(found.conflicts) > conflicts:
            del found.errors[errors:]
        elif len(found.errors) > errors:
            return


def _scalars(found: _Conflicts, at: Steps, ours: Items, theirs: Items) -> None:
    """Scalars in any order, without repetitions."""
    before = copied(ours)
    left, right = _distinct(ours), _distinct(theirs)
    for place, value in enumerate(left):
        if place == len(right):
            raise UnclearConflict(before, copied(theirs))
        if not same(value, right[place]):
            found.add(at, before, theirs)
            return


def _distinct(items: Items) -> Items:
    """The distinct scalars, sorted as text. The rest of the list in place keeps the repeated scalars."""
    end = deduplicate(items)
    items[:end] = sorted(items[:end], key=text)
    return items[:end]


def _place(error: MergeError, at: Steps) -> None:
    for step in reversed(at):
        error.within(step)
