"""Admission plugins: what a server changes in an object, or refuses, because of other objects. One table says when."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..protocol import Object
    from .around import Around
    from .table import Plugin


def read(content: Object, group: str, kind: str, around: Around) -> Object:
    """The object as a server has read it, before it is booked who owns its fields."""
    from .table import READ

    return _through(READ.get((group, kind), ()), content, around)


def admit(content: Object, group: str, kind: str, around: Around) -> Object:
    """The object as the plugins leave it, before it is checked; Forbidden if one of them refuses it."""
    from .table import MUTATING

    return _through(MUTATING.get((group, kind), ()), content, around)


def validate(content: Object, group: str, kind: str, around: Around) -> None:
    """Refuse an object that is valid, but not allowed beside the others."""
    from .table import VALIDATING

    for since, check in VALIDATING.get((group, kind), ()):
        if around.minor >= since:
            check(content, around)


def _through(steps: tuple[tuple[int, Plugin], ...], content: Object, around: Around) -> Object:
    for since, step in steps:
        if around.minor >= since:
            content = step(content, around)
    return content
