"""Messages between the worker and its child process, and their encoding in a pipe."""

from __future__ import annotations

import pickle
import struct
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..missing import ClusterGroup
    from ..reading.parts import Part

_LENGTH = struct.Struct("<Q")

IDLE = -1
"""The position of a process that has not started its part."""
POSITION = struct.Struct("<q")
"""The encoding of the position, in memory that both processes share. A write costs almost nothing.

For object N, the position is 2N while the process searches for it, and 2N + 1 while it checks it.
"""


class Job(NamedTuple):
    """A part to check."""

    spec: bytes | None
    """The pickled CheckSpec; None if it is the same as for the last part."""
    part: Part
    begin: int
    """The number of the first unfinished object."""
    skipped: Mapping[int, str]
    """The numbers of objects to skip, with the reasons."""
    one_by_one: bool
    """Whether to send each object's result separately, so that little is lost with the process."""


class MissingJob(NamedTuple):
    """A group of clusters in which to find missing objects."""

    spec: bytes | None
    group: ClusterGroup


class Done(NamedTuple):
    """The results up to an object."""

    begin: int
    """The number of the next object."""
    rows: bytes
    """The rows, as a record batch."""
    kinds: dict[str, dict[str, int]]
    seen: dict[str, set[str]]


class End(NamedTuple):
    """The end of a part, possibly with an error that is not about an object."""

    problem: str = ""


def send(pipe: Any, message: tuple[Any, ...]) -> None:
    """Write a message to a pipe."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(data)) + data)
    pipe.flush()


def receive(pipe: Any) -> Any:
    """The next message of a pipe; None at its end, or if the writer died during a message."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    data = pipe.read(length)
    return pickle.loads(data) if len(data) == length else None  # noqa: S301 - sent by our own process
