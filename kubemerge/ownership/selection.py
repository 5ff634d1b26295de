"""Selection of an object's fields by a path, or by their managers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..offline.at_path import Places
from .fields import NOBODYS, PARENT, WHOLE
from .yaml_text import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.paths import Steps

    from .fields import Owned, OwnedField


def at_path(owned: Owned, path: Steps) -> Owned:
    """The object with only the fields at a path, inside it, and around it."""
    places = Places([owned.live])
    return _only(owned, lambda one: places.behind(one.steps, path) == ())


def of_managers(owned: Owned, names: Iterable[str]) -> Owned:
    """The object with only the fields that these managers own; the word `nobody` selects fields without an owner."""
    wanted = {*names}

    def is_theirs(one: OwnedField) -> bool:
        return bool(wanted & {owner.manager for owner in one.owners}) or (one.state == NOBODYS and NOBODY in wanted)

    return _only(owned, is_theirs, whole=False)


def _only(owned: Owned, wanted: Callable[[OwnedField], bool], *, whole: bool = True) -> Owned:
    fields = [one for it in owned.fields for one in _cut(it, wanted, whole)]
    return replace(owned, fields=fields, gone=[one for one in owned.gone if wanted(one)])


def _cut(one: OwnedField, wanted: Callable[[OwnedField], bool], whole: bool) -> Iterable[OwnedField]:
    """The field if it is wanted (with `whole`, including all its contents), or its wanted contents."""
    mine = wanted(one)
    if mine and (whole or one.state == WHOLE or not one.inside):
        return [one]
    inside = [found for it in one.inside for found in _cut(it, wanted, whole)]
    if not inside and not mine:
        return []
    return [replace(one, inside=inside) if mine else replace(one, inside=inside, owners=(), state=PARENT)]
