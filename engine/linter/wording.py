"""How elements and enumerations are put in messages."""

from __future__ import annotations

from ..paths import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..paths import Step


def told(step: Step) -> str:
    """An identity in a sentence: `port=53,protocol=TCP`, or the scalar itself."""
    return render((step,))[1:-1].removeprefix("=")


def listing(parts: Iterable[str], most: int = 3) -> str:
    """Some things in a sentence, and how many more there are."""
    every = list(parts)
    rest = len(every) - most
    return ", ".join(every[:most]) + (f" and {rest} more" if rest > 0 else "")
