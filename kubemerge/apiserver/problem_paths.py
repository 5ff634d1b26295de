"""Parsing of paths that servers print into steps: `spec.ports[0].port`, `data[a.b]`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .problems import NO_PATH

if TYPE_CHECKING:
    from engine.paths import Step, Steps

_STEP = re.compile(r"\[([^\]]*)\]|\.?([^.\[]+)")


def steps_of(place: str, content: Any) -> Steps:
    """The steps of a path. Keys may contain dots, so the keys of the object determine where one ends."""
    found: list[Step] = []
    place = "" if place == NO_PATH else place
    while place:
        step, place = _next(place, content)
        content = _inside(content, step)
        found.append(step)
    return tuple(found)


def _next(place: str, content: Any) -> tuple[Step, str]:
    """The first step of a place, and the rest."""
    if isinstance(content, dict) and not place.startswith("["):
        bare = place.removeprefix(".")
        if not bare:
            return "", ""
        ends = [at for at, char in enumerate(bare) if at and char in ".["]
        longest = next((bare[:end] for end in (len(bare), *reversed(ends)) if bare[:end] in content), None)
        if longest is not None:
            return longest, bare[len(longest) :]
    match = _STEP.match(place)
    if match is None:
        return place, ""
    index, name = match.groups()
    step = name if index is None else int(index) if index.isdecimal() and isinstance(content, list) else index
    return step, place[match.end() :]


def _inside(content: Any, step: Step) -> Any:
    if isinstance(content, dict):
        return content.get(step) if isinstance(step, str) else None
    if isinstance(content, list) and isinstance(step, int) and step < len(content):
        return content[step]
    return None


def value_at(content: Any, steps: Steps) -> Any:
    """The value at these steps; None if there is none."""
    for step in steps:
        content = _inside(content, step)
    return content
