"""The nodes of a parsed template."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class FieldNode:
    """A chain of fields, of a preceding value or the dot: `.metadata.name`."""

    names: tuple[str, ...]
    at: int
    of: Any = None
    """A pipeline, a variable or a word whose value has the fields. None for the dot."""
    said: str = ""


@dataclass(frozen=True)
class Variable:
    """A variable, such as `$name`. `$` is the whole object."""

    name: str
    at: int


@dataclass(frozen=True)
class Dot:
    """The current value of the template."""

    at: int


@dataclass(frozen=True)
class Literal:
    """A constant in the template. None is `nil`."""

    value: Any
    at: int


@dataclass(frozen=True)
class Function:
    """A function by its name."""

    name: str
    at: int


@dataclass(frozen=True)
class Command:
    """A value, or a function with its arguments."""

    parts: tuple[Any, ...]
    said: str


@dataclass(frozen=True)
class Pipeline:
    """Commands, each of which passes its result to the next, and the variables that receive the final result."""

    commands: tuple[Command, ...]
    variables: tuple[str, ...] = ()
    declares: bool = True


@dataclass(frozen=True)
class Text:
    """Literal text."""

    text: str


@dataclass(frozen=True)
class Action:
    """A pipeline whose result is printed."""

    pipeline: Pipeline


@dataclass(frozen=True)
class Branch:
    """`if`, `with` or `range`, with its body and its `else` branch."""

    word: str
    pipeline: Pipeline
    body: list[Any] = field(default_factory=list)
    otherwise: list[Any] = field(default_factory=list)


@dataclass(frozen=True)
class Jump:
    """`break` or `continue`."""

    word: str
