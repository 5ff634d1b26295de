"""The rows of results: one for a finding, or for a field that differs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.go_json import encode

from .extra import library

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST, LARGEST = 4096, 8 << 20
"""How many rows are held at once, and how many bytes they have, about."""
POISONED = "unreadable"
"""What is said of an object that cannot be read or looked at."""
UNTRACKED = "untracked"
"""What is said of an object whose owners are not known."""


class Row(NamedTuple):
    """One finding, or one field that differs. Values are JSON; those of Secrets are masked by now."""

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
    """The file, and where in it."""


COLUMNS = ", ".join(f"{name} string" for name in Row._fields)
"""The columns as Spark takes them for `mapInArrow`."""


def row_of(cluster: str, content: dict[str, Any], source: str, **more: Any) -> Row:
    """A row about an object."""
    metadata = content["metadata"]
    name = metadata.get("name") or metadata.get("generateName") or ""
    return Row(cluster, metadata.get("namespace") or "", content["kind"], name, source=source, **more)


def json(value: Any) -> str | None:
    """A value as a row has it; None where there is none."""
    return None if value is None else encode(value)


def schema() -> Any:
    """The columns as Arrow takes them."""
    arrow = library("pyarrow")
    return arrow.schema([(name, arrow.string()) for name in Row._fields])


def batch(rows: Sequence[Row]) -> Any:
    """Rows as a record batch."""
    arrow = library("pyarrow")
    columns = zip(*rows, strict=True) if rows else ((),) * len(Row._fields)
    return arrow.record_batch(
        [arrow.array([None if text is None else plain(text) for text in one], arrow.string()) for one in columns],
        schema=schema(),
    )


def plain(text: str) -> str:
    """A text without halves of surrogates, which nothing but Python takes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
