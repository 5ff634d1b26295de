"""The field at a position by the events of the YAML parser. Text behind the first error is not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from codegen.documents.limits import MAX_DEPTH
from codegen.documents.yaml_scalars import YamlError, key_text, scalar
from codegen.documents.yaml_text import Loader

from .documents import yaml_starts

if TYPE_CHECKING:
    from collections.abc import Iterator

    Step = str | int
    Steps = tuple[Step, ...]

MOST_EVENTS = 200_000


class Found(NamedTuple):
    """A key or a value of a document."""

    steps: Steps
    start: int
    end: int
    is_key: bool
    value: Any
    """The value of a scalar, or of the scalar of a key."""


class Parsed(NamedTuple):
    """A document, or its start up to an error."""

    root: Any
    found: tuple[Found, ...]
    """The keys and scalars, in the order of the text."""
    is_valid: bool
    """Whether the whole document was read, and all its keys are scalars."""

    def at(self, offset: int) -> Found | None:
        """The key or scalar at an offset."""
        return next((one for one in self.found if one.start <= offset <= one.end), None)

    def object_of(self, steps: Steps) -> tuple[dict[str, Any], Steps, Steps] | None:
        """The object that has a field, the steps to the object, and the steps of the field in it."""
        content, at = self.root, 0
        while isinstance(content, dict) and len(steps) >= at + 2 and isinstance(content.get("items"), list):
            items = content["items"]
            place = steps[at + 1]
            if steps[at] != "items" or not isinstance(place, int) or place >= len(items):
                break
            content, at = items[place], at + 2
        return (content, steps[:at], steps[at:]) if isinstance(content, dict) else None


class _Level:
    """An open collection."""

    def __init__(self, value: Any, steps: Steps, anchor: str | None) -> None:
        self.value, self.steps, self.anchor = value, steps, anchor
        self.key: str | None = None
        self.wants_key = isinstance(value, dict)

    def next_steps(self) -> Steps:
        """The steps of the next value."""
        if isinstance(self.value, list):
            return (*self.steps, len(self.value))
        return (*self.steps, self.key or "")

    def put(self, value: Any) -> None:
        """Add a value."""
        if isinstance(self.value, list):
            self.value.append(value)
        else:
            self.value[self.key or ""] = value
            self.wants_key, self.key = True, None


def parse(text: str) -> Parsed:
    """The first document of a text."""
    builder = _Builder(text)
    is_whole = False
    for event in _events(text):
        if not builder.take(event):
            is_whole = isinstance(event, yaml.DocumentEndEvent)
            break
    return Parsed(builder.root, tuple(builder.found), is_whole and builder.has_plain_keys)


def _events(text: str) -> Iterator[Any]:
    loader = None
    try:
        loader = Loader(text if text.endswith("\n") else f"{text}\n")
        for _ in range(MOST_EVENTS):
            if not loader.check_event():
                return
            yield loader.get_event()
    except (yaml.YAMLError, UnicodeError):
        return
    finally:
        if loader is not None:
            loader.dispose()


class _Builder:
    """Builds the values of a document from events."""

    def __init__(self, text: str) -> None:
        self._starts = yaml_starts(text)
        self._levels: list[_Level] = []
        self._anchors: dict[str, Any] = {}
        self.root: Any = None
        self.found: list[Found] = []
        self.has_plain_keys = True

    def take(self, event: Any) -> bool:
        """Add an event. Return whether the document continues."""
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.AliasEvent):
            self._put(self._anchors.get(event.anchor or ""))
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            if len(self._levels) >= MAX_DEPTH:
                return False
            level = self._levels[-1] if self._levels else None
            value: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
            self._levels.append(_Level(value, level.next_steps() if level else (), event.anchor))
            if level is None:
                self.root = value
            elif level.wants_key:  # a collection as a key
                level.key, level.wants_key = "", False
                self.has_plain_keys = False
            else:
                level.put(value)  # at once, so that it is there if an error follows
            if event.anchor is not None:
                self._anchors[event.anchor] = value
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            self._levels.pop()
        return not isinstance(event, yaml.DocumentEndEvent)

    def _scalar(self, event: Any) -> None:
        value = _value(event)
        level = self._levels[-1] if self._levels else None
        is_key = level is not None and level.wants_key
        if is_key and level is not None:
            level.key = _key(value, event)
            level.wants_key = False
        steps = level.next_steps() if level else ()
        start, end = self._offset(event.start_mark), self._offset(event.end_mark)
        self.found.append(Found(steps, start, end, is_key, value))
        if event.anchor is not None:
            self._anchors[event.anchor] = value
        if not is_key:
            self._put(value)

    def _put(self, value: Any) -> None:
        if self._levels:
            level = self._levels[-1]
            if level.wants_key:  # an alias as a key
                level.key, level.wants_key = str(value), False
            else:
                level.put(value)

    def _offset(self, mark: Any) -> int:
        return int(self._starts[min(mark.line, len(self._starts) - 1)] + mark.column)


def _value(event: Any) -> Any:
    try:
        return scalar(event)
    except YamlError:
        return event.value


def _key(value: Any, event: Any) -> str:
    try:
        return value if isinstance(value, str) else key_text(value, event)
    except (YamlError, ValueError, OverflowError):
        return str(event.value)
