"""Rejections of an object from a file in one line, without the values of Secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..apiserver.problems import text
from ..output.problems import masked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..apiserver.problems import Problem
    from ..apiserver.protocol import Object


def in_words(problems: Sequence[Problem], content: Object) -> str:
    """The first of the problems, and the number of others; without the values of a Secret."""
    first = text(masked(problems[0], content)).partition("\n")[0]
    return f"{first}{(f', and {len(problems) - 1} more' if len(problems) > 1 else '')}"
