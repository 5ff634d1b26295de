"""JSON merge patches (RFC 7386), as in the reference, for kinds without strategic patches.

In the reference, every number of such a patch is a 64-bit float: 1 and 1.0 are equal, and integers beyond 2**53 are
rounded.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import aliases
from .errors import Conflict
from .tables.behaviour import NEWEST, SENDS_EMPTY_MAPS
from .values.floats import json_form
from .values.guard import run
from .values.plain import ABSENT, INT64, copied, drop_nulls, number, require_plain, same
from .values.preconditions import require_unchanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .paths import Steps
    from .tables.behaviour import Behaviour
    from .values.plain import Object


def json_two_way_patch(original: aliases.Document | None, modified: aliases.Document | None) -> Object:
    """The merge patch that turns `original` into `modified`."""
    return run(_difference, original=original, modified=modified)


def json_three_way_patch(
    last_applied: aliases.Document | None,
    config: aliases.Document | None,
    live: aliases.Document | None,
    *,
    unchanged: Sequence[str] = (),
) -> aliases.Object:
    """The merge patch from `live` to `config`; removes fields of `last_applied` that `config` no longer has."""
    return three_way_patch_of(NEWEST, last_applied, config, live, unchanged)


def three_way_patch_of(
    behaviour: Behaviour,
    last_applied: aliases.Document | None,
    config: aliases.Document | None,
    live: aliases.Document | None,
    unchanged: Sequence[str],
) -> Object:
    """The same as a kubectl of a release makes it."""
    empty = SENDS_EMPTY_MAPS in behaviour

    def work(last_applied: Object, config: Object, live: Object) -> Object:
        changes = _without_nulls(_difference(live, config), empty)
        return require_unchanged(
            _merge(_only_nulls(_difference(last_applied, config), empty), changes, keep_nulls=False), unchanged
        )

    return run(work, last_applied=last_applied, config=config, live=live)


def json_apply_patch(target: aliases.Document | None, patch: aliases.Document | None) -> aliases.Object:
    """The target after the merge patch."""

    def work(target: Object, patch: Object) -> Object:
        result: Object = copied(_merge(target, patch, keep_nulls=False))
        return result

    return run(work, target=target, patch=patch)


def json_merge_patches(first: aliases.Document | None, second: aliases.Document | None) -> Object:
    """One merge patch with the effect of the first and then the second."""

    def work(first: Object, second: Object) -> Object:
        result: Object = copied(_merge(first, second, keep_nulls=True))
        return result

    return run(work, first=first, second=second)


def json_conflicts(left_patch: aliases.Document | None, right_patch: aliases.Document | None) -> list[Conflict]:
    """Every field that the two merge patches change differently."""

    def work(left: Object, right: Object) -> list[Conflict]:
        found: list[Conflict] = []
        _compare(found, (), left, right)
        return found

    return run(work, left_patch=left_patch, right_patch=right_patch)


def _difference(before: Object, after: Object) -> Object:
    patch: Object = {}
    for key, value in after.items():
        old = before.get(key, ABSENT)
        if type(value) is dict and type(old) is dict:
            inner = _difference(old, value)
            if inner:
                patch[key] = inner
        elif old is ABSENT or not _alike(old, value):
            if old is not ABSENT:
                copied(old)  # raises an error for values that are not plain, which would compare as different
            patch[key] = _round_numbers(value)
    for key in before:
        if key not in after:
            patch[key] = None
    return patch


def _alike(left: Any, right: Any) -> bool:
    """True if values are equal when all numbers are floats; a boolean is not a number."""
    kind = type(left)
    if kind in (int, float) and type(right) in (int, float):
        return float(left) == float(right)
    if kind is not type(right):
        return False
    if kind is dict:
        return left.keys() == right.keys() and all(_alike(value, right[key]) for key, value in left.items())
    if kind is list:
        return len(left) == len(right) and all(map(_alike, left, right))
    return bool(left == right)


def _round_numbers(value: Any) -> Any:
    """A copy with numbers converted to floats and back, through JSON."""
    if type(value) is dict:
        return {key: _round_numbers(item) for key, item in value.items()}
    if type(value) is list:
        return [_round_numbers(item) for item in value]
    if type(value) in (float, int):
        value = float(number(value))
        text = json_form(value)
        if "." not in text and "e" not in text and -INT64 <= int(text) < INT64:
            return int(text)
    return copied(value)


def _without_nulls(patch: Object, empty: bool) -> Object:
    """The additions and changes of a patch. An empty map is kept, a map that becomes empty here only with `empty`."""
    result: Object = {}
    for key, value in patch.items():
        if type(value) is dict and value:
            inner = _without_nulls(value, empty)
            if inner or empty:
                result[key] = inner
        elif value is not None:
            result[key] = value
    return result


def _only_nulls(patch: Object, empty: bool) -> Object:
    """The deletions of a patch. Maps without any are kept only with `empty`."""
    result: Object = {}
    for key, value in patch.items():
        if value is None:
            result[key] = None
        elif type(value) is dict:
            inner = _only_nulls(value, empty)
            if inner or empty:
                result[key] = inner
    return result


def _merge(target: Object, patch: Object, *, keep_nulls: bool) -> Object:
    result = dict(target)
    for key, value in patch.items():
        old = result.get(key)
        if value is None:
            if keep_nulls:
                result[key] = None
            else:
                result.pop(key, None)
        elif type(old) is dict:
            result[key] = _merge(old, value, keep_nulls=keep_nulls) if type(value) is dict else value
        else:
            require_plain(old)
            # As in the reference, maps in lists lose their nulls too; the RFC does not require it.
            result[key] = value if keep_nulls and old is None else drop_nulls(value)
    return result


def _compare(found: list[Conflict], at: Steps, left: Any, right: Any) -> None:
    if type(left) is dict and type(right) is dict:
        for key in sorted(left.keys() & right.keys()):
            _compare(found, (*at, key), left[key], right[key])
    elif type(left) is list and type(right) is list and len(left) == len(right):
        for place, pair in enumerate(zip(left, right, strict=True)):
            _compare(found, (*at, place), *pair)
    elif not same(left, right):
        found.append(Conflict(at, copied(left), copied(right)))
