"""The syntax tree of a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Union

if TYPE_CHECKING:
    from .classes import Class


class Flags(NamedTuple):
    """The flags `(?imsU)`."""

    fold: bool = False
    lines: bool = False
    dot_all: bool = False
    ungreedy: bool = False


class Chars(NamedTuple):
    """One character of a class."""

    chars: Class


class Assertion(NamedTuple):
    r"""A zero-width assertion: `^` `$` of the text or of a line, `\b` or `\B`."""

    kind: str


class Sequence(NamedTuple):
    """Consecutive nodes."""

    parts: tuple[Node, ...]


class Choice(NamedTuple):
    """Alternatives. The first that matches counts."""

    parts: tuple[Node, ...]


class Repeat(NamedTuple):
    """A repetition with a minimum and a maximum. `most` is None for any number."""

    inner: Node
    least: int
    most: int | None
    greedy: bool


Node = Union[Chars, Assertion, Sequence, Choice, Repeat]  # noqa: UP007 - Python 3.10 cannot join what is a text
