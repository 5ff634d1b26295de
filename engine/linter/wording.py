"""Element names and enumerations for messages."""

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
    """The merge key of an element as a path step; the element must have one."""
    return keys.short_step(item) or 0


def listing(parts: Iterable[str], most: int = 3) -> str:
    """The parts as an enumeration: `a, b and c`, or `a, b, c and 2 more`."""
    every = list(parts)
    rest = len(every) - most
    *first, last = every if rest <= 0 else [*every[:most], f"{rest} more"]
    return f"{', '.join(first)} and {last}" if first else last
