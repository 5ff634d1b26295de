"""What the two processes tell each other, and how it goes through a pipe."""

from __future__ import annotations

import pickle
import struct
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..reading.parts import Part

_LENGTH = struct.Struct("<Q")

IDLE = -1
"""Where a process is that has not begun with its part."""
PLACE = struct.Struct("<q")
"""How it tells where it is: in memory that both processes share, as that costs next to nothing for each object.

Twice the number of an object while it is looked for, and one more while it is looked at.
"""


class Job(NamedTuple):
    """A part to look at."""

    asked: bytes | None
    """The work, pickled; None if it is that of the last part."""
    part: Part
    begin: int
    """The number of the first object that is not done."""
    dead: Mapping[int, str]
    """The numbers of objects that are not to be looked at, and why."""
    singly: bool
    """Whether to tell of each object by itself, so that little is lost with the process."""


class Done(NamedTuple):
    """What was found, up to an object."""

    begin: int
    """The number of the next object."""
    rows: bytes
    """A record batch."""
    kinds: dict[str, dict[str, int]]
    seen: dict[str, set[str]]


class End(NamedTuple):
    """The end of a part; perhaps there is an error that is not about an object."""

    problem: str = ""


def send(pipe: Any, message: tuple[Any, ...]) -> None:
    """Write a message to a pipe."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(data)) + data)
    pipe.flush()


def received(pipe: Any) -> Any:
    """The next message of a pipe; None at its end, and if the other side died while it wrote."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = pipe.read(length)
    return pickle.loads(data) if len(data) == length else None  # noqa: S301 - it is of our own process
