"""Merging a patch into an object or into another patch, as in the reference (see merge_lists for lists).

Nothing here changes its arguments. Results share parts with them, so the public functions copy results.
"""

from __future__ import annotations

from ..directives import DELETE, ORDER, PATCH, REMOVE, REPLACE, RETAIN
from ..errors import BadDirective, MergeError, UnknownDirective
from ..tables.behaviour import (
    NEWEST,
    REPLACES_BY_DELETE_LISTS,
    STORES_DELETE_LISTS,
    STORES_DIRECTIVES,
    STORES_NULLS,
)
from ..values.plain import ABSENT, drop_nulls, identity, kind_name, require_plain, same, strip_directives
from .merge_lists import merge_list, put_in_order, remove_scalars

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..tables.behaviour import Behaviour
    from ..tables.patch_schema import PatchMeta, PatchSchema
    from ..values.plain import Object


class Merge:
    """One of two ways to merge, as in one release. Immutable.

    final   True to apply a patch to an object: directives are executed and nulls delete. False to combine two patches:
            directives and nulls stay, to take effect when the combined patch is applied

    The other attributes are behaviours of older releases; see `tables.behaviour`.
    """

    __slots__ = ("final", "replaces_by_delete_lists", "stores_delete_lists", "stores_directives", "stores_nulls")

    def __init__(self, *, final: bool, behaviour: Behaviour = NEWEST) -> None:
        self.final = final
        self.stores_nulls = not final or STORES_NULLS in behaviour
        self.stores_directives = STORES_DIRECTIVES in behaviour
        self.stores_delete_lists = STORES_DELETE_LISTS in behaviour
        self.replaces_by_delete_lists = REPLACES_BY_DELETE_LISTS in behaviour

    def maps(self, base: Object, patch: Object, schema: PatchSchema) -> Object:
        """The object `base` after the patch."""
        if PATCH in patch:
            return _whole(patch)
        result = dict(base)
        rest, removals = patch, []
        if any(key[:1] == "$" for key in patch):
            rest = dict(patch)
            self._retain(result, rest)
            self._put_in_order(result, rest, schema)
            removals = [key for key in rest if key.startswith(REMOVE)]
        for key, value in rest.items():
            if not (removals and key in removals):
                self._field(result, key, value, schema)
        for key in removals:
            self._removal(result, key, rest[key], schema)
        return result

    def _field(self, result: Object, key: str, value: Any, schema: PatchSchema) -> None:
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
            field = schema.field(key)
            try:
                result[key] = value if field.replaces else self.maps(old, value, field.inside)
            except MergeError as error:
                error.within(key)
                raise
        elif kind is list:
            field = schema.list_field(key)
            try:
                result[key] = self.lists(old, value, field) if field.merges else value
            except MergeError as error:
                error.within(key)
                raise
        else:
            result[key] = value

    def lists(self, live: list[Any], patch: list[Any], field: PatchMeta) -> list[Any]:
        """A merging list after the patch."""
        return merge_list(self.maps, list(live), patch, field)

    def in_order(self, live: Any, patch: Any, order: list[Any], field: PatchMeta) -> Any:
        """A merging list in the order of its `$setElementOrder`; ABSENT if neither the object nor the patch has it."""
        return put_in_order(self.maps, live, patch, order, field, stores_directives=self.stores_directives)

    def new(self, value: Any) -> Any:
        """A value that the patch adds; ABSENT if a directive removes it."""
        if self.stores_directives:
            return value if self.stores_nulls else drop_nulls(value)
        return strip_directives(value, nulls=self.stores_nulls)

    def _retain(self, result: Object, rest: Object) -> None:
        """Execute `$retainKeys`, or pass it on when two patches are combined."""
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

    def _put_in_order(self, result: Object, rest: Object, schema: PatchSchema) -> None:
        """Merge every list that has a `$setElementOrder`, and remove it from the rest of the patch."""
        for key in sorted(key for key in rest if key.startswith(ORDER)):
            if key not in rest:
                continue
            order = rest.pop(key)
            if not self.final and not same(result.setdefault(key, order), order):
                raise BadDirective(key, "differs in the two patches. Apply them one after the other")
            name = _directive_field(key, ORDER)
            if type(order) is not list:
                raise BadDirective(key, "must be a list")
            live, patch = result.get(name, ABSENT), rest.pop(name, ABSENT)
            try:
                _require_lists(key, name, live, patch)
                merged = self.in_order(live, patch, order, schema.list_field(name))
            except MergeError as error:
                error.within(name)
                raise
            if merged is not ABSENT:
                result[name] = merged

    def _removal(self, result: Object, key: str, gone: Any, schema: PatchSchema) -> None:
        """Remove scalars from a list, or pass the directive on when two patches are combined."""
        if not self.final:
            result[key] = gone
            return
        name = _directive_field(key, REMOVE) or key
        old = result.get(name, ABSENT)
        require_plain(gone, old)
        if gone is None:
            result.pop(name, None)
        elif type(gone) is type(old) is list:
            try:
                result[name] = self._without(old, gone, schema.list_field(name))
            except MergeError as error:
                error.within(name)
                raise
        elif type(gone) is type(old) or self.stores_delete_lists:
            self._field(result, name, gone, schema)

    def _without(self, live: list[Any], gone: list[Any], field: PatchMeta) -> list[Any]:
        """A list without the scalars named in a directive."""
        if self.replaces_by_delete_lists and not field.merges:
            return gone
        return remove_scalars(self.maps, live, gone, field)


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


def _directive_field(key: str, directive: str) -> str:
    """The field named in a directive."""
    prefix, slash, name = key.partition("/")
    if prefix != directive or not slash:
        raise BadDirective(key, f"must be {directive}, a slash and the name of a list")
    return name


def _set(result: Object, key: str, value: Any) -> None:
    if value is ABSENT:
        result.pop(key, None)
    else:
        result[key] = value
