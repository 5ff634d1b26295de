"""The part of an object at a path that somebody typed, or of one manager."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..offline.at_path import behind
from .fields import NOBODYS, PARENT, WHOLE
from .yaml_text import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.paths import Steps

    from .fields import Field, Owned


def at_path(owned: Owned, path: Steps) -> Owned:
    """The object with only what is at a path, in it, and around it."""
    documents = [owned.live]
    return _only(owned, lambda one: behind(one.steps, path, documents) == ())


def of_managers(owned: Owned, names: Iterable[str]) -> Owned:
    """The object with only what these managers own; the word `nobody` is for what nobody does."""
    wanted = {*names}

    def is_theirs(one: Field) -> bool:
        return bool(wanted & {owner.manager for owner in one.owners}) or (one.state == NOBODYS and NOBODY in wanted)

    return _only(owned, is_theirs, whole=False)


def _only(owned: Owned, wanted: Callable[[Field], bool], *, whole: bool = True) -> Owned:
    fields = [one for it in owned.fields for one in _cut(it, wanted, whole)]
    return replace(owned, fields=fields, gone=[one for one in owned.gone if wanted(one)])


def _cut(one: Field, wanted: Callable[[Field], bool], whole: bool) -> Iterable[Field]:
    """The field if it is wanted (with `whole`, with all in it), or what is wanted in it."""
    mine = wanted(one)
    if mine and (whole or one.state == WHOLE or not one.inside):
        return [one]
    inside = [found for it in one.inside for found in _cut(it, wanted, whole)]
    if not inside and not mine:
        return []
    return [replace(one, inside=inside) if mine else replace(one, inside=inside, owners=(), state=PARENT)]
