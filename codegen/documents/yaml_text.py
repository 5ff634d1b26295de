"""YAML as kubectl reads it: a stream of documents, each scalar resolved by the rules of Go's YAML library.

The parser is libyaml if PyYAML has it. The values are built here from its events, without recursion, so that depth,
repeated keys and aliases are checked, and nothing becomes a date or a Python object.
"""

from __future__ import annotations

import re
from itertools import islice

import yaml

from .limits import MAX_DEPTH, MAX_NODES, TEXT_OF_A_NODE, check_depth
from .problems import bad_character, explain, position_at
from .yaml_scalars import NOT_FINITE, QUOTE_IT, OtherYaml, YamlError, key_text, scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from .yaml_lines import Places

    Repeated: TypeAlias = "list[tuple[int, str]]"
    """Keys that occur twice in one mapping, each with the line of its later value."""


class PythonLoader(yaml.SafeLoader):
    """The Python parser, changed as in kubectl: a colon ends a plain text only before a space, so `[a:]` is text."""

    _in_plain_text = False
    _colon_at = -1

    def scan_plain(self) -> Any:
        self._in_plain_text = True
        try:
            return super().scan_plain()
        finally:
            self._in_plain_text = False

    def peek(self, index: int = 0) -> str:
        """The character at an index; after a colon in a plain text, one that does not end the text."""
        character: str = super().peek(index)
        if self._in_plain_text:
            behind_a_colon = index - 1 == self._colon_at
            self._colon_at = index if character == ":" and not behind_a_colon else -1
            if behind_a_colon and character in ",[]{}":
                return ":"
        return character


Loader: Any = getattr(yaml, "CSafeLoader", PythonLoader)


def documents(text: str | bytes) -> Iterator[Any]:
    """Every document of a YAML stream; an empty document is None."""
    return (document for _, document in located(text))


def as_yaml(text: str, repeated: Repeated | None = None) -> Iterator[tuple[int, Any]]:
    """The documents of a text in YAML with kubectl's document separators, with their depth checked.

    A repeated key is an error, unless `repeated` is a list that collects them; then the last value counts.
    """
    if text.startswith("---") or "\n---" in text:
        found = re.search(_BEHIND_DASHES, text, re.MULTILINE)
        if found:
            raise YamlError("there is text after the dashes", position_at(text, found.end() - 1), _NEXT_LINE)
    count = 0
    try:
        for one in read_quickly(text):
            count += 1
            yield one
        return
    except OtherYaml:
        pass
    for line, document in islice(located(text if text.endswith("\n") else f"{text}\n", repeated), count, None):
        check_depth(document, line)
        yield line, document


WORTH_IT = 2_000
"""Number of characters from which reading line by line is faster, because its patterns are compiled first."""
_read = {"characters": 0}


def read_quickly(text: str, places: Places | None = None) -> Iterator[tuple[int, Any]]:
    """The result of `yaml_lines.read_lines`, or OtherYaml until the process has read enough text for it."""
    _read["characters"] += len(text)
    if _read["characters"] < WORTH_IT:
        raise OtherYaml
    from .yaml_lines import read_lines

    return read_lines(text, places)


_BEHIND_DASHES = r"^---[^\S\n]*[^\s#]"
_NEXT_LINE = "kubectl allows only a comment there, so start the document on the next line"


class _LibyamlGaveUp(Exception):
    """A text that needs the Python parser: libyaml neither reads it nor rejects it at the right position."""


_ONLY_LIBYAML = ("unexpected ':'", "maximum nesting depth")
"""Errors of libyaml alone: at a colon without a space in brackets, and since 0.2.6 beyond 1,000 levels."""


def located(text: str | bytes, repeated: Repeated | None = None) -> Iterator[tuple[int, Any]]:
    """Every document of a YAML stream with the first line of its content; `repeated` as in `as_yaml`."""
    count = 0
    try:
        for found in _events_to_documents(text, Loader, repeated):
            count += 1
            yield found
    except _LibyamlGaveUp:
        yield from islice(_events_to_documents(text, PythonLoader, repeated), count, None)


def _events_to_documents(text: str | bytes, loader_type: Any, repeated: Repeated | None) -> Iterator[tuple[int, Any]]:
    loader = None
    asks = "?" in text if isinstance(text, str) else b"?" in text
    try:
        loader = loader_type(text)
        while loader.check_event():
            event = loader.get_event()
            if isinstance(event, yaml.DocumentStartEvent):
                found = (_WithQuestionMarks if asks else _Document)(loader, repeated)
                document = found.read()
                yield found.line, document
    except yaml.MarkedYAMLError as error:
        if any(words in (error.problem or "") for words in _ONLY_LIBYAML):
            raise _LibyamlGaveUp from None
        problem, advice, place = explain(error, text)
        raise YamlError(problem, place, advice) from None
    except yaml.reader.ReaderError as error:
        problem, advice, place = bad_character(error, text)
        raise YamlError(problem, place, advice) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise YamlError(" ".join(str(error).split())) from None
    finally:
        if loader is not None:
            loader.dispose()


def _too_deep(mark: Any) -> YamlError:
    problem, wanted = f"nested deeper than {MAX_DEPTH} levels", f"at most {MAX_DEPTH} nested levels"
    return YamlError(problem, mark, "keep the deep part as text", wanted=wanted, found="more")


class _Document:
    """A document under construction: open collections on a stack, anchors by name."""

    def __init__(self, loader: Any, repeated: Repeated | None) -> None:
        self.loader, self.repeated = loader, repeated
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.open: list[_Collection] = []
        self.nodes = 0
        self.root: Any = None
        self.line = 0

    def read(self) -> Any:
        while True:
            event = self.loader.get_event()
            self.line = self.line or event.start_mark.line + 1
            if isinstance(event, yaml.DocumentEndEvent):
                return self.root
            self._take(event)

    def _take(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):  # first, because most are scalars
            size = 1 + len(event.value) // TEXT_OF_A_NODE
            self._count(size, event)
            value = self._value(event)
            if event.anchor is not None:
                self.anchors[event.anchor] = (value, size)
            self._put(value, event)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            if len(self.open) >= MAX_DEPTH:
                raise _too_deep(event.start_mark)
            self._count(1, event)
            mapping = isinstance(event, yaml.MappingStartEvent)
            self.open.append(_Collection(mapping, event, self.nodes, self.repeated))
        else:
            done = self.open.pop()
            self._anchor(done.start.anchor, done.value, self.nodes - done.nodes_before + 1)
            self._put(done.value, done.start)

    def _value(self, event: Any) -> Any:
        """The value of a scalar. A key may be infinite, because it becomes text."""
        try:
            return scalar(event)
        except YamlError:
            if event.value in NOT_FINITE and self.open and self.open[-1].wants_a_key:
                return event.value.lower().removeprefix("+")
            raise

    def _alias(self, event: Any) -> None:
        if event.anchor not in self.anchors:
            raise YamlError("an alias (*name) refers to an unknown anchor", event.start_mark, QUOTE_IT)
        value, nodes = self.anchors[event.anchor]
        self._count(nodes, event)
        self._put(value, event)

    def _count(self, nodes: int, event: Any) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            text = MAX_NODES * TEXT_OF_A_NODE // 1_000_000
            problem = f"more than {MAX_NODES:,} values or {text} MB of text after expansion of aliases"
            raise YamlError(problem, event.start_mark, "split the document")

    def _anchor(self, name: str | None, value: Any, nodes: int) -> None:
        if name is not None:
            self.anchors[name] = (value, nodes)

    def _put(self, value: Any, event: Any) -> None:
        if self.open:
            self.open[-1].put(value, event)
        else:
            self.root = value


class _WithQuestionMarks(_Document):
    """A document with question marks: inside brackets, kubectl reads each as the start of an explicit key."""

    def _value(self, event: Any) -> Any:
        if "?" in event.value and not event.style and self.open and self.open[-1].start.flow_style:
            raise YamlError("a question mark without quotes, in brackets or braces", event.start_mark, "quote the text")
        return super()._value(event)


class _Collection:
    """A mapping or a sequence that is still open."""

    def __init__(self, mapping: bool, start: Any, nodes_before: int, repeated: Repeated | None) -> None:
        self.start, self.nodes_before, self.repeated = start, nodes_before, repeated
        self.value: Any = {} if mapping else []
        self._own_keys: set[str] = set()
        self._key: str | None = None
        self._merging = self._again = False
        self._mapping = mapping

    @property
    def wants_a_key(self) -> bool:
        """True if the next value is a key."""
        return self._mapping and not self._merging and self._key is None

    def put(self, value: Any, event: Any) -> None:
        if not self._mapping:
            self.value.append(value)
        elif self._merging:
            self._merge(value, event)
        elif self._key is None:
            self._begin(value, event)
        else:
            self.value[self._key] = value
            if self._again and self.repeated is not None:
                self.repeated.append((event.start_mark.line + 1, self._key))
            self._key, self._again = None, False

    def _begin(self, key: Any, event: Any) -> None:
        if key == "<<" and isinstance(event, yaml.ScalarEvent) and not event.style and event.tag is None:
            self._merging = True
            return
        if key is None or isinstance(key, (dict, list)):
            raise YamlError("a key must be a scalar, and not null", event.start_mark)
        name = key if isinstance(key, str) else key_text(key, event)
        self._again = name in self._own_keys
        if self._again and self.repeated is None:
            raise YamlError(f"the key {name!r} occurs twice in one mapping", event.start_mark, "remove one of them")
        self._own_keys.add(name)
        self._key = name

    def _merge(self, value: Any, event: Any) -> None:
        """`<<: *anchor` overrides earlier keys, and later keys override it, as in kubectl; in lists, the first wins."""
        self._merging = False
        for source in reversed(value) if isinstance(value, list) else [value]:
            if not isinstance(source, dict):
                raise YamlError("a merge key (<<) requires a mapping or a list of mappings", event.start_mark)
            self.value.update(source)
