"""Merging a patch into an object or into another patch, as the reference does it (see merge_lists for lists).

Nothing here changes its arguments. Results share parts with them, so the public functions copy results.
"""

from __future__ import annotations

from ..directives import DELETE, ORDER, PATCH, REMOVE, REPLACE, RETAIN
from ..errors import BadDirective, MergeError, UnknownDirective
from ..values.plain import ABSENT, identity, kind_name, require_plain, same, stripped
from .merge_lists import merge_list, put_in_order, remove_scalars

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..tables.shapes import Field, Shape
    from ..values.plain import Object


class Merge:
    """One of two ways to merge. Immutable.

    final   True to apply a patch to an object: directives are followed and nulls delete. False to combine two patches:
            directives and nulls stay, to take effect when the combined patch is applied
    """

    __slots__ = ("final",)

    def __init__(self, *, final: bool) -> None:
        self.final = final

    def maps(self, base: Object, patch: Object, shape: Shape) -> Object:
        """The object `base` after the patch."""
        if PATCH in patch:
            return _whole(patch)
        result = dict(base)
        rest, removals = patch, []
        if any(key[:1] == "$" for key in patch):
            rest = dict(patch)
            self._retain(result, rest)
            self._put_in_order(result, rest, shape)
            removals = [key for key in rest if key.startswith(REMOVE)]
        for key, value in rest.items():
            if not (removals and key in removals):
                self._field(result, key, value, shape)
        for key in removals:
            self._removal(result, key, rest[key], shape)
        return result

    def _field(self, result: Object, key: str, value: Any, shape: Shape) -> None:
        old = result.get(key, ABSENT)
        kind = type(value)
        if value is None:
            if self.final:
                result.pop(key, None)
            else:
                result[key] = None
        elif kind is not type(old):
            require_plain(old)
            _set(result, key, self.new(value))
        elif kind is dict:
            field = shape.field(key)
            try:
                result[key] = value if field.replaces else self.maps(old, value, field.inside)
            except MergeError as error:
                error.within(key)
                raise
        elif kind is list:
            field = shape.list_field(key)
            try:
                result[key] = self.lists(old, value, field) if field.merges else value
            except MergeError as error:
                error.within(key)
                raise
        else:
            result[key] = value

    def lists(self, live: list[Any], patch: list[Any], field: Field) -> list[Any]:
        """A merging list after the patch."""
        return merge_list(self.maps, list(live), patch, field)

    def in_order(self, live: Any, patch: Any, order: list[Any], field: Field) -> Any:
        """The same with the order of a directive; ABSENT if the list is in neither the object nor the patch."""
        return put_in_order(self.maps, live, patch, order, field)

    def new(self, value: Any) -> Any:
        """A value that the patch adds; ABSENT if a directive removes it."""
        return stripped(value, nulls=not self.final)

    def _retain(self, result: Object, rest: Object) -> None:
        """Follow `$retainKeys`, or pass it on when two patches are combined."""
        kept = rest.pop(RETAIN, ABSENT)
        if kept is ABSENT:
            return
        if not self.final:
            if not same(result.setdefault(RETAIN, kept), kept):
                raise BadDirective(RETAIN, "differs in the two patches. Apply them one after the other")
            return
        if type(kept) is not list:
            raise BadDirective(RETAIN, "must be a list of the keys to keep")
        allowed = {identity(key) for key in kept}
        for key, value in rest.items():
            if value is not None and key not in allowed and not key.startswith((REMOVE, ORDER)):
                raise BadDirective(RETAIN, f"must list {key!r} too, because the patch sets it")
        for key in [key for key in result if key not in allowed]:
            del result[key]

    def _put_in_order(self, result: Object, rest: Object, shape: Shape) -> None:
        """Merge every list that has a `$setElementOrder`, and remove it from the rest of the patch."""
        for key in sorted(key for key in rest if key.startswith(ORDER)):
            if key not in rest:
                continue
            order = rest.pop(key)
            if not self.final and not same(result.setdefault(key, order), order):
                raise BadDirective(key, "differs in the two patches. Apply them one after the other")
            name = _named(key, ORDER)
            if type(order) is not list:
                raise BadDirective(key, "must be a list")
            live, patch = result.get(name, ABSENT), rest.pop(name, ABSENT)
            try:
                _require_lists(key, name, live, patch)
                merged = self.in_order(live, patch, order, shape.list_field(name))
            except MergeError as error:
                error.within(name)
                raise
            if merged is not ABSENT:
                result[name] = merged

    def _removal(self, result: Object, key: str, gone: Any, shape: Shape) -> None:
        """Remove scalars from a list, or pass the directive on when two patches are combined."""
        if not self.final:
            result[key] = gone
            return
        name = _named(key, REMOVE) or key
        old = result.get(name, ABSENT)
        require_plain(gone, old)
        if gone is None:
            result.pop(name, None)
        elif type(gone) is type(old) is list:
            try:
                result[name] = remove_scalars(self.maps, old, gone, shape.list_field(name))
            except MergeError as error:
                error.within(name)
                raise
        elif type(gone) is type(old):
            self._field(result, name, gone, shape)


def _whole(patch: Object) -> Object:
    """The map after a patch with a `$patch` directive, which replaces or deletes it as a whole."""
    word = patch[PATCH]
    if word == REPLACE:
        return {key: value for key, value in patch.items() if key != PATCH}
    if word == DELETE:
        return {}
    raise UnknownDirective(word, patch)


def _require_lists(key: str, name: str, *values: Any) -> None:
    for value in values:
        if value is not ABSENT and type(value) is not list:
            raise BadDirective(key, f"requires a list in {name!r}, but it is {kind_name(value)}")


def _named(key: str, directive: str) -> str:
    """The field that is named in a directive."""
    prefix, slash, name = key.partition("/")
    if prefix != directive or not slash:
        raise BadDirective(key, f"must be {directive}, a slash and the name of a list")
    return name


def _set(result: Object, key: str, value: Any) -> None:
    if value is ABSENT:
        result.pop(key, None)
    else:
        result[key] = value
