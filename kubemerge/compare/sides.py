"""Parsing the sides of a comparison."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import engine
from codegen.credentials import without_credentials
from engine import MergeError
from engine.tables.loading import minor_of

from ..kinds.find import find
from .chain import Side

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Tables

_RELEASE = re.compile(r"v?\d+(\.\d+)+\Z")
_RANGE = re.compile(r"(?P<first>v?\d+(\.\d+)*)?\.\.(?P<last>v?\d+(\.\d+)*)?\Z")


class BadSide(MergeError):
    """An invalid side. The message lists the valid forms."""


def is_range(text: str) -> bool:
    """Whether a side is a range of releases: `1.25..1.37`, `..1.12`, `1.30..`."""
    return _RANGE.match(text) is not None


def releases_of(text: str) -> list[str]:
    """The releases of a range, both ends included; an omitted end is the oldest or the newest release."""
    found = _RANGE.match(text)
    if found is None:
        raise BadSide(f"{text!r} is not a range of releases. Write it as 1.25..1.37")
    known = engine.releases()
    first, last = (found["first"] or known[0], found["last"] or known[-1])
    start, end = (known.index(str(engine.load(one).release)) for one in (first, last))
    if start > end:
        raise BadSide(f"the range {text} is reversed. Write {last}..{first}")
    return list(known[start : end + 1])


def side(text: str, read: Callable[[str], Tables | None], over: Callable[[Tables], Tables]) -> Side:
    """Parse a side: a release, a specification, or a kind in one of them (`apps/v1/Deployment@1.12`).

    `read` reads a specification, or returns None if the file does not exist. `over` overlays more specifications.
    """
    if is_range(text):
        raise BadSide(f"{text} is a range, so no other release may be passed. Pass two releases, or only the range")
    found = _tables(text, read)
    if found is not None:
        return Side(_name(text, found), over(found))
    word, at, rest = text.partition("@")
    below = _tables(rest, read) if at else None
    if below is None:
        missing = f"{rest!r} in {text!r}" if at else repr(text)
        known = engine.releases()
        raise BadSide(
            f"{missing} is neither a release ({known[0]} to {known[-1]}) nor a file or address. To compare one "
            f"kind, write apps/v1/Deployment@{known[-1]}. A range such as 1.25..{known[-1]} must be the only argument"
        )
    tables = over(below)
    return Side(f"{_kind_word(tables, word)}@{_name(rest, below)}", tables, _kind(tables, word))


def _tables(text: str, read: Callable[[str], Tables | None]) -> Tables | None:
    return engine.load(text) if _is_release(text) else read(text)


def _is_release(text: str) -> bool:
    """Whether a side looks like a release. The engine rejects one in an invalid notation."""
    return _RELEASE.match(text) is not None or minor_of(text) is not None


def _name(text: str, tables: Tables) -> str:
    """The side's name: `v1.12.3` is 1.12, but 1.36.1 is itself, because its merge algorithms differ."""
    return str(tables.patch_release) if _is_release(text) else without_credentials(text)


def _kind(tables: Tables, word: str) -> tuple[str, str]:
    schema = find(tables, word)
    return str(schema.api_version), str(schema.kind)


def _kind_word(tables: Tables, word: str) -> str:
    return "/".join(_kind(tables, word))
