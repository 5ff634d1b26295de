"""The last changes of a cluster, stored in its file, for watches and for lists of an earlier resourceVersion.

Each change is a row with the object before and after it, under its resourceVersion. Old rows are dropped from time to
time. A client that needs one gets Expired, and lists again.
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
COMPACTED = "forgotten"
"""The state value with the newest resourceVersion whose change was dropped, like the compacted revision of etcd."""

KEPT, DROPPED_AT_ONCE = 4096, 512
"""The minimum range of resourceVersions in the history, and the number of changes dropped at once."""

_APPEND = """
INSERT OR REPLACE INTO history SELECT ?, ?, ?, ?, ?,
    (SELECT content FROM objects WHERE api_group = ? AND kind = ? AND namespace = ? AND name = ?), ?
"""
_SINCE = (
    "SELECT version, api_group, kind, namespace, name, before, after FROM history WHERE version > ? ORDER BY version"
)
_CHANGED_SINCE = """
SELECT name, namespace, before, min(version) FROM history
    WHERE version > ? AND api_group = ? AND kind = ? GROUP BY namespace, name
"""


class Change(NamedTuple):
    """One change: the JSON of an object before and after it, None where it does not exist."""

    version: int
    key: ObjectId
    before: bytes | None
    after: bytes | None


def append(connection: sqlite3.Connection, version: int, key: ObjectId, after: bytes | None) -> bool:
    """Add a change that is about to be stored. Return whether old changes were dropped."""
    connection.execute(_APPEND, (version, *key, *key, after))
    is_full = version % DROPPED_AT_ONCE == 0
    if is_full:
        connection.execute("DELETE FROM history WHERE version <= ?", (version - KEPT,))
        connection.execute("UPDATE state SET value = max(value, ?) WHERE name = ?", (version - KEPT, COMPACTED))
    return is_full


def compact(connection: sqlite3.Connection, version: int) -> None:
    """Drop all changes up to a version, so that the clients of all watches list again."""
    connection.execute("DELETE FROM history WHERE version <= ?", (version,))
    connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (COMPACTED, version))


def since(connection: sqlite3.Connection, version: int) -> Iterator[Change]:
    """Return the changes after a version, the oldest first."""
    for number, group, kind, namespace, name, before, after in connection.execute(_SINCE, (version,)):
        yield Change(number, ObjectId(group, kind, namespace, name), before, after)


def changed_since(connection: sqlite3.Connection, version: int, group: str, kind: str) -> dict[ObjectId, Object | None]:
    """Return changed objects of a kind as they were at this version. None for missing ones."""
    found = connection.execute(_CHANGED_SINCE, (version, group, kind))
    return {
        ObjectId(group, kind, namespace, name): None if before is None else decode(before)
        for name, namespace, before, _ in found
    }
