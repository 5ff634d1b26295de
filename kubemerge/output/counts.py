"""How many there are, in words."""

from __future__ import annotations


def how_many(number: int, noun: str) -> str:
    """The number with its noun: `1 object`, `2 objects`, `2 patches`."""
    ending = "" if number == 1 else "es" if noun.endswith(("ch", "s", "x")) else "s"
    return f"{number} {noun}{ending}"
