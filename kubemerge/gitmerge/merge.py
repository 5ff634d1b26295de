"""Merge three versions of a manifest file. The result is parsed again and compared with the merge of the values."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from codegen.documents.problems import BadDocument
from codegen.documents.reader import read
from engine.paths import render as path_text
from engine.values.plain import same

from .order import OURS, THEIRS, ordered, runs
from .plan import Clash, Inner, Planner, Whole, document_steps
from .render import Markers, render, resolved
from .rules import OBJECT_KEYS, Place, object_identity, typed
from .text import MAX_BYTES, Text, three_way
from .tree import NotEditable, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.paths import Steps

    from .order import Run
    from .plan import Plan, Three
    from .render import Piece
    from .rules import Lookup
    from .tree import Part

MOST_LINES = 200_000
"""Lines of the changed documents of a file. Larger changes are merged by line."""
_SEPARATOR = re.compile(r"---(\s|$)")
_SPECIAL = re.compile(r"(%|\.\.\.(\s|$))")


class Result:
    """A merged file. `conflicts` are the paths whose values conflict."""

    def __init__(self, data: bytes, conflicts: Sequence[str]) -> None:
        self.data, self.conflicts = data, conflicts


class Style:
    """The labels, length and form of conflict markers."""

    def __init__(self, labels: Sequence[str] = ("base", "ours", "theirs"), size: int = 7, base: bool = False) -> None:
        self.labels, self.size, self.base = labels, size, base

    def lines(self, markers: Markers) -> Iterator[str]:
        """The lines of a conflict."""
        yield f"{'<' * self.size} {self.labels[OURS]}"
        yield from markers.sides[OURS]
        if self.base:
            yield f"{'|' * self.size} {self.labels[0]}"
            yield from markers.sides[0]
        yield "=" * self.size
        yield from markers.sides[THEIRS]
        yield f"{'>' * self.size} {self.labels[THEIRS]}"


def merge(base: bytes, ours: bytes, theirs: bytes, lookup: Lookup, style: Style) -> Result:
    """The merged file. NotEditable if it cannot be merged by field."""
    same_bytes = three_way([base, ours, theirs])
    if same_bytes is not None:
        return Result(same_bytes, ())
    if max(len(base), len(ours), len(theirs)) > MAX_BYTES:
        raise NotEditable(f"it is larger than {MAX_BYTES // 2**20} MiB")
    texts = [Text.of(data) for data in (base, ours, theirs)]
    if any(text is None for text in texts):
        raise NotEditable("it is not plain UTF-8 text")
    found = _File.merged([text for text in texts if text], lookup)
    form = three_way([text.form for text in texts if text])
    if form is None:
        raise NotEditable("both sides changed line endings")
    lines = [line for piece in found.pieces for line in (style.lines(piece) if isinstance(piece, Markers) else [piece])]
    has_conflict = any(isinstance(piece, Markers) for piece in found.pieces)
    conflicts = list(dict.fromkeys(_shown(steps) for steps in found.steps))
    if has_conflict and not conflicts:
        conflicts = ["comments"]
    return Result(form.encoded(lines, ends_in_markers=isinstance((found.pieces or [""])[-1], Markers)), conflicts)


def _shown(steps: Steps) -> str:
    """The path of a conflict. The object is shown by kind, namespace and name."""
    first = steps[0] if steps else None
    if not isinstance(first, tuple) or len(first) != len(OBJECT_KEYS):
        return path_text(steps)
    parts = dict(first)
    name = f"{parts['kind']} {parts['namespace'] + '/' if parts['namespace'] else ''}{parts['name']}"
    return f"{name}: {path_text(steps[1:])}" if steps[1:] else name


class _Chunk:
    """The lines of one document. `head` is its separator, and empty documents above it."""

    def __init__(self, head: Sequence[str], lines: Sequence[str]) -> None:
        self.head, self.lines = list(head), list(lines)
        self._part: Part | None = None

    @property
    def text(self) -> tuple[str, ...]:
        """The lines without the separator, for comparison."""
        return tuple(self.lines)

    @property
    def part(self) -> Part:
        """The parsed document. Its values must be those that other commands read."""
        if self._part is None:
            self._part = parse(self.lines)
            if not same([self._part.value], _values(self.lines)):
                raise NotEditable("it is read in different ways")
        return self._part


def _values(lines: Sequence[str]) -> list[Any]:
    try:
        return [value for _, value in read(("\n".join(lines) + "\n").encode())]
    except BadDocument:
        raise NotEditable("it is not valid YAML") from None


def _chunks(lines: Sequence[str]) -> tuple[list[_Chunk], list[str]]:
    """The documents of a file, and the lines of empty documents behind the last one."""
    if any(line[:1] in ("%", ".") and _SPECIAL.match(line) for line in lines):
        raise NotEditable("it has YAML directives")
    starts = [at for at, line in enumerate(lines) if line.startswith("---") and _SEPARATOR.match(line)]
    found: list[_Chunk] = []
    head: list[str] = []
    for start, end in zip([-1, *starts], [*starts, len(lines)], strict=True):
        separator = list(lines[start : start + 1]) if start >= 0 else []
        if separator and separator[0][3:].strip() and not separator[0][3:].lstrip().startswith("#"):
            raise NotEditable("there is text after the dashes")
        body = lines[start + 1 : end]
        if all(not line.strip() or line.lstrip().startswith("#") for line in body):
            head += [*separator, *body]
        else:
            found.append(_Chunk([*head, *separator], body))
            head = []
    return found, head


class _File:
    """The merged documents of a file."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.steps: list[Steps] = []

    @classmethod
    def merged(cls, texts: Sequence[Text], lookup: Lookup) -> _File:
        """Merge the documents of three files, and check the result."""
        split = [_chunks(text.lines) for text in texts]
        sides = _by_identity([chunks for chunks, _ in split])
        planner = Planner(lookup)
        plans = {}
        for key in {**sides[OURS], **sides[THEIRS]}:
            merged = _document([side.get(key) for side in sides], planner)
            if merged is not None:
                plans[key] = merged
        found = cls()
        order = ordered(list(sides[OURS]), list(sides[THEIRS]), plans, sides[0])
        documents: list[_Document] = []
        for run in runs(order, list(sides[0]), sides[OURS], sides[THEIRS]):
            documents += [_replaced(run, sides, planner)] if run.is_rename else [plans[key] for key in run.keys]
        for document in documents:
            found._add(document)
        found._end([tail for _, tail in split])
        found._check(documents)
        return found

    def _add(self, document: _Document) -> None:
        """Append a document. Each but the first needs a separator."""
        head = document.head
        if self.pieces and not any(line.startswith("---") for line in head):
            head = [*head, "---"]
        self.pieces += [*head, *document.pieces]
        self.steps += [clash.steps for clash in document.plan.clashes()]

    def _end(self, tails: Sequence[list[str]]) -> None:
        tail = three_way(tails)
        if tail is None:
            raise NotEditable("both sides changed the end")
        self.pieces += tail

    def _check(self, documents: Sequence[_Document]) -> None:
        """Compare what a parser reads with the merge of the values, for both results of each conflict."""
        for side in (OURS, THEIRS):
            chunks, _ = _chunks(resolved(self.pieces, side))
            wanted = [value for one in documents for value in one.values(side)]
            if len(chunks) != len(wanted):
                raise NotEditable("the merged text has other documents")
            for chunk, (lines, value) in zip(chunks, wanted, strict=True):
                if lines is not None and chunk.lines == lines:
                    continue
                if not same(_values(chunk.lines), [value]):
                    raise NotEditable("the merged text has other values")


class _Document:
    """One merged document: its plan, its separator and its lines."""

    def __init__(self, plan: Plan, head: list[str], pieces: list[Piece]) -> None:
        self.plan, self.head, self.pieces = plan, head, pieces

    def values(self, side: int) -> list[tuple[list[str] | None, Any]]:
        """The lines, if they come from one side, and the value."""
        if isinstance(self.plan, Whole):
            return [(resolved(self.pieces, side), None)]
        return [(None, value) for value in self.plan.values(side)]


class _Unparsed(Whole):
    """A document taken from one side. It is parsed only if it has to be."""

    def __init__(self) -> None:
        pass


def _document(chunks: Sequence[_Chunk | None], planner: Planner) -> _Document | None:
    """One merged document. None if it is deleted."""
    base, ours, theirs = chunks
    taken = _taken(base, ours, theirs)
    if taken is not None:
        return _Document(_Unparsed(), _head(chunks), [*taken.lines])
    three: Three = (base and base.part, ours and ours.part, theirs and theirs.part)  # type: ignore[assignment]
    left = three[OURS] or three[THEIRS]
    if left is None:
        return None
    if any(part and part.block is None for part in three):
        raise NotEditable("it is no mapping or list")
    place = Place.of(left.value, planner.lookup)
    plan = planner.part(three, place, document_steps(left))
    if plan is None:
        return None
    end = left.lines[left.end :] if isinstance(plan, (Inner, Clash)) else []
    return _Document(plan, _head(chunks), [*render(plan, 0), *end])


def _replaced(run: Run, sides: Sequence[dict[Any, _Chunk]], planner: Planner) -> _Document:
    """The conflict of objects that both sides replaced by others, or of the two new names of one object."""
    chunks = [[side[key] for key in keys] for side, keys in zip(sides, (run.gone, run.ours, run.theirs), strict=True)]
    if all(len(side) == 1 for side in chunks):
        merged = _document([side[0] for side in chunks], planner)
        names = [object_identity(side[0].part.value) for side in chunks]
        if merged and all(
            [object_identity(one) for one in merged.plan.values(at)] == [names[at]] for at in (OURS, THEIRS)
        ):
            return merged
    base, ours, theirs = ([chunk.part for chunk in side] for side in chunks)
    lines = (
        [line for at, chunk in enumerate(side) for line in [*(chunk.head if at else []), *chunk.lines]]
        for side in chunks
    )
    plan = Clash(base, ours, theirs, document_steps(ours[0]))
    return _Document(plan, chunks[OURS][0].head, [Markers(*lines)])


def _head(chunks: Sequence[_Chunk | None]) -> list[str]:
    """The lines above a document. A separator stays as in ours, because it depends on the position in the file."""
    _, ours, theirs = chunks
    if ours is None or theirs is None:
        left = ours or theirs
        return left.head if left else []
    plain = [[line for line in chunk.head if line.rstrip() != "---"] if chunk else [] for chunk in chunks]
    found = three_way(plain)
    if found is None:
        raise NotEditable("both sides changed the comments between documents")
    return ours.head if found == plain[OURS] else theirs.head


def _taken(base: _Chunk | None, ours: _Chunk | None, theirs: _Chunk | None) -> _Chunk | None:
    """The document of one side, if the text alone decides."""
    if base is None:
        both = ours and theirs
        return None if both and ours.text != theirs.text else ours or theirs  # type: ignore[union-attr]
    if ours is None or theirs is None:
        return None
    if theirs.text in (base.text, ours.text):
        return ours
    return theirs if ours.text == base.text else None


def _by_identity(files: Sequence[list[_Chunk]]) -> list[dict[Any, _Chunk]]:
    """The documents of each file by identity. A text that is the same everywhere is its own identity."""
    texts = [[chunk.text for chunk in chunks] for chunks in files]
    counts = [Counter(side) for side in texts]
    unchanged = {text for text in texts[0] if all(count[text] == 1 for count in counts)}
    if any(sum(len(text) for text in side if text not in unchanged) > MOST_LINES for side in texts):
        raise NotEditable(f"documents with more than {MOST_LINES:,} lines changed")
    if all(len(chunks) <= 1 for chunks in files):
        return [dict.fromkeys([""], chunks[0]) if chunks else {} for chunks in files]
    found = []
    for chunks in files:
        keys = [
            ("", chunk.text) if chunk.text in unchanged else typed(object_identity(chunk.part.value))
            for chunk in chunks
        ]
        if None in keys:
            raise NotEditable("a document is no Kubernetes object")
        if len(set(keys)) != len(keys):
            raise NotEditable("an object occurs twice")
        found.append(dict(zip(keys, chunks, strict=True)))
    return found
