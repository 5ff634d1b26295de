"""Run one random case."""

from __future__ import annotations

from typing import NamedTuple

from kubemerge.gitmerge.definitions import Definitions
from kubemerge.gitmerge.merge import Style, merge
from kubemerge.gitmerge.tree import NotEditable

from .draw import case
from .judge import problems

LOOKUP = Definitions(at=None)


class Outcome(NamedTuple):
    """The form of a merge, and its problems."""

    how: str
    problems: list[str]


def outcome(number: int) -> Outcome:
    """Merge a random case and judge it."""
    base, ours, theirs = case(number)
    try:
        found = merge(base.encode(), ours.encode(), theirs.encode(), LOOKUP, Style())
    except NotEditable as reason:
        return Outcome(f"by line: {reason}", [])
    how = "conflict" if found.conflicts else "clean"
    return Outcome(how, problems(base, ours, theirs, found.data.decode()))
