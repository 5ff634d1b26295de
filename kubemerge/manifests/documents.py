"""The documents in the bytes of a manifest, each with its line. Errors contain the line and column."""

from __future__ import annotations

import re

from codegen.documents.problems import BadDocument
from codegen.documents.reader import read
from engine import MergeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any


class BadManifest(MergeError):
    """A file without Kubernetes objects, or an object without a required field. The message contains the place."""

    line: int | None = None
    """The line of the problem, if it is known."""


IS_TEMPLATE = "this is a template"
"""Part of the message about a file that a tool such as Helm has to render first."""


def read_documents(
    data: bytes, source: str, reader: Callable[[bytes], Iterator[tuple[int, Any]]] = read
) -> Iterator[tuple[int, Any]]:
    """The documents in the bytes of one file, each with its line. JSON and YAML are detected, regardless of the
    extension.
    """
    try:
        yield from reader(data)
    except BadDocument as error:
        at = _directive(data, error.line)
        bad = BadManifest(_message(error, source, at))
        bad.line = at or error.line
        raise bad from None


def _message(error: BadDocument, source: str, directive: int | None) -> str:
    """The message: the place, the problem and the fix."""
    place = (error.line, error.column) if directive in (None, error.line) else (directive,)
    where = ":".join(str(one) for one in (source, *place) if one is not None)
    if directive is not None:
        return f"{where}: {IS_TEMPLATE}. Render it first, for example with `helm template`, and pass the result"
    fix = f". {error.advice[0].upper()}{error.advice[1:]}" if error.advice else ""
    return f"{where}: {error.problem}{fix}"


def _directive(data: bytes, line: int | None) -> int | None:
    """The line of a template directive: the first line, the error's line, or the one before it. Otherwise None."""
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{{"):
        return 1
    if not line:
        return None
    start = _start(data, line)
    end = data.find(b"\n", start)
    if re.search(_TEMPLATE, data[start:] if end < 0 else data[start:end]):
        return line
    above = data[:start].rstrip()
    is_above = re.search(_TEMPLATE, above.rpartition(b"\n")[2])
    return above.count(b"\n") + 1 if is_above else None


_TEMPLATE = rb"\{\{|\{%"


def _start(data: bytes, number: int) -> int:
    """The offset of the start of a line, found without splitting the whole text."""
    start = 0
    for _ in range(number - 1):
        at = data.find(b"\n", start)
        if at < 0:
            return len(data)
        start = at + 1
    return start
