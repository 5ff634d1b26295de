"""The tree of a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Union

if TYPE_CHECKING:
    from .classes import Class


class Flags(NamedTuple):
    """What `(?ims)` switches on, and U."""

    fold: bool = False
    lines: bool = False
    dot_all: bool = False
    ungreedy: bool = False


class Chars(NamedTuple):
    """One character of a class."""

    chars: Class


class Assertion(NamedTuple):
    """A place in the text: `^` `$` of the text or of a line, `\\b` or `\\B`."""

    kind: str


class Sequence(NamedTuple):
    """One after another."""

    parts: tuple[Node, ...]


class Choice(NamedTuple):
    """One of these, the first that fits."""

    parts: tuple[Node, ...]


class Repeat(NamedTuple):
    """The same, at least so often, and at most; `most` is None for any number."""

    inner: Node
    least: int
    most: int | None
    greedy: bool


Node = Union[Chars, Assertion, Sequence, Choice, Repeat]  # noqa: UP007 - Python 3.10 cannot join what is a text
