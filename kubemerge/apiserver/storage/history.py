"""The last changes of a cluster, in its file: what watches tell, whoever wrote, and lists of a moment that is past.

Each change is a row with the object before and after it, under the resourceVersion that it made. Old rows are dropped
now and then; whoever asks for one of them is told that it is gone, and lists again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.values.go_json import decode

from ..identity import ObjectId

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from ..protocol import Object

SCHEMA = """
CREATE TABLE history (
    version INTEGER PRIMARY KEY,
    api_group TEXT NOT NULL, kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
    before BLOB, after BLOB
);
"""
FORGOTTEN = "forgotten"
"""The state that holds the newest resourceVersion whose change is not in the history any more."""

KEPT, DROPPED_AT_ONCE = 4096, 512
"""How many resourceVersions the history goes back at least, and how many changes are dropped in one go."""

_NOTE = """
INSERT OR REPLACE INTO history SELECT ?, ?, ?, ?, ?,
    (SELECT content FROM objects WHERE api_group = ? AND kind = ? AND namespace = ? AND name = ?), ?
"""
_SINCE = (
    "SELECT version, api_group, kind, namespace, name, before, after FROM history WHERE version > ? ORDER BY version"
)
_THEN = """
SELECT name, namespace, before, min(version) FROM history
    WHERE version > ? AND api_group = ? AND kind = ? GROUP BY namespace, name
"""


class Change(NamedTuple):
    """One change: the JSON of an object before and after it; None where there was none, or is none any more."""

    version: int
    key: ObjectId
    before: bytes | None
    after: bytes | None


def note(connection: sqlite3.Connection, version: int, key: ObjectId, after: bytes | None) -> None:
    """Keep a change that is about to be stored."""
    connection.execute(_NOTE, (version, *key, *key, after))
    if version % DROPPED_AT_ONCE == 0:
        connection.execute("DELETE FROM history WHERE version <= ?", (version - KEPT,))
        connection.execute("UPDATE state SET value = max(value, ?) WHERE name = ?", (version - KEPT, FORGOTTEN))


def forget(connection: sqlite3.Connection, version: int) -> None:
    """Drop all changes up to a version, so that everybody who follows them reads all objects again."""
    connection.execute("DELETE FROM history WHERE version <= ?", (version,))
    connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (FORGOTTEN, version))


def since(connection: sqlite3.Connection, version: int) -> Iterator[Change]:
    """The changes after a version, the oldest first."""
    for number, group, kind, namespace, name, before, after in connection.execute(_SINCE, (version,)):
        yield Change(number, ObjectId(group, kind, namespace, name), before, after)


def changed_since(connection: sqlite3.Connection, version: int, group: str, kind: str) -> dict[ObjectId, Object | None]:
    """What the objects of a kind that have changed since were at this version; None for one that did not exist."""
    found = connection.execute(_THEN, (version, group, kind))
    return {
        ObjectId(group, kind, namespace, name): None if before is None else decode(before)
        for name, namespace, before, _ in found
    }
