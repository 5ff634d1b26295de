"""The record of a rule of the gate: that of a lint rule, with what finds it in what servers say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.linter import LintRule
    from engine.paths import Steps

    from .server import Judged

SERVER = "the server"
"""What the rules of the gate are about: whether an object is taken, however it is applied."""


class Fix(NamedTuple):
    """A safe change of the file: the key or the value at a place is written anew, and nothing else."""

    steps: Steps
    of_key: bool
    text: str
    """What is written instead, as YAML."""


class Problem(NamedTuple):
    """What a rule finds: the place, what is wrong, and the way out if it is not that of the rule."""

    steps: Steps
    message: str
    advice: str = ""
    fix: Fix | None = None


class GateRule(NamedTuple):
    """A rule of the gate."""

    rule: LintRule
    find: Callable[[Judged], Iterator[Problem]]
