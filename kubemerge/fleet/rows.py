"""The rows of results: one for each finding, or for each field that differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.go_json import encode

from .extra import library

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST, LARGEST = 4096, 8 << 20
"""Maximum number of rows that are held at once, and their approximate size in bytes."""
UNREADABLE = "unreadable"
"""The finding for an object that cannot be read or checked."""
UNTRACKED = "untracked"
"""The finding for an object whose owners are unknown."""


class Row(NamedTuple):
    """A finding, or a field that differs. Values are JSON, and those of Secrets are already masked."""

    cluster: str
    namespace: str = ""
    kind: str = ""
    name: str = ""
    path: str = ""
    what: str = ""
    severity: str = ""
    before: str | None = None
    after: str | None = None
    text: str = ""
    """One sentence."""
    source: str = ""
    """The file, and the position in it."""


COLUMNS = ", ".join(f"{name} string" for name in Row._fields)
"""The columns in the format of Spark's `mapInArrow`."""


def row_of(cluster: str, content: dict[str, Any], source: str, **more: Any) -> Row:
    """Create a row about an object."""
    metadata = content["metadata"]
    name = metadata.get("name") or metadata.get("generateName") or ""
    return Row(cluster, metadata.get("namespace") or "", content["kind"], name, source=source, **more)


def json(value: Any) -> str | None:
    """A value as it is stored in a row; None if there is no value."""
    return None if value is None else encode(value)


def schema() -> Any:
    """The columns as an Arrow schema."""
    arrow = library("pyarrow")
    return arrow.schema([(name, arrow.string()) for name in Row._fields])


def batch(rows: Sequence[Row]) -> Any:
    """Convert rows to a record batch."""
    arrow = library("pyarrow")
    columns = zip(*rows, strict=True) if rows else ((),) * len(Row._fields)
    return arrow.record_batch(
        [arrow.array([None if text is None else plain(text) for text in one], arrow.string()) for one in columns],
        schema=schema(),
    )


def plain(text: str) -> str:
    """Escape lone surrogates in a text, because only Python accepts them."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
