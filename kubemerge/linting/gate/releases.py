"""Parsing of `--release`: one release, or a range of releases."""

from __future__ import annotations

import engine
from engine import MergeError


class BadRange(MergeError):
    """An argument that is neither a release nor a range of releases."""


def releases_of(text: str | None) -> tuple[str, ...]:
    """Parse one release or a range such as `1.24..1.31`; the default is the newest release."""
    if text is None:
        return (engine.releases()[-1],)
    first, dots, last = text.partition("..")
    known = engine.releases()
    ends = [str(engine.load(one).release) for one in ((first, last) if dots else (first,)) if one]
    if len(ends) != (2 if dots else 1):
        raise BadRange(f"{text!r} is not a range of releases. Write two releases, as in 1.24..1.31")
    if known.index(ends[0]) > known.index(ends[-1]):
        raise BadRange(f"the range {text!r} is reversed. Write {ends[-1]}..{ends[0]}")
    return known[known.index(ends[0]) : known.index(ends[-1]) + 1]
