"""Functions of a text that keep their results for the next use, but not for long texts.

Documents repeat most of their short texts. Long ones, which may come from an untrusted request, would fill the memory.
"""

from __future__ import annotations

from functools import lru_cache, wraps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Result = TypeVar("Result")

LONGEST = 100
"""The maximum length of a text whose result is kept."""


def kept(most: int) -> Callable[[Callable[[str], Result]], Callable[[str], Result]]:
    """A decorator for a function of a text, which keeps so many results."""

    def decorated(function: Callable[[str], Result]) -> Callable[[str], Result]:
        known = lru_cache(maxsize=most)(function)

        @wraps(function)
        def result(text: str) -> Result:
            return known(text) if len(text) <= LONGEST else function(text)

        return result

    return decorated
