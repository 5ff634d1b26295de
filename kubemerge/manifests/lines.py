"""The lines and columns of fields in a file, for reports."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from codegen.documents.problems import BadDocument
from codegen.documents.reader import text_of
from codegen.documents.yaml_scalars import OtherYaml, YamlError, resolve
from codegen.documents.yaml_text import Loader, read_quickly
from engine.paths import parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from engine.paths import Step, Steps

    from .objects import Manifest

    _Found: TypeAlias = tuple[Any, Any]
    """The nodes of a key and its value. For an element, the same node twice."""

YAML_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""The line breaks that the YAML parser counts."""


class Spot(NamedTuple):
    """A line and a column, both counted from 1."""

    line: int
    column: int = 1


class Lines:
    """Finds the positions of fields in one file. Its YAML is parsed again when a position is first needed."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._documents: list[list[Any]] | None = None
        self._roots: dict[int, Any] = {}
        self._nodes = _Nodes()
        self._places: dict[int, dict[Any, tuple[int, int]]] = {}

    def spot(self, number: int, steps: Steps, default_line: int) -> Spot:
        """The position of a field in the object with this number. If it is missing, its parent's position.

        `default_line` is for a file in which nothing is found: some files that are read as JSON are not YAML.
        """
        every = (node for document in self._in_documents() for node in document)
        return self._spot_of(next(islice(every, number, None), None), steps, default_line)

    def spot_in(self, document: int, number: int, steps: Steps, default_line: int) -> Spot:
        """The position of a field in an object of one document. The number of a document counts empty ones, too."""
        known = self._quick_spot(document, steps) if number == 0 and self._documents is None else None
        if known is not None:
            return known
        found = self._in_documents()[document : document + 1]
        return self._spot_of(found[0][number] if found and number < len(found[0]) else None, steps, default_line)

    @cached_property
    def _simple_documents(self) -> list[tuple[int, Any]] | None:
        """The documents with their lines, if the YAML is simple. The places of their fields are then in `_places`."""
        return _read_quickly(self._data, self._places)

    def _quick_spot(self, document: int, steps: Steps) -> Spot | None:
        """The position in a document with one object, if its YAML is simple and no step names an element by keys."""
        if self._simple_documents is None or document >= len(self._simple_documents):
            return None
        line, value = self._simple_documents[document]
        if not isinstance(value, dict) or isinstance(value.get("items"), list) or value.get("kind") == "List":
            return None
        spot = Spot(line)
        for step in steps:
            if not isinstance(value, (dict, list)):
                return spot
            places = self._places.get(id(value))
            if places is None or isinstance(step, tuple) or isinstance(step, int) is not isinstance(value, list):
                return None
            if step not in places:
                return spot if isinstance(step, str) or step >= len(value) else None
            child: Any = value  # a mapping for a name, a list for a number
            spot, value = Spot(*places[step]), child[step]
        return spot

    def own_line(self, manifest: Manifest, document: int, number: int) -> Manifest:
        """The object with its own line. Before, an item of a List has the line of its document."""
        return manifest.on_line(self.spot_in(document, number, (), manifest.line).line) if manifest.item else manifest

    def nodes(self, document: int, number: int, steps: Steps) -> tuple[Any, Any] | None:
        """The nodes of a field's key and value. None if the field is missing."""
        found = self._in_documents()[document : document + 1]
        pair = (found[0][number],) * 2 if found and number < len(found[0]) else None
        for step in steps:
            if pair is None:
                return None
            pair = self._step(pair[1], step)
        return pair

    def nodes_of(self, manifest: Manifest, steps: Steps) -> tuple[Any, Any] | None:
        """The nodes of a field's key and value in an object. None if the field or the object is missing."""
        self._in_documents()
        root = self._roots.get(manifest.line)
        pair: _Found | None = None if root is None else (root, root)
        for step in (*parse(manifest.item), *steps):
            pair = None if pair is None else self._step(pair[1], step)
        return pair

    def _in_documents(self) -> list[list[Any]]:
        if self._documents is None:
            self._documents = []
            for root in _roots_in(self._data):
                self._documents.append(list(_objects(root)))
                if root is not None:
                    self._roots.setdefault(_spot(root).line, root)
        return self._documents

    def _spot_of(self, node: Any, steps: Steps, default_line: int) -> Spot:
        return self._descend(node, steps) if node is not None else Spot(default_line)

    def _step(self, node: Any, step: Step) -> _Found | None:
        return self._nodes.field(node, step) if isinstance(step, str) else self._nodes.element(node, step)

    def _descend(self, node: Any, steps: Steps) -> Spot:
        spot = _spot(node)
        for step in steps:
            found = self._step(node, step)
            if found is None:
                return spot
            spot, node = _spot(found[0]), found[1]
        return spot


def _roots_in(data: bytes) -> Iterator[Any]:
    """The root node of each document."""
    try:
        text = text_of(data)
        if text.lstrip()[:1] == "{":
            text = text.replace("\t", " ")  # tabs that JSON is indented with, and YAML is not
        yield from yaml.compose_all(text, Loader=Loader)
    except (yaml.YAMLError, BadDocument, RecursionError):
        return


def _read_quickly(data: bytes, places: dict[int, dict[Any, tuple[int, int]]]) -> list[tuple[int, Any]] | None:
    """The documents of simple YAML; None for other texts."""
    try:
        text = text_of(data)
        return [*read_quickly(text if text.endswith("\n") else f"{text}\n", places)]
    except (BadDocument, OtherYaml):
        return None


def _objects(node: Any) -> Iterator[Any]:
    """The mappings of a document in the order of `objects.each_in`, with Lists expanded."""
    if not isinstance(node, yaml.MappingNode):
        return
    kind, items = (_Nodes().field(node, name) for name in ("kind", "items"))
    if items and isinstance(items[1], yaml.SequenceNode):
        for item in items[1].value:
            yield from _objects(item)
    elif not (kind and kind[1].value == "List"):
        yield node


def _spot(node: Any) -> Spot:
    return Spot(node.start_mark.line + 1, node.start_mark.column + 1)


class _Nodes:
    """An index of the maps and lists of a file. Each one is scanned once, however often it is looked up."""

    def __init__(self) -> None:
        self._fields: dict[Any, dict[str, _Found]] = {}
        self._elements: dict[tuple[Any, str], _Elements] = {}

    def field(self, node: Any, name: str) -> _Found | None:
        """The key and the value of a field. The mapping's own fields take precedence over those merged with `<<`."""
        return self._fields_of(node).get(name)

    def _fields_of(self, node: Any) -> dict[str, _Found]:
        found = self._fields.get(node)
        if found is None:
            found = self._fields[node] = {}
            named = [(key, value) for key, value in _pairs(node) if isinstance(key, yaml.ScalarNode)]
            for key, value in named:
                found.setdefault(key.value, (key, value))
            merged = [value for key, value in named if key.value == "<<"]
            for source in (source for value in merged for source in (value.value if _is_list(value) else [value])):
                for name, pair in self._fields_of(source).items():
                    found.setdefault(name, pair)
        return found

    def element(self, node: Any, step: Step) -> _Found | None:
        """An element by its position or its keys. Of several with equal keys, the last, which is the duplicate."""
        if not _is_list(node):
            return None
        found = node.value[step : step + 1] if isinstance(step, int) else []
        if isinstance(step, tuple):
            # An element may leave out a key that has a default, so the one with the most keys is meant.
            score = {at: self._agreeing(node.value[at], dict(step)) for at in self._candidates(node, step)}
            best = max(score.values(), default=0)
            found = [node.value[at] for at in score if best and score[at] == best]
        return (found[-1], found[-1]) if found else None

    def _candidates(self, node: Any, step: tuple[tuple[str, Any], ...]) -> list[int]:
        """The positions of elements with the same value of the most selective key."""
        return min((self._elements_of(node, key).with_value(value) for key, value in step), key=len, default=[])

    def _elements_of(self, node: Any, key: str) -> _Elements:
        found = self._elements.get((node, key))
        if found is None:
            found = self._elements[node, key] = _Elements()
            for at, item in enumerate(node.value):
                found.add(at, self._part(item, key))
        return found

    def _part(self, item: Any, key: str) -> Any:
        """The value of an element's key. A scalar element is its own value."""
        if not key:
            return item
        found = self.field(item, key)
        return None if found is None else found[1]

    def _agreeing(self, item: Any, keys: dict[str, Any]) -> int:
        """The number of the keys that an element has. 0 if one of them has another value."""
        count = 0
        for key, value in keys.items():
            part = self._part(item, key)
            if part is None:
                continue
            if not isinstance(part, yaml.ScalarNode) or _value(part) != value:
                return 0
            count += 1
        return count


class _Elements:
    """The positions of the elements of one list, by the value of one key."""

    def __init__(self) -> None:
        self._by_value: dict[Any, list[int]] = {}
        self._without: list[int] = []

    def add(self, at: int, part: Any) -> None:
        """Record an element."""
        if part is None:
            self._without.append(at)
        elif isinstance(part, yaml.ScalarNode):
            self._by_value.setdefault(_value(part), []).append(at)

    def with_value(self, value: Any) -> list[int]:
        """The positions of the elements with this value, or without any value, in order."""
        alike = () if isinstance(value, (dict, list)) else self._by_value.get(value, ())  # only a scalar is a key
        return sorted([*alike, *self._without])


def _pairs(node: Any) -> list[_Found]:
    return node.value if isinstance(node, yaml.MappingNode) else []


def _is_list(node: Any) -> bool:
    return isinstance(node, yaml.SequenceNode)


def _value(node: yaml.ScalarNode) -> Any:
    """The value of a scalar as it was read."""
    try:
        return node.value if node.style else resolve(node.value)
    except YamlError:
        return node.value
