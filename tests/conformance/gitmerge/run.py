"""Run one random case."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import codegen
from kubemerge.gitmerge.definitions import Definitions
from kubemerge.gitmerge.merge import Style, merge
from kubemerge.gitmerge.tree import NotEditable

from .draw import DEFINITION, case
from .judge import problems
from .patched import unlike_patches

if TYPE_CHECKING:
    from engine import Schema, Tables


class _WithWidget(Definitions):
    """The definitions of the newest release, and of one custom kind."""

    def _of_repository(self, tables: Tables, key: tuple[str, str]) -> Schema | None:
        return tables.overlay(codegen.read(DEFINITION)).schema(*key) if key == ("example.com/v1", "Widget") else None


LOOKUP = _WithWidget()


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
    merged = found.data.decode()
    wrong = problems(base, ours, theirs, merged)
    return Outcome(how, wrong or ([] if found.conflicts else unlike_patches((base, ours, theirs, merged), LOOKUP)))
