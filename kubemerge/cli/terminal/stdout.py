"""Data on standard output: objects, facts for programs, and HTML pages. Pages may go to a file instead."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager, suppress

from engine import MergeError

from ...output.object_text import DONE, FOUND, as_list, object_text
from .console import console, echo, echo_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

STDOUT = "-"


class OutputClosed(MergeError):
    """Standard output was closed. The command stops, because it cannot report its results."""

    def __init__(self) -> None:
        super().__init__("standard output was closed too early. Run the command again, and read the whole output")


def print_line(line: str) -> None:
    """Print the result for one object. Raise OutputClosed if the reader has closed the pipe."""
    with _read_to_the_end():
        echo(line)


def print_text(text: str) -> None:
    """Print the changed object as text of any number of lines."""
    with _read_to_the_end():
        echo_text(text, nl=False)


@contextmanager
def _read_to_the_end() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        # The buffered rest cannot be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise OutputClosed from None


def print_objects(objects: Iterable[dict[str, Any]], form: str) -> None:
    """Print objects as YAML documents, one by one, or as JSON. In JSON, several become one List."""
    if form == "json":
        print_whole(list(objects), form)
        return
    for index, one in enumerate(objects):
        echo_text(("---\n" if index else "") + object_text(one, form), nl=False)


def print_whole(objects: Sequence[dict[str, Any]], form: str) -> None:
    """Print one object as it is, and several as one List, as `kubectl apply` does."""
    if len(objects) == 1:
        echo_text(object_text(objects[0], form), nl=False)
    else:
        print_list(objects, form, DONE)


def print_list(objects: Iterable[dict[str, Any]], form: str, empty: dict[str, Any] = FOUND) -> None:
    """Print objects as one List, piece by piece, without holding all of them at once."""
    for piece in as_list(objects, form, empty):
        echo_text(piece, nl=False)


def print_facts(facts: Any) -> None:
    """Print a report for programs: indented JSON, with keys in the documented order."""
    import json

    echo_text(json.dumps(facts, indent=2, ensure_ascii=False))


def write_page(name: str, text: str, *, private: bool = False) -> None:
    """Write a page to this file and report it. `-` is standard output.

    Only the owner can read a `private` page. Text is written into devices and pipes. Otherwise only regular files are
    written.
    """
    place = os.path.expanduser(name)  # noqa: PTH111
    if name == STDOUT or _is_stdout(place):
        echo_text(text, nl=not text.endswith("\n"))
        return
    from pathlib import Path  # slow to import

    from codegen.files import replace_file

    try:
        if not _pour(place, text):
            replace_file(Path(place), text, private=private, in_tree=True)
    except OSError as error:
        nobody = error.errno == errno.ENXIO
        raise _unwritten(name, "the pipe has no reader" if nobody else error.strerror or str(error)) from None
    console().say(f"wrote {name}")


def check_page(name: str) -> None:
    """Reject an unwritable path for a page before the work starts."""
    folder = os.path.dirname(os.path.expanduser(name)) or os.curdir  # noqa: PTH111, PTH120
    if not os.path.isdir(folder):  # noqa: PTH112
        raise _unwritten(name, os.strerror(errno.ENOENT))


def _unwritten(name: str, why: str) -> MergeError:
    return MergeError(f"{name}: {why}. Use a file in a writable folder")


def _is_stdout(place: str) -> bool:
    """Whether this is another name of standard output, such as /dev/stdout."""
    with suppress(OSError, ValueError):
        return os.path.samestat(os.stat(place), os.fstat(sys.stdout.fileno()))  # noqa: PTH116
    return False


def _pour(place: str, text: str) -> bool:
    """Write into a device or a pipe. Return whether the path is one.

    A pipe without a reader is an error. It is not worth waiting for a reader that may never come.
    """
    import stat

    try:
        kind = os.stat(place).st_mode  # noqa: PTH116
    except OSError:
        return False
    if not (stat.S_ISCHR(kind) or stat.S_ISFIFO(kind)):
        return False
    handle = os.open(place, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))
    if hasattr(os, "O_NONBLOCK"):  # Windows has neither
        os.set_blocking(handle, True)
    with os.fdopen(handle, "wb") as stream:
        stream.write(text.encode())
    return True
