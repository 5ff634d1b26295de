"""The documents in the bytes of a manifest, each with its line; or what is wrong with them, and where."""

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
    """A file that does not hold Kubernetes objects, or an object that lacks what it needs; the message says where."""


def read_documents(
    data: bytes, source: str, reader: Callable[[bytes], Iterator[tuple[int, Any]]] = read
) -> Iterator[tuple[int, Any]]:
    """The documents in the bytes of one file, each with its line; JSON or YAML, whatever the file is called."""
    try:
        yield from reader(data)
    except BadDocument as error:
        raise BadManifest(_sentence(error, data, source)) from None


def _sentence(error: BadDocument, data: bytes, source: str) -> str:
    """The message: where it is, what is wrong, and the way out."""
    where = ":".join(str(one) for one in (source, error.line, error.column) if one is not None)
    if error.line and error.column and re.search(_TEMPLATE, _line(data, error.line)):
        return f"{where}: this is a template; render it first, as by `helm template`, and give the result"
    return f"{where}: {error.problem}{f'; {error.way_out}' if error.way_out else ''}"


_TEMPLATE = rb"\{\{|\{%"


def _line(data: bytes, number: int) -> bytes:
    """A line by its number, without splitting all of them."""
    start = 0
    for _ in range(number - 1):
        start = data.find(b"\n", start) + 1
        if not start:
            return b""
    end = data.find(b"\n", start)
    return data[start:] if end < 0 else data[start:end]
