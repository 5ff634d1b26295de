"""The texts of the objects in a part of a file."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError

from ...apiserver.text.text import shown
from ...manifests.dumps.containers import DAMAGES, damaged_file
from ...manifests.dumps.logs import WithoutLogs
from ..extra import library
from .json_items import json_items
from .sources import TREE
from .streams import CHUNK, LARGEST, ReplayStream, arrow_errors_as_damage, damages, lines, opened
from .trees import members
from .yaml_items import yaml_items

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .parts import Part

BLOCK = 16
"""Number of successive objects in a block, which belong to one stripe."""
_ROWS = 64
"""Maximum number of Parquet rows in memory at once."""
TOO_LONG = f"the object exceeds {LARGEST >> 20} MiB, the limit of API servers. Remove it"
_LIKE_JSON = re.compile(rb'\s*\{\s*["}]')
"""The beginning of a YAML file that is JSON, at least up to the next document."""
OBJECTS = ("object", "content", "json", "manifest")
"""The columns that hold the text of an object, by preference."""


class Item(NamedTuple):
    """The text of an object, its cluster and source; or the problem if it could not be read."""

    cluster: str
    text: bytes
    source: str
    problem: str = ""


def items(part: Part) -> Iterator[Item]:
    """Yield the objects of a part.

    All stripes of a file find damage that makes the file's rest unreadable, but only the first reports it. An error
    during reading is raised, because only one stripe finds it, and it may not occur the next time.
    """
    source = part.source
    try:
        yield from _READERS[source.form](part)
    except damages() as error:
        if not part.stripe or part.groups:  # Arrow also raises these for read errors, which other stripes do not find
            why = str(error) or type(error).__name__
            yield Item(source.cluster, b"", shown(source.name), f"the rest of the file cannot be read: {why}")


def items_with(part: Part, word: bytes) -> Iterator[Item]:
    """Yield the objects of a part whose text has a word, and all problems."""
    return (one for one in items(part) if one.problem or word in one.text)


def may_hold(part: Part, word: bytes) -> bool:
    """Whether a word may be in a part. The bytes are searched, which is much faster than to split them into objects."""
    if part.source.form not in ("lines", "json", "yaml"):
        return True
    rest = b""
    with suppress(*damages()), opened(part.source) as stream:
        for chunk in _chunks(stream, part):
            if word in chunk or word in rest + chunk[: len(word)]:
                return True
            rest = (rest + chunk[-len(word) :])[-len(word) :]
    return False


def _chunks(stream: Any, part: Part) -> Iterator[bytes]:
    """The bytes of a part; a range of lines ends with the line that begins before its end."""
    at = part.start
    if at:
        stream.seek(at)
    while chunk := stream.read(CHUNK):
        yield chunk
        if part.end is not None and chunk.find(b"\n", max(part.end - 1 - at, 0)) >= 0:
            return
        at += len(chunk)


def _mine(part: Part, at: int) -> bool:
    return part.stripes == 1 or at // BLOCK % part.stripes == part.stripe


def _item(part: Part, text: bytes | None, place: str) -> Item:
    name = f"{shown(part.source.name)}:{place}"
    return Item(part.source.cluster, text or b"", name, TOO_LONG if text is None else "")


def _of_lines(part: Part) -> Iterator[Item]:
    with opened(part.source) as stream:
        for at, (place, text) in enumerate(lines(stream, part.start, part.end)):
            if _mine(part, at) and (text is None or text.strip()):
                yield _item(part, text, f"byte {place}")


def _of_texts(part: Part) -> Iterator[Item]:
    with opened(part.source) as stream:
        for at, text in enumerate(_texts(stream, like_json=part.source.form == "json")):
            if _mine(part, at):
                yield _item(part, text, f"object {at + 1}")


def _texts(stream: Any, *, like_json: bool) -> Iterator[bytes | None]:
    """The texts of the objects in a stream, without the logs in the output of `kubectl cluster-info dump`."""
    first = stream.read(4096).removeprefix(b"\xef\xbb\xbf")
    rest = WithoutLogs(ReplayStream(first, stream))
    if like_json:
        return json_items(rest)
    return json_items(rest, yaml_items) if _LIKE_JSON.match(first) else yaml_items(rest)


def _of_members(part: Part) -> Iterator[Item]:
    for name, stream, problem in members(part):
        if problem:
            yield _item(part, b"", "")._replace(source=shown(part.source.name), problem=problem)
            continue
        try:
            for at, text in enumerate(_texts(stream, like_json=name.endswith(".json")), 1):
                yield _item(part, text, "")._replace(source=f"{name}:object {at}")
        except DAMAGES as error:
            yield _item(part, b"", "")._replace(source=name, problem=str(damaged_file(name, error)))
        except MergeError as error:
            yield _item(part, b"", "")._replace(source=name, problem=str(error))


def _of_parquet(part: Part) -> Iterator[Item]:
    parquet, fsspec = library("pyarrow.parquet"), library("fsspec")
    with fsspec.open(part.source.url, "rb") as raw, arrow_errors_as_damage():
        file = parquet.ParquetFile(raw, buffer_size=1 << 20, pre_buffer=False)
        names = set(file.schema_arrow.names)
        column = next((one for one in OBJECTS if one in names), None)
        if column is None:
            yield _item(part, b"", "")._replace(problem=f"none of the columns {', '.join(OBJECTS)} exists. Rename one")
            return
        columns = [column, "cluster"] if "cluster" in names else [column]
        groups = list(part.groups) or None
        found = file.iter_batches(_ROWS, row_groups=groups, columns=columns)
        rows = chain.from_iterable(zip(*_columns(one, columns), strict=True) for one in found)
        group = f"group {part.groups[0]} " if part.groups else ""
        for at, row in enumerate(rows):
            if _mine(part, at):
                yield _row(part, row, f"{group}row {at}")


def _columns(batch: Any, columns: list[str]) -> list[list[Any]]:
    return [batch.column(name).to_pylist() for name in columns]


def _row(part: Part, row: tuple[Any, ...], place: str) -> Item:
    text = row[0].encode("utf-8", "surrogatepass") if isinstance(row[0], str) else row[0]
    item = _item(part, text if isinstance(text, bytes) and len(text) <= LARGEST else None, place)
    if text is None or not isinstance(text, bytes):
        item = item._replace(problem="no object. The column must contain it as JSON text")
    return item._replace(cluster=str(row[1])) if len(row) > 1 and row[1] is not None else item


_READERS = {
    "lines": _of_lines,
    "json": _of_texts,
    "yaml": _of_texts,
    "parquet": _of_parquet,
    "archive": _of_members,
    TREE: _of_members,
}
