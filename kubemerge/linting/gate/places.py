"""Elements by their keys, and objects without a value, at the steps of a path that a server prints."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine.tables.identity import ElementLabels, Keys

from ...apiserver.problem_paths import value_at

if TYPE_CHECKING:
    from collections.abc import Hashable

    from engine import Schema
    from engine.paths import Step, Steps
    from engine.tables.identity import KeyStep


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
            content = value_at(content, (step,))
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
