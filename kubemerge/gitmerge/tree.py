"""The text of one YAML document as a tree: each entry and element with its value, its lines and the comments above it.

Every line belongs to exactly one part. Text that cannot be divided into parts this way raises NotEditable.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from codegen.documents.problems import BadDocument
from codegen.documents.yaml_scalars import key_text, scalar
from codegen.documents.yaml_text import Loader

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_DEPTH = 60
"""Levels of one document. Deeper documents are merged by line."""
MAX_VALUES = 100_000
"""Values of one document. Larger documents are merged by line."""
_KEPT_BREAKS = re.compile(r"[|>][0-9]*\+")
_EMPTY = re.compile(r"[\s#]|$")


class NotEditable(Exception):
    """Text in which single values cannot be edited safely. The message is the reason."""


class Block:
    """A collection whose parts start on separate lines. `flow` is JSON's notation, with brackets and commas.

    `one_line` is a collection in brackets with all its parts on one line.
    """

    __slots__ = ("column", "flow", "is_map", "one_line", "parts")

    def __init__(self, is_map: bool, flow: bool, column: int) -> None:
        self.is_map, self.flow, self.column = is_map, flow, column
        self.one_line = False
        self.parts: list[Part] = []

    def like(self, other: Block) -> bool:
        """Whether parts of the other collection can be written into this one."""
        return (self.is_map, self.flow, self.one_line) == (other.is_map, other.flow, other.one_line)

    def empty(self) -> Block:
        """A collection in the same notation without parts."""
        found = Block(self.is_map, self.flow, self.column)
        found.one_line = self.one_line
        return found

    def value(self) -> Any:
        """The value of the collection."""
        if self.is_map:
            return {str(part.key): part.value for part in self.parts}
        return [part.value for part in self.parts]


class Part:
    """An entry of a map, or an element of a list: its value, and its lines in a file.

    Its lines are `lead` (comments above it), `start` (its key or dash), `last` (its content ends) and `end`.
    """

    __slots__ = (
        *("block", "column", "end", "end_column", "flow", "inline", "is_document", "key", "last", "lead", "lines"),
        *("is_text", "start", "value"),
    )

    def __init__(self, lines: Sequence[str], key: str | None, start: int, column: int, flow: bool) -> None:
        self.lines, self.key, self.start, self.column, self.flow = lines, key, start, column, flow
        self.lead = self.last = self.end = start
        self.end_column = 0
        self.value: Any = None
        self.block: Block | None = None
        self.inline = self.is_document = self.is_text = False

    def comments(self, column: int | None = None) -> list[str]:
        """The lines above the part, moved to a column."""
        to = self.column if column is None else column
        return [moved(line, self.column, to) for line in self.lines[self.lead : self.start]]

    def content(self, column: int | None = None) -> list[str]:
        """The lines of the part without the comments above it, moved to a column."""
        to = self.column if column is None else column
        found = [self.head(), *self.lines[self.start + 1 : self.end]]
        if self.flow:  # without its comma
            found = found[: self.last - self.start + 1]
            found[-1] = found[-1][: self.end_column]
        return [moved(line, self.column, to) for line in found]

    def notes(self, *, above: bool = True) -> set[str]:
        """The comments in the part, and above it."""
        found = set()
        for line in self.lines[self.lead if above else self.start : self.end]:
            at = 0 if line.lstrip().startswith("#") else line.find(" #") + 1
            if line[at:].lstrip()[:1] == "#":
                found.add(line[at:].strip())
        return found

    def behind(self) -> str | None:
        """The text behind a value on one line. None if it has several lines, or is a collection."""
        if self.last != self.start or self.end != self.start + 1 or self.flow:
            return None
        return None if self.block and not self.block.one_line else self.lines[self.start][self.end_column :]

    def head(self) -> str:
        """The line of the key or the dash."""
        return " " * self.column + self.lines[self.start][self.column :]

    def gaps(self) -> list[str]:
        """The text before each part of a collection on one line, and behind its last part."""
        parts = self.block.parts if self.block else []
        line = self.lines[self.start]
        ends = [part.end_column for part in parts[:-1]]
        found = [line[end : part.column] for end, part in zip(ends, parts[1:], strict=True)]
        return [line[self.column : parts[0].column], *found, line[parts[-1].end_column : self.end_column]]

    def closing(self) -> str:
        """The line of the closing bracket, without its comma."""
        return self.lines[self.last][: self.end_column]

    def text(self) -> tuple[str, ...]:
        """The lines of the part from column 0, to compare them with another file."""
        return (*self.comments(0), "", *self.content(0))


def moved(line: str, column: int, to: int) -> str:
    """A line whose indentation is changed as from one column to another. A line with less indentation stays."""
    if column == to or not line.strip() or line[:column].strip(" "):
        return line
    return " " * to + line[column:]


def parse(lines: Sequence[str]) -> Part:
    """The only document in these lines, as a part without a key that has all of them."""
    try:
        return _Reader(lines).document()
    except (yaml.YAMLError, UnicodeError, BadDocument, NotEditable) as error:
        if any("{{" in line or "{%" in line for line in lines):
            raise NotEditable("it is a template") from None
        if isinstance(error, NotEditable):
            raise
        raise NotEditable("it is not valid YAML") from None


class _Node:
    """A value with the place of its text."""

    __slots__ = ("block", "column", "end_column", "is_text", "last", "line", "value")

    def __init__(self, value: Any, mark: Any) -> None:
        self.value = value
        self.line, self.column = mark.line, mark.column
        self.last, self.end_column = mark.line, mark.column
        self.block: Block | None = None
        self.is_text = False


class _Reader:
    """Builds the tree of one document from the events of the YAML parser."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = list(lines)
        self._loader = Loader("\n".join(self._lines) + "\n")
        self._count = 0

    def document(self) -> Part:
        """The document."""
        try:
            self._expect(yaml.StreamStartEvent)
            self._expect(yaml.DocumentStartEvent)
            node = self._node(self._loader.get_event(), 0)
            self._expect(yaml.DocumentEndEvent)
            self._expect(yaml.StreamEndEvent)
        finally:
            self._loader.dispose()
        if node.block is not None and node.block.one_line:
            node.block = None
        in_brackets = node.block is not None and node.block.flow
        part = Part(self._lines, None, node.line if in_brackets else 0, 0, flow=False)
        self._fill(part, node)
        part.lead, part.end, part.is_document = 0, len(self._lines), True
        if node.block is not None and in_brackets:
            part.end = node.last + 1
            self._reject_lines(part.end)
            _divide(node.block, self._lines, node.line + 1, node.last)
        elif node.block is not None:
            part.inline = True
            _divide(node.block, self._lines, 0, part.end)
        return part

    def _expect(self, kind: type) -> None:
        event = self._loader.get_event()
        if not isinstance(event, kind):
            raise NotEditable("a document contains another one")
        if isinstance(event, yaml.DocumentStartEvent) and (event.explicit or event.version or event.tags):
            raise NotEditable("it has YAML directives")

    def _reject_lines(self, start: int) -> None:
        if any(line.strip() for line in self._lines[start:]):
            raise NotEditable("it has text after JSON")

    def _node(self, event: Any, depth: int) -> _Node:
        self._count += 1
        if self._count > MAX_VALUES:
            raise NotEditable(f"a document has more than {MAX_VALUES:,} values")
        if depth > MAX_DEPTH:
            raise NotEditable(f"it is nested deeper than {MAX_DEPTH} levels")
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise NotEditable("it has anchors or aliases")
        if getattr(event, "tag", None) is not None:
            raise NotEditable("it has tags")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            return self._flow(event, depth) if event.flow_style else self._block(event, depth)
        raise NotEditable("it is not valid YAML")

    def _scalar(self, event: Any) -> _Node:
        node = _Node(scalar(event), event.start_mark)
        node.last, node.end_column = event.end_mark.line, event.end_mark.column
        if event.style in ("|", ">"):
            node.last = max(node.line, node.last - (0 if event.end_mark.column else 1))
            if not _KEPT_BREAKS.match(self._lines[node.line][node.column :]):
                while node.last > node.line and not self._line(node.last).strip():
                    node.last -= 1
            node.last = min(node.last, len(self._lines) - 1)
            node.end_column = len(self._line(node.last))
            node.is_text = event.style == "|" and node.last > node.line
        return node

    def _line(self, number: int) -> str:
        return self._lines[number] if number < len(self._lines) else ""

    def _block(self, start: Any, depth: int) -> _Node:
        is_map = isinstance(start, yaml.MappingStartEvent)
        node = _Node(None, start.start_mark)
        node.block = block = Block(is_map, flow=False, column=start.start_mark.column)
        names: set[str] = set()
        while not isinstance(event := self._loader.get_event(), (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            if is_map:
                part = self._entry(event, block.column, names, depth)
            else:
                inner = self._node(event, depth + 1)
                part = self._element(inner, block.column)
            block.parts.append(part)
        node.last = max((part.last for part in block.parts), default=node.line)
        node.value = block.value()
        return node

    def _entry(self, key: Any, column: int, names: set[str], depth: int) -> Part:
        """An entry of a block map."""
        name = self._key(key, names)
        mark, end = key.start_mark, key.end_mark
        line = self._lines[mark.line]
        if mark.column != column or line[:column].strip(" -") or not line[end.column :].lstrip(" ").startswith(":"):
            raise NotEditable("it has keys in an unusual notation")
        part = Part(self._lines, name, mark.line, column, flow=False)
        node = self._node(self._loader.get_event(), depth + 1)
        if node.block is not None and not node.block.flow and node.line == part.start:
            raise NotEditable("it has keys in an unusual notation")
        self._fill(part, node)
        return part

    def _element(self, node: _Node, column: int) -> Part:
        """An element of a block list, whose dash is on the line of its value or above it."""
        at = node.line
        while at >= 0 and not (
            self._lines[at][column : column + 1] == "-" and _EMPTY.match(self._lines[at][column + 1 :])
        ):
            at -= 1
        if at < 0 or self._lines[at][:column].strip(" -"):
            raise NotEditable("it has lists in an unusual notation")
        part = Part(self._lines, None, at, column, flow=False)
        part.inline = node.block is not None and not node.block.flow and node.line == at
        self._fill(part, node)
        return part

    def _key(self, key: Any, names: set[str]) -> str:
        if not isinstance(key, yaml.ScalarEvent) or key.anchor is not None or key.tag is not None:
            raise NotEditable("it has keys in an unusual notation")
        start, end = key.start_mark, key.end_mark
        if start is None or end is None or start.line != end.line:
            raise NotEditable("it has keys of several lines")
        if key.value == "<<" and not key.style:
            raise NotEditable("it has merge keys (<<)")
        found = scalar(key)
        name = found if isinstance(found, str) else key_text(found, key)
        if name in names:
            raise NotEditable("a key occurs twice in one mapping")
        names.add(name)
        return name

    def _flow(self, start: Any, depth: int) -> _Node:
        """A collection in brackets. It has a block if each of its parts starts on its own line."""
        is_map = isinstance(start, yaml.MappingStartEvent)
        node = _Node(None, start.start_mark)
        block = Block(is_map, flow=True, column=-1)
        names: set[str] = set()
        while not isinstance(event := self._loader.get_event(), (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            name = self._key(event, names) if is_map else None
            inner = self._node(self._loader.get_event() if is_map else event, depth + 1)
            mark: Any = event.start_mark
            part = Part(self._lines, name, mark.line, mark.column, flow=True)
            self._fill(part, inner)
            part.inline = False
            block.parts.append(part)
        end: Any = event.end_mark
        node.last, node.end_column = end.line, end.column
        node.value = block.value()
        block.one_line = self._has_one_line(node, block)
        if block.one_line or self._has_lines(node, block):
            block.column = block.parts[0].column
            node.block = block
        return node

    def _has_one_line(self, node: _Node, block: Block) -> bool:
        """Whether a collection in brackets is on one line, with commas between its parts and nowhere else."""
        if not block.parts or node.line != node.last or any(part.last != node.line for part in block.parts):
            return False
        line = self._lines[node.line]
        starts = [part.column for part in block.parts]
        ends = [part.end_column for part in block.parts]
        gaps = [line[end:start].strip(" ") for end, start in zip(ends, [*starts[1:], node.end_column], strict=True)]
        opening, closing = ("{", "}") if block.is_map else ("[", "]")
        return line[node.column : starts[0]].strip(" ") == opening and gaps == [*[","] * (len(starts) - 1), closing]

    def _has_lines(self, node: _Node, block: Block) -> bool:
        """Whether a collection in brackets has the form of printed JSON."""
        opening, closing = self._lines[node.line], self._line(node.last)
        if not block.parts or opening[node.column + 1 :].strip() or closing[: node.end_column - 1].strip():
            return False
        above, column = node.line, block.parts[0].column
        for part in block.parts:
            rest = self._lines[part.last][part.end_column :].strip()
            gap = "".join(self._lines[above + 1 : part.start]) + self._lines[part.start][: part.column]
            if part.column != column or gap.strip() or rest not in ("", ","):
                return False
            above = part.last
        return not "".join(self._lines[above + 1 : node.last]).strip()

    def _fill(self, part: Part, node: _Node) -> None:
        part.value, part.block = node.value, node.block
        if part.block is not None and part.block.one_line and node.line != part.start:
            part.block = None
        part.is_text = node.is_text and node.line == part.start
        part.last, part.end_column = max(node.last, part.start), node.end_column


def _divide(block: Block, lines: Sequence[str], start: int, end: int) -> None:
    """Assign each line from `start` to `end` to a part of the block."""
    above = start
    for at, part in enumerate(block.parts):
        part.lead = _lead(lines, above, part) if at else start
        _reject_text(lines[part.lead : part.start])
        above = part.last + 1
    leads = [part.lead for part in block.parts[1:]]
    for part, until in zip(block.parts, [*leads, end], strict=True):
        part.end = until
        _reject_text(lines[part.last + 1 : part.end])
        if part.block is not None and not part.block.one_line:
            inner = part.block
            if inner.flow:
                _divide(inner, lines, part.start + 1, part.last)
            else:
                _divide(inner, lines, part.start if part.inline else part.start + 1, until)


def _lead(lines: Sequence[str], above: int, part: Part) -> int:
    """The first line that belongs to a part: comments with more indentation belong to the part before it."""
    found = part.start
    while found > above:
        line = lines[found - 1]
        if line.strip() and len(line) - len(line.lstrip(" ")) > part.column:
            break
        found -= 1
    return found


def _reject_text(between: Sequence[str]) -> None:
    """Reject lines between two parts that are not comments."""
    for line in between:
        text = line.strip(" ")
        if text and not text.startswith("#"):
            raise NotEditable("it has tabs or text between values")
