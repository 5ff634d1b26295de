"""The record of a gate rule: a lint rule, with the function that finds it in the results of servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.linter import LintRule
    from engine.paths import Steps

    from .server import Judged

SERVER = "the server"
"""The subject of the gate's rules: acceptance of an object by the server, for any kind of apply."""


class Fix(NamedTuple):
    """A safe change of the file: only the key or the value at a place is rewritten."""

    steps: Steps
    of_key: bool
    text: str
    """The new text, as YAML."""


class GateProblem(NamedTuple):
    """A problem found by a rule: the place, the message, and its advice if it differs from the rule's."""

    steps: Steps
    message: str
    advice: str = ""
    fix: Fix | None = None


class GateRule(NamedTuple):
    """A rule of the gate."""

    rule: LintRule
    find: Callable[[Judged], Iterator[GateProblem]]
