"""A live object as YAML with a comment beside each field that lists its owners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.go_json import encode

from ..apiserver.text.text import how_many, shown
from ..apiserver.text.yaml_out import dump
from .fields import GONE, NOBODYS, WHOLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from engine import Owner

    from .fields import Owned, OwnedField

WIDEST = 60
"""Maximum column in which a comment begins, and maximum length of a value that is not shortened."""
NOBODY = "nobody"


class OwnedLine(NamedTuple):
    """A line of YAML, with the owners of its field, and a `note` about it."""

    text: str
    owners: tuple[Owner, ...] = ()
    note: str = ""


def lines(fields: Iterable[OwnedField], *, whole: bool = False) -> list[OwnedLine]:
    """The lines of these fields of an object; without `whole`, long values are shortened."""
    return [*_fields(fields, "", whole)]


def _fields(fields: Iterable[OwnedField], margin: str, whole: bool) -> Iterator[OwnedLine]:
    for one in fields:
        yield from _element(one, margin, whole) if one.label is None else _field(one, margin, whole)


def _field(one: OwnedField, margin: str, whole: bool) -> Iterator[OwnedLine]:
    key = _key(str(one.label))
    if one.inside:
        yield OwnedLine(f"{margin}{key}:", one.owners, _note(one))
        yield from _fields(one.inside, margin + ("" if one.inside[0].label is None else "  "), whole)
        return
    yield from _value(f"{margin}{key}: ", one, margin + "  ", whole)


def _element(one: OwnedField, margin: str, whole: bool) -> Iterator[OwnedLine]:
    if not one.inside:
        yield from _value(f"{margin}- ", one, margin + "  ", whole)
        return
    inside = [*_fields(one.inside, margin + "  ", whole)]
    if one.owners or _note(one):
        yield OwnedLine(f"{margin}-", one.owners, _note(one))
        yield from inside
        return
    first = inside[0]
    yield first._replace(text=f"{margin}- {first.text[len(margin) + 2 :]}")
    yield from inside[1:]


def _value(before: str, one: OwnedField, margin: str, whole: bool) -> Iterator[OwnedLine]:
    """Yield a scalar value; one with several lines has its comment where YAML allows one."""
    text = _text(one.value, whole).split("\n")
    at = 0 if text[0][:1] in ("|", ">") else len(text) - 1
    for place, line in enumerate(text):
        begin = before if place == 0 else margin if line else ""
        yield OwnedLine(begin + line, *((one.owners, _note(one)) if place == at else ()))


def _text(value: Any, whole: bool) -> str:
    if type(value) is int:
        return str(value)
    text = dump([value])[2:].removesuffix("\n")
    if "\n" in text:  # the lines below the first one are indented like the list that contained them
        text = "\n".join([line.removeprefix("  ") for line in text.split("\n")])
    if whole or ("\n" not in text and len(text) <= WIDEST):
        return text
    text = encode(value)
    return text if len(text) <= WIDEST else f'{text[: WIDEST - 4]}..."'


def _key(name: str) -> str:
    return name if name.isalpha() and name.isascii() and len(name) > 5 else dump({name: 1})[: -len(": 1\n")]


def _note(one: OwnedField) -> str:
    if one.state == NOBODYS:
        return NOBODY
    return "as a whole" if one.state == WHOLE else ""


def name_of(owner: Owner) -> str:
    """A manager on one line, because it may have any name."""
    return shown(str(owner))


def commented(
    found: Sequence[OwnedLine],
    named: Callable[[str, Owner], str] = lambda name, _: name,
    nobody: str = NOBODY,
    room: int | None = None,
) -> Iterator[str]:
    """The lines with their comments in a column; `named` and `nobody` may colour them.

    If `room` is too small, managers are shown by name alone, because the summary has the details. A comment that
    still does not fit is printed above its line.
    """
    called = _short(found) if room and _widest(found, name_of) > room else name_of
    width = min(max((len(one.text) for one in found if one.owners or one.note), default=0), WIDEST)
    if room:
        width = max(min(width, room - _widest_comment(found, called)), 0)
    for one in found:
        plain, said = _comment(one, called), _comment(one, lambda owner: named(called(owner), owner))
        said = nobody if one.note == NOBODY else said
        if not plain:
            yield one.text
        elif room and max(len(one.text), width) + len(plain) + 4 > room:
            yield f"{' ' * (len(one.text) - len(one.text.lstrip(' ')))}# {said}"
            yield one.text
        else:
            yield f"{one.text:{width}}  # {said}"


def _comment(one: OwnedLine, called: Callable[[Owner], str]) -> str:
    """The comment beside a line: the owners of its field, and a note."""
    names = ", ".join(map(called, one.owners))
    return ", ".join([part for part in (names, one.note) if part])


def _widest_comment(found: Sequence[OwnedLine], called: Callable[[Owner], str]) -> int:
    return max((len(comment) + 4 for one in found if (comment := _comment(one, called))), default=0)


def _widest(found: Sequence[OwnedLine], called: Callable[[Owner], str]) -> int:
    width = max((len(one.text) for one in found if one.owners or one.note), default=0)
    return min(width, WIDEST) + _widest_comment(found, called)


def _short(found: Sequence[OwnedLine]) -> Callable[[Owner], str]:
    """A function for the short name of each manager, with its operation if two managers have the same name."""
    ways: dict[str, set[tuple[str, str | None]]] = {}
    for owner in (owner for one in found for owner in one.owners):
        ways.setdefault(owner.manager, set()).add((owner.operation, owner.subresource))

    def short(owner: Owner) -> str:
        if len(ways[owner.manager]) == 1:
            return shown(owner.manager)
        return shown(f"{owner.manager} ({owner.subresource or owner.operation})")

    return short


def summary(title: str, owned: Owned, *, sizes: bool = False) -> Iterator[str]:
    """Comments for above the object: the number of fields of each owner, and the size of managedFields."""
    yield f"# {title}"
    rows = [(name_of(one), number) for one in owned.managers if (number := owned.count(one))]
    if owned.unowned:
        rows.append((NOBODY, owned.unowned))
    width = max((len(name) for name, _ in rows), default=0)
    for name, number in rows:
        yield f"#   {name:{width}}  {how_many(number, 'field')}"
    if not sizes:
        return
    recorded = sum(owned.bytes_of)
    yield f"# managedFields: {recorded:,} of {owned.bytes:,} bytes ({100 * recorded // owned.bytes} %)"


def absent(owned: Iterable[OwnedField]) -> Iterator[str]:
    """Comments for below the object: owned fields without a value."""
    for one in owned:
        if one.state == GONE:
            yield f"# missing: {one.path}, owned by {', '.join(map(name_of, one.owners))}"
