"""Wrap lines to the terminal: text between words, tables between their columns, long names at their joints."""

from __future__ import annotations

from ..apiserver.text.text import ESCAPE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HANGING = 2
"""The indentation of continuation lines."""
NARROWEST = 24
"""Minimum width of the last column of a table. Narrower text is hard to read."""
_JOINTS = ("/,;:]{}()=&|", "-_@")
"""Characters after which a long name, path or value may be broken, the best ones first."""
_BEGINS = ".["
"""Characters that start the next part of a path, so that it is broken before them."""
_SIGNS = f"\x1b{ESCAPE}"
_COLOUR = rf"[{_SIGNS}]\[[0-9;]*m|[{_SIGNS}]\]8;[^{_SIGNS}]*[{_SIGNS}]\\"
"""Invisible text on a terminal: a colour, and the start or end of a link."""
_COMMANDS = frozenset({"kubectl", "kubemerge", "helm", "argocd", "flux"})


def wide(text: str) -> int:
    """The number of terminal columns of a text. Colours take none, and Chinese characters two."""
    if any(sign in text for sign in _SIGNS):
        import re

        text = re.sub(_COLOUR, "", text)
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def fitted(lines: Iterable[str], width: int, *, tables: bool = True) -> Iterator[str]:
    """The lines, none wider than this. Adjacent lines in columns stay in columns, unless `tables` is false."""
    table: list[str] = []
    shape = None
    for line in lines:
        now = _shape(line) if tables else None
        if now is None or now != shape:
            yield from _table(table, width)
            table = []
        shape = now
        if now is None:
            yield from _line(line, width)
        else:
            table.append(line)
    yield from _table(table, width)


def folded(text: str, width: int, margin: str = "", first: str = "", end: str = "") -> Iterator[str]:
    """A text in lines, broken between words.

    The first line starts with `first`, others with `margin`. A line that continues ends with `end`.
    """
    line, used, begun = first, wide(first), False
    for word in text.split(" "):
        gap = 1 if begun else 0
        if begun and used + gap + wide(word) > width - len(end):
            yield line + end
            line, used, gap = margin, wide(margin), 0
        for part, whole in _parts(word, width - len(end) - wide(margin), width - len(end) - used - gap):
            if whole:
                line, used = f"{line}{' ' * gap}{part}", used + gap + wide(part)
            else:
                yield f"{line}{' ' * gap}{part}{end if not end.isspace() else ''}"
                line, used = margin, wide(margin)
            gap = 0
        begun = True
    yield line


def _parts(word: str, room: int, here: int) -> Iterator[tuple[str, bool]]:
    """The parts of a word that is too long for a line, broken at its joints, each with whether it is the last."""
    here = here if here > 0 else room
    while room > 0 and wide(word) > here:
        cut = _cut(word, here)
        yield word[:cut], False
        word, here = word[cut:], room
    yield word, True


def _cut(word: str, room: int) -> int:
    """The position to break a word: at the last joint that fits, or anywhere if it has no such joint."""
    places = _places(word)
    most, used = 0, 0
    while most < len(places) and used + wide(word[places[most]]) <= room:
        used += wide(word[places[most]])
        most += 1
    signs = [word[place] for place in places]
    for joints in _JOINTS:
        for at in range(min(most, len(places) - 1), most // 3, -1):
            if signs[at - 1] in joints or signs[at] in _BEGINS:
                return places[at]
    return places[max(most, 1)]


def _places(word: str) -> Sequence[int]:
    """The offsets of the visible characters of a word."""
    if not any(sign in word for sign in _SIGNS):
        return range(len(word))
    import re

    hidden = {place for found in re.finditer(_COLOUR, word) for place in range(found.start(), found.end())}
    return [place for place in range(len(word)) if place not in hidden]


def _line(line: str, width: int) -> Iterator[str]:
    if wide(line) <= width:
        yield line
        return
    import re

    head = re.match(f"(?:{_COLOUR}|[-+ ])*", line)
    indent = line[: head.end()] if head else ""
    text = line[len(indent) :]
    end = " \\" if text.partition(" ")[0] in _COMMANDS else ""
    yield from folded(text, width, " " * min(wide(indent) + HANGING, width // 2), indent, end)


# ---- tables ---------------------------------------------------------------------------------------------------------


def _cells(line: str) -> list[str]:
    import re

    return re.split(r" {2,}", line.strip(" "))


def _shape(line: str) -> tuple[int, int] | None:
    """The indentation of a row, and its number of cells. None for a line without columns."""
    if "  " not in line.strip(" "):
        return None
    return len(line) - len(line.lstrip(" ")), len(_cells(line))


def _table(lines: Sequence[str], width: int) -> Iterator[str]:
    if all(wide(line) <= width for line in lines):
        yield from lines
        return
    indent = len(lines[0]) - len(lines[0].lstrip(" "))
    rows = [_cells(line) for line in lines]
    yield from rows_fitted(rows, width, " " * indent)


def rows_fitted(rows: Sequence[Sequence[str]], width: int, indent: str = "") -> Iterator[str]:
    """Rows in columns that fit: the widest of the first columns shrinks, and the last one is broken into lines.

    A cell that is wider than its column has its own line, and the row continues below it.
    """
    widths = _widths(rows, width - len(indent))
    if widths is None:
        for row in rows:
            yield from _line(indent + "  ".join(row), width)
        return
    for row in rows:
        line, at = indent, len(indent)
        for cell, column in zip(row, widths, strict=False):
            if wide(cell) > column:
                yield from folded(cell, width, indent + " " * HANGING, line)
                at += column + 2
                line = " " * at
            else:
                at += column + 2
                line += cell + " " * (column - wide(cell) + 2)
        yield from folded(row[-1], width, " " * at, line)


def _widths(rows: Sequence[Sequence[str]], room: int) -> list[int] | None:
    """The widths of all columns but the last. None if there is not enough space for them."""
    widths = [max(map(wide, column)) for column in zip(*(row[:-1] for row in rows), strict=True)]
    last = max(wide(row[-1]) for row in rows)
    least = min(last, max(NARROWEST, room // 2))
    while widths and sum(widths) + 2 * len(widths) + least > room and max(widths) > 1:
        widest = widths.index(max(widths))
        others = sum(widths) - widths[widest]
        smaller = max(1, room - least - others - 2 * len(widths))
        if smaller >= widths[widest]:
            break
        second = max([one for place, one in enumerate(widths) if place != widest], default=0)
        widths[widest] = max(smaller, second - 1, 1)
    return widths if sum(widths) + 2 * len(widths) + least <= room else None
