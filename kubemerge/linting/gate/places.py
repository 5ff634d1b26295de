"""Parsing of paths that servers print into steps: `spec.ports[0].port`, `data[a.b]`."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from engine.tables.identity import ElementLabels, Keys

from ...apiserver.problems import NO_PATH

if TYPE_CHECKING:
    from collections.abc import Hashable

    from engine import Schema
    from engine.paths import Step, Steps
    from engine.tables.identity import KeyStep

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


class ElementNames:
    """Replaces positions of list elements by their keys, as in the engine. Each list is searched once."""

    def __init__(self, content: Any, schema: Schema | None) -> None:
        self._content, self._schema = content, schema
        self._unique: dict[int, tuple[list[Any], Counter[Hashable], ElementLabels]] = {}

    def named(self, steps: Steps) -> Steps:
        """The steps with elements by their keys: `containers[name=web]` for `containers[0]`.

        An element without a unique key keeps its position.
        """
        schema, content = self._schema, self._content
        rule = schema.type.rule if schema is not None else None
        found: list[Step] = []
        for step in steps:
            held: Step = step
            if schema is not None and rule is not None:
                inside = (
                    schema.inside(rule)[0] if rule.kind == "list" or rule.free_keys else schema.field(rule, str(step))
                )
                if isinstance(step, int) and isinstance(content, list):
                    held = self._by_key(step, content, Keys(rule, schema.types)) or step
                rule = inside
            found.append(held)
            content = _inside(content, step)
        return tuple(found)

    def _by_key(self, at: int, content: list[Any], keys: Keys) -> KeyStep | None:
        """The keys of an element, if they are unique."""
        if id(content) not in self._unique:
            full = [keys.full(item) for item in content] if keys.names else []
            self._unique[id(content)] = full, Counter(full), ElementLabels(keys, content)
        full, counts, labels = self._unique[id(content)]
        if at >= len(full) or full[at] is None or counts[full[at]] > 1:
            return None
        return labels.of(content[at])


def value_at(content: Any, steps: Steps) -> Any:
    """The value at these steps; None if there is none."""
    for step in steps:
        content = _inside(content, step)
    return content


def without(content: Any, steps: Steps) -> Any:
    """The object with null at these steps, which a server treats as absent."""
    if not steps:
        return None
    step, rest = steps[0], steps[1:]
    if isinstance(content, dict) and isinstance(step, str):
        return {**content, step: without(content.get(step), rest)}
    if isinstance(content, list) and isinstance(step, int):
        return [*content[:step], without(content[step], rest), *content[step + 1 :]]
    return content
