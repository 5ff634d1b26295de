"""Write a plan as text: lines of ours stay as they are, and lines of theirs get the indentation of their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .order import OURS, THEIRS, chosen_side
from .plan import Clash, Inner, Leaf, TextLines, Whole
from .text import three_way
from .tree import NotEditable, moved

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from .plan import Plan
    from .tree import Block, Part

    Piece: TypeAlias = "str | Markers"


class Markers:
    """A conflict in the text: the lines of base, ours and theirs."""

    def __init__(self, base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> None:
        self.sides = [list(base), list(ours), list(theirs)]

    @property
    def has_empty_side(self) -> bool:
        """Whether one of the two results has no lines."""
        return not (self.sides[OURS] and self.sides[THEIRS])


def resolved(pieces: Sequence[Piece], side: int) -> list[str]:
    """The lines if every conflict is resolved to one side."""
    found: list[str] = []
    for piece in pieces:
        found += piece.sides[side] if isinstance(piece, Markers) else [piece]
    return found


def render(plan: Plan, column: int) -> list[Piece]:
    """The lines of a part that starts in a column."""
    if isinstance(plan, Whole):
        return [*plan.part.comments(column), *plan.part.content(column)]
    if isinstance(plan, Leaf):
        return _leaf(plan, column)
    if isinstance(plan, Clash):
        return _clash(plan, column)
    if isinstance(plan, TextLines):
        return _text(plan, column)
    try:
        return _inner(plan)
    except NotEditable:
        return _clash(plan.give_up(), column)


def _clash(clash: Clash, column: int) -> list[Piece]:
    """A conflict. Comments above it that do not conflict stay outside."""
    leads = [[line for part in side[:1] for line in part.comments(column)] for side in clash.sides]
    base, ours, theirs = (
        [
            line
            for at, part in enumerate(side)
            for line in [*(part.comments(column) if at else []), *_ended(part, column, at + 1 == len(side))]
        ]
        for side in clash.sides
    )
    if ours and theirs and leads[OURS] == leads[THEIRS]:
        return [*leads[OURS], Markers(base, ours, theirs)]
    return [Markers(leads[0] + base, leads[1] + ours, leads[2] + theirs)]


def _ended(part: Part, column: int, is_last: bool) -> list[str]:
    """The lines of a part. In brackets, each but the last of a conflict ends with a comma."""
    *lines, end = part.content(column)
    return [*lines, f"{end}," if part.flow and not is_last else end]


def _three_way(base: list[str], ours: list[str], theirs: list[str]) -> list[Piece]:
    """The lines that one side changed, or a conflict."""
    if theirs in (base, ours):
        return [*ours]
    return [*theirs] if ours == base else [Markers(base, ours, theirs)]


def _comments(three: Sequence[Part | None], column: int) -> list[Piece]:
    base, ours, theirs = (part.comments(column) if part else [] for part in three)
    return _three_way(base, ours, theirs)


def _leaf(leaf: Leaf, column: int) -> list[Piece]:
    """A part whose value comes from one side, and whose comments are merged."""
    found = _comments(leaf.three, column)
    chosen = leaf.chosen.content(column)
    if leaf.behind is not None:
        cut = len(chosen[0]) - len(leaf.chosen.behind() or "")
        chosen = [chosen[0][:cut] + leaf.behind]
    return [*found, *chosen]


def _text(plan: TextLines, column: int) -> list[Piece]:
    """A block of text, merged by line. Lines of theirs get the indentation of ours."""
    ours = plan.three[OURS]
    found: list[Piece] = [*_comments(plan.three, column), ours.head()]
    texts = [_indented(part) for part in plan.three]
    to = texts[OURS][1]
    lines = [[moved(line, indent, to) for line in side] for side, indent in texts]
    for region in plan.regions or []:
        side = chosen_side(plan.lines, region)
        sides = [text[at:end] for text, (at, end) in zip(lines, region, strict=True)]
        found += sides[side] if side is not None else [Markers(*sides)]
    return [*found, *lines[OURS][len(plan.lines[OURS]) :]]


def _indented(part: Part) -> tuple[list[str], int]:
    """The lines of a block of text, and their indentation."""
    lines = part.content()[1:]
    return lines, min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)


def _inner(plan: Inner) -> list[Piece]:
    """A collection whose parts are merged."""
    block, ours = plan.block, plan.ours
    if block.one_line:
        return _one_line(plan)
    found = [render(one, block.column) for _, one in plan.inner]
    if found and all(isinstance(piece, Markers) and piece.has_empty_side for pieces in found for piece in pieces):
        raise NotEditable("one side of the conflicts removes every part")
    lead = _comments(plan.three, ours.column)
    inner = _with_commas(found) if block.flow else [piece for pieces in found for piece in pieces]
    if ours.inline:
        return [*lead, *_with_dashes(ours, block, inner)]
    head = _three_way(*_heads(plan))
    if isinstance(head[0], Markers):
        raise NotEditable("both sides changed the comment behind the key")
    if block.flow:
        return [*lead, *head, *inner, ours.closing()]
    if not inner:
        head = [_with_nothing(str(head[0]), block)]
    return [*lead, *head, *inner]


def _one_line(plan: Inner) -> list[Piece]:
    """A collection in brackets on one line."""
    ours = plan.ours
    rest = three_way([_rest(part, ours.column) for part in plan.three])
    if rest is None:
        raise NotEditable("both sides changed the comment behind a collection")
    line = " " * ours.column + _in_brackets(plan) + rest[0]
    return [*_comments(plan.three, ours.column), line, *rest[1:]]


def _rest(part: Part | None, column: int) -> list[str] | None:
    """The text behind a collection on one line, and the lines below it."""
    if part is None:
        return None
    first, *below = part.content()
    return [first[part.end_column :], *(moved(line, part.column, column) for line in below)]


def _in_brackets(plan: Inner) -> str:
    """The text of a collection on one line. The spaces between parts come from ours."""
    found = [_between_commas(one) for _, one in plan.inner]
    gaps = plan.ours.gaps()
    if not found:
        return gaps[0].rstrip() + gaps[-1].lstrip()
    if len(gaps) != len(found) + 1:
        comma = gaps[1] if len(gaps) > len(_BRACKETS) else ", "
        gaps = [gaps[0], *[comma] * (len(found) - 1), gaps[-1]]
    return "".join(gap + text for gap, text in zip(gaps, [*found, ""], strict=True))


_BRACKETS = ("opening", "closing")
"""The gaps that each collection on one line has."""


def _between_commas(plan: Plan) -> str:
    """A part of a collection on one line."""
    if isinstance(plan, Inner) and plan.block.one_line:
        return _in_brackets(plan)
    if isinstance(plan, (Whole, Leaf)):
        return (plan.part if isinstance(plan, Whole) else plan.chosen).content(0)[0]
    raise NotEditable("a part of one line conflicts")


def _heads(plan: Inner) -> list[list[str]]:
    """The lines with the key in each file, in the column of ours."""
    to = plan.ours.column
    return [[moved(part.head(), part.column, to)] if part else [] for part in plan.three]


def _with_nothing(head: str, block: Block) -> str:
    """The head of a collection that lost all its parts."""
    text = head.rstrip()
    if not text.endswith((":", "-")):
        raise NotEditable("a comment is behind the key of an empty collection")
    return f"{text} {'{}' if block.is_map else '[]'}"


def _with_dashes(part: Part, block: Block, inner: list[Piece]) -> list[Piece]:
    """The lines of an element with its dash. For a document, the lines as they are."""
    if not inner:
        raise NotEditable("it lost all its values")
    if part.is_document:
        return inner
    prefix = " " * part.column + part.lines[part.start][part.column : block.column]
    first = inner[0]
    if isinstance(first, Markers):
        if first.has_empty_side:
            raise NotEditable("the line with the dash may be removed")
        return [Markers(*(_dashed(lines, prefix) for lines in first.sides)), *inner[1:]]
    return [*_dashed([first], prefix), *inner[1:]]


def _dashed(lines: list[str], prefix: str) -> list[str]:
    """The lines with the prefix of an element in front of the first one."""
    if not lines:
        return lines
    if lines[0].lstrip().startswith("#") or lines[0][: len(prefix)].strip() or not lines[0].strip():
        raise NotEditable("a comment is above the first value of an element")
    return [prefix + lines[0][len(prefix) :], *lines[1:]]


def _with_commas(found: Sequence[list[Piece]]) -> list[Piece]:
    """The parts of a collection in brackets, with a comma behind each but the last."""
    result: list[Piece] = []
    for at, pieces in enumerate(found):
        is_last = at == len(found) - 1
        end = pieces[-1]
        if is_last:
            if isinstance(end, Markers) and end.has_empty_side:
                raise NotEditable("the last part may be removed")
            result += pieces
        else:
            result += [*pieces[:-1], _each(end, lambda line: f"{line},")]
    return result


def _each(piece: Piece, change: Callable[[str], str]) -> Piece:
    """The piece with its last line changed, on each side."""
    if not isinstance(piece, Markers):
        return change(piece)
    return Markers(*([*lines[:-1], change(lines[-1])] if lines else [] for lines in piece.sides))
