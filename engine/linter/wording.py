"""Names of elements, and enumerations, for messages."""

from __future__ import annotations

from ..paths import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ..paths import Step
    from ..tables.identity import Keys


def element_name(step: Step) -> str:
    """The identity of an element for a message: `port=53,protocol=TCP`, or the scalar itself."""
    return render((step,))[1:-1].removeprefix("=")


def short_step(keys: Keys, item: Any) -> Step:
    """The merge key as a path step, of an element that has one."""
    return keys.short_step(item) or 0


def listing(parts: Iterable[str], most: int = 3) -> str:
    """The first parts with commas, and how many more there are."""
    every = list(parts)
    rest = len(every) - most
    return ", ".join(every[:most]) + (f" and {rest} more" if rest > 0 else "")
