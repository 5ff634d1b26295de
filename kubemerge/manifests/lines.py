"""The lines of fields in a file, for reports that editors and reviewers follow."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from codegen.documents.problems import BadDocument
from codegen.documents.reader import text_of
from codegen.documents.yaml_scalars import YamlError, resolve
from codegen.documents.yaml_text import Loader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.paths import Step, Steps


class Spot(NamedTuple):
    """A line and a column, both from 1 on."""

    line: int
    column: int = 1


class Lines:
    """Finds the spots in one file. Its YAML is read once more, when a spot is first asked for."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._objects: list[Any] | None = None

    def spot(self, number: int, steps: Steps, otherwise: int) -> Spot:
        """The spot of a field in the object with this number; if it is missing, that of the map that should have it.

        `otherwise` is the line for a file in which nothing is found: not all that is read as JSON is YAML.
        """
        if self._objects is None:
            self._objects = list(_objects_in(self._data))
        node = next(islice(self._objects, number, None), None)
        return _descend(node, steps) if node is not None else Spot(otherwise)


def _objects_in(data: bytes) -> Iterator[Any]:
    try:
        for root in yaml.compose_all(text_of(data), Loader=Loader):
            yield from _objects(root)
    except (yaml.YAMLError, BadDocument, RecursionError):
        return


def _objects(node: Any) -> Iterator[Any]:
    """The objects of a document in the order in which they are read, with Lists taken apart."""
    if not isinstance(node, yaml.MappingNode):
        return
    kind, items = _field(node, "kind"), _field(node, "items")
    if items and isinstance(items[1], yaml.SequenceNode):
        for item in items[1].value:
            yield from _objects(item)
    elif not (kind and kind[1].value == "List"):
        yield node


def _descend(node: Any, steps: Steps) -> Spot:
    spot = _spot(node)
    for step in steps:
        found = _field(node, step) if isinstance(step, str) else _element(node, step)
        if found is None:
            return spot
        spot, node = _spot(found[0]), found[1]
    return spot


def _spot(node: Any) -> Spot:
    return Spot(node.start_mark.line + 1, node.start_mark.column + 1)


def _field(node: Any, name: str) -> tuple[Any, Any] | None:
    """The key and the value of a field; fields merged with `<<` come after the mapping's own."""
    if not isinstance(node, yaml.MappingNode):
        return None
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and key.value == name:
            return key, value
    merged = [value for key, value in node.value if isinstance(key, yaml.ScalarNode) and key.value == "<<"]
    sources = [source for value in merged for source in (value.value if _is_list(value) else [value])]
    return next((found for source in sources if (found := _field(source, name))), None)


def _is_list(node: Any) -> bool:
    return isinstance(node, yaml.SequenceNode)


def _element(node: Any, step: Step) -> tuple[Any, Any] | None:
    """An element by its position or its keys. Of several with the same keys the last, which is the duplicate."""
    if not _is_list(node):
        return None
    found = node.value[step : step + 1] if isinstance(step, int) else []
    if isinstance(step, tuple):
        # An element may leave out a key that has a default, so the one with the most keys is meant.
        keys = dict(step)
        score = {at: _agreeing(item, keys) for at, item in enumerate(node.value)}
        best = max(score.values(), default=0)
        found = [node.value[at] for at in score if best and score[at] == best]
    return (found[-1], found[-1]) if found else None


def _agreeing(item: Any, keys: dict[str, Any]) -> int:
    """How many of the keys an element has; none if it has one of them with another value."""
    count = 0
    for key, value in keys.items():
        found = _field(item, key) if key else (item, item)
        if found is None:
            continue
        if not isinstance(found[1], yaml.ScalarNode) or _value(found[1]) != value:
            return 0
        count += 1
    return count


def _value(node: yaml.ScalarNode) -> Any:
    """The value of a scalar as it was read."""
    try:
        return node.value if node.style else resolve(node.value)
    except YamlError:
        return node.value
