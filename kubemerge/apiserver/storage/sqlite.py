"""An SQLite store: rows, transactions, and the resourceVersion counter.

If the process dies at any time, a finished transaction is on disk, and an unfinished one leaves no trace. Writers wait
for each other. Readers never wait.
"""

from __future__ import annotations

import sqlite3
import threading
import weakref
import zlib
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.go_json import decode, encode

from ..errors import StoreError
from ..identity import ObjectId
from ..metadata import FIELD_TYPES
from . import history
from .file_errors import SqliteErrors, damaged
from .store import RELEASE, VERSION, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..protocol import Object
    from .file_access import OpenFile

SCHEMA = """
CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE objects (
    api_group TEXT NOT NULL, kind TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
    content BLOB NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (api_group, kind, namespace, name)
);
"""
"""`state` contains the values named in `store.py`."""

MAX_CACHED = 100
"""The maximum number of cached decoded objects."""

_ROWS = "SELECT content, checksum, kind, namespace, name FROM objects"
GET = f"{_ROWS} WHERE api_group = ? AND kind = ? AND namespace = ? AND name = ?"
PUT = "INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?)"
REMOVE = "DELETE FROM objects WHERE api_group = ? AND kind = ? AND namespace = ? AND name = ?"
OF_KIND = f"{_ROWS} WHERE api_group = ? AND kind = ? ORDER BY namespace, name"
OF_KIND_IN = f"{_ROWS} WHERE api_group = ? AND kind = ? AND namespace = ? ORDER BY name"
ALL = f"{_ROWS} ORDER BY api_group, kind, namespace, name"
WITH_TEXT = f"{_ROWS} WHERE instr(content, CAST(? AS BLOB)) ORDER BY api_group, kind, namespace, name"
KEYS_OF = "SELECT api_group, kind, namespace, name FROM objects WHERE api_group = ? AND kind = ?"
KEYS_IN = "SELECT api_group, kind, namespace, name FROM objects WHERE namespace = ?"


_NO_CHECK = nullcontext()
"""Used instead of the check of the file by stores in memory, and inside a group of transactions."""


def _nothing() -> None:
    pass


_METADATA_TYPES: dict[str, Any] = {
    **FIELD_TYPES,
    "creationTimestamp": str,
    "deletionTimestamp": str,
    "generation": int,
}


def _is_object(content: Any, key: list[Any]) -> bool:
    """Whether a value has the fields that other modules rely on, and the kind, namespace and name of its key."""
    if not (isinstance(content, dict) and isinstance(content.get("metadata"), dict)):
        return False
    metadata = content["metadata"]
    needed = (content.get("apiVersion"), content.get("kind"), *map(metadata.get, ("name", "uid", "resourceVersion")))
    for field in _METADATA_TYPES.keys() & metadata:
        if not isinstance(metadata[field], _METADATA_TYPES[field]):
            return False
    texts = (*needed, *metadata.get("labels", {}).values(), *metadata.get("annotations", {}).values())
    if {*map(type, texts)} != {str}:
        return False
    return [content["kind"], metadata.get("namespace", ""), metadata["name"]] == key


def _condition_after(
    group: str, kind: str, namespace: str | None, after: ObjectId | None
) -> tuple[str, tuple[str, ...]]:
    """The SQL condition for the objects of a kind that follow one of them, and the values of its parameters."""
    where, values = "WHERE api_group = ? AND kind = ?", [group, kind]
    if namespace is not None:
        where, values = f"{where} AND namespace = ?", [*values, namespace]
    if after is not None and namespace is None:
        where, values = f"{where} AND (namespace, name) > (?, ?)", [*values, after.namespace, after.name]
    elif after is not None and after.namespace == namespace:
        where, values = f"{where} AND name > ?", [*values, after.name]  # a pair of columns would not use the index
    elif after is not None and after.namespace > str(namespace):
        where = f"{where} AND 0"
    return where, tuple(values)


class SqliteStore(Store):
    """One open file. Any thread may use it. Each transaction belongs to one thread."""

    def __init__(self, connection: sqlite3.Connection, file: str, opened: OpenFile | None = None) -> None:
        self._connection = connection
        self.opened = opened
        """The file. None in memory."""
        self.closed: Callable[[], None] = _nothing
        """Called after the file is closed."""
        self._is_closed = False
        # Closes the connection even after an interrupt. Otherwise SQLite's log files stay next to the file.
        self._finalizer = weakref.finalize(self, connection.close)
        self._lock = threading.RLock()
        self._is_grouped = False
        """Whether the current transaction belongs to a group."""
        self._is_group_lost = False
        """Whether an error has rolled back the whole group."""
        self._state_values: dict[str, object] | None = None
        """The values of the table `state` in this transaction. Empty until one is read, None outside a transaction."""
        self._cached: dict[ObjectId, tuple[bytes, Object]] = {}
        self._current: set[ObjectId] = set()
        """The keys of cached objects that are known to be current in this transaction."""
        self._is_sound = opened is None
        """Whether the index of the file has been checked. If it is damaged, existing objects seem to be missing."""
        self.file = file

    def writing(self) -> AbstractContextManager[None]:
        """A write transaction, one at a time, kept as a whole or rolled back."""
        return self._transaction("BEGIN IMMEDIATE", "COMMIT")

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A read transaction: a consistent snapshot of the objects. Inside another transaction, it is part of it."""
        with self._lock:
            if self._state_values is not None:
                with SqliteErrors(self.file):
                    yield
                return
            with self._transaction("BEGIN", "ROLLBACK"):
                yield

    @contextmanager
    def together(self) -> Iterator[None]:
        """Group several transactions. Each can be rolled back alone, and all others are committed together at the end.

        If the group itself fails, all of them are rolled back.
        """
        with self._lock:
            self._is_group_lost = False
            with self._transaction("BEGIN IMMEDIATE", "COMMIT"):
                self._is_grouped = True
                try:
                    yield
                finally:
                    self._is_grouped = False
                if self._is_group_lost:
                    raise StoreError(
                        self.file, f"{self.file}: its changes were rolled back because of an error. Try again"
                    )

    @contextmanager
    def _transaction(self, begin: str, end: str) -> Iterator[None]:
        # A group checks the file once, before any of its transactions is acknowledged.
        file_check = self._same_file(self.opened) if self.opened and not self._is_grouped else _NO_CHECK
        with self._lock, SqliteErrors(self.file), file_check:
            undo = ["ROLLBACK"]
            if self._is_grouped:
                begin, end, undo = "SAVEPOINT one", "RELEASE one", ["ROLLBACK TO one", "RELEASE one"]
            self._connection.execute(begin)
            if not self._is_grouped:
                self._state_values = {}
                self._current.clear()
            try:
                yield
                self._connection.execute(end)
            except BaseException:
                self._state_values = {}
                self._current.clear()
                self._undo(undo)
                raise
            finally:
                if not self._is_grouped:
                    self._state_values = None

    def _undo(self, statements: list[str]) -> None:
        # An interrupt can leave a transaction behind, which closing the file rolls back.
        if self._is_closed or not self._finalizer.alive:
            return
        if self._connection.in_transaction:
            for statement in statements:
                self._connection.execute(statement)
        else:  # some SQLite errors end it by themselves
            self._is_group_lost = True

    @staticmethod
    @contextmanager
    def _same_file(opened: OpenFile) -> Iterator[None]:
        """Check before and after the block, and after an SQLite error, that the path still names the open file."""
        opened.check()
        try:
            yield
        except sqlite3.Error:
            opened.check()
            raise
        opened.check()

    def close(self) -> None:
        """Close the file, with all writes in it."""
        with self._lock, SqliteErrors(self.file):
            self._is_closed = True
            self._connection.close()
        self._finalizer.detach()
        closed, self.closed = self.closed, _nothing
        closed()

    # ---- objects -------------------------------------------------------------------------------------------------

    def get(self, key: ObjectId) -> Object | None:
        """Return one object."""
        row = self._row(key)
        return None if row is None else self._object(row)

    def has(self, key: ObjectId) -> bool:
        """Whether an object exists, without reading it."""
        return self._row(key) is not None

    def _row(self, key: ObjectId) -> Any:
        found = self._connection.execute(GET, key).fetchone()
        if found is None:
            self._check_index()
        return found

    def get_shared(self, key: ObjectId) -> Object | None:
        """Return one object that is read often. It is cached until it changes, so the caller must not change it."""
        if key in self._current and self._state_values is not None:
            return self._cached[key][1]
        row = self._row(key)
        if row is None:
            return None
        data, found = self._cached.get(key, (b"", {}))
        if data != row[0]:
            found = self._object(row)
            if len(self._cached) >= MAX_CACHED:
                self._cached.clear()
                self._current.clear()
            self._cached[key] = row[0], found
        self._current.add(key)
        return found

    def of_kind(self, group: str, kind: str, namespace: str | None = None) -> Iterator[Object]:
        """Return the current objects of a kind by namespace and name, of one namespace or of all."""
        if namespace is None:
            return self._objects(OF_KIND, group, kind)
        return self._objects(OF_KIND_IN, group, kind, namespace)

    def of_kind_after(self, group: str, kind: str, namespace: str | None, after: ObjectId | None) -> Iterator[Object]:
        """Return the objects of a kind after one of them, read one by one, inside the transaction."""
        self._check_index()
        where, values = _condition_after(group, kind, namespace, after)
        return map(self._object, self._connection.execute(f"{_ROWS} {where} ORDER BY namespace, name", values))

    def count_after(self, group: str, kind: str, namespace: str | None, after: ObjectId | None) -> int:
        """Count the objects of a kind after one of them."""
        where, values = _condition_after(group, kind, namespace, after)
        query = f"SELECT count(*) FROM objects {where}"  # noqa: S608 - all values are bound
        return int(self._connection.execute(query, values).fetchone()[0])

    def counts(self) -> dict[tuple[str, str], int]:
        """The number of objects by group and kind."""
        rows = self._connection.execute("SELECT api_group, kind, count(*) FROM objects GROUP BY api_group, kind")
        return {(group, kind): count for group, kind, count in rows}

    def all(self) -> Iterator[Object]:
        """Every object, by group, kind, namespace and name."""
        return self._objects(ALL)

    def with_text(self, text: str) -> Iterator[Object]:
        """Return the objects whose JSON contains this text."""
        return self._objects(WITH_TEXT, text)

    def _objects(self, query: str, *values: str) -> Iterator[Object]:
        """The objects of a query. Rows are fetched at once, to release the file, and decoded one by one."""
        self._check_index()
        return map(self._object, self._connection.execute(query, values).fetchall())

    def keys_in(self, namespace: str) -> Iterator[ObjectId]:
        """Yield the keys of the objects in a namespace, read one by one: often the first is enough."""
        self._check_index()
        return map(ObjectId._make, self._connection.execute(KEYS_IN, (namespace,)))

    def keys_of(self, group: str, kind: str, namespace: str | None = None) -> Iterator[ObjectId]:
        """Yield the keys of the objects of a kind, in one namespace or in all, read one by one."""
        self._check_index()
        found = (
            self._connection.execute(KEYS_OF, (group, kind))
            if namespace is None
            else self._connection.execute(f"{KEYS_OF} AND namespace = ?", (group, kind, namespace))
        )
        return map(ObjectId._make, found)

    def put(self, key: ObjectId, content: Object, version: int | None = None) -> None:
        """Store an object, replacing an existing one. With a version, the change is added to the history."""
        data = encode(content).encode()
        self._current.discard(key)
        if version is not None:
            self._append(version, key, data)
        self._connection.execute(PUT, (*key, data, zlib.crc32(data)))

    def remove(self, key: ObjectId, version: int) -> None:
        """Remove an object, and add the change to the history."""
        self._current.discard(key)
        self._append(version, key, None)
        self._connection.execute(REMOVE, key)

    def _append(self, version: int, key: ObjectId, data: bytes | None) -> None:
        if history.append(self._connection, version, key, data) and self._state_values:
            self._state_values.clear()  # the start of the history has changed

    def clear(self) -> None:
        """Remove all objects."""
        self._current.clear()
        self._connection.execute("DELETE FROM objects")

    def _object(self, row: tuple[Any, ...]) -> Object:
        data, checksum, *key = row
        if type(data) is not bytes or zlib.crc32(data) != checksum:
            raise damaged(self.file, "an object differs from what was written")
        try:
            content: Object = decode(data)
        except MergeError:
            raise damaged(self.file, "an object in it is not JSON") from None
        if not _is_object(content, key):
            raise damaged(self.file, "a stored object has another name than its key")
        return content

    # ---- history -------------------------------------------------------------------------------------------------

    def changes_since(self, version: int) -> list[history.Change] | None:
        """Return the changes after a version. None if the history is too short."""
        if version < self.number(history.COMPACTED):
            return None
        return list(history.since(self._connection, version))

    def changed_since(self, version: int, group: str, kind: str) -> dict[ObjectId, Object | None] | None:
        """Return the objects of a kind that changed after a version, with their content at that version. None if the
        history is too short.
        """
        if version < self.number(history.COMPACTED):
            return None
        return history.changed_since(self._connection, version, group, kind)

    def forget_history(self) -> None:
        """Expire all watches, which then list again. Needed when the history lacks changes."""
        history.compact(self._connection, self.number(VERSION))
        if self._state_values:
            self._state_values.clear()

    # ---- state ---------------------------------------------------------------------------------------------------

    def release(self) -> str:
        """The release of the file."""
        found = self._state(RELEASE)
        if not isinstance(found, str):
            raise damaged(self.file, "its release is missing")
        return found

    def number(self, name: str) -> int:
        """Return a counter."""
        found = self._state(name)
        if not isinstance(found, int):
            raise damaged(self.file, f"its {name} is missing")
        return found

    def text(self, name: str) -> str | None:
        """Return a text, or None if it was never stored."""
        found = self._state(name)
        if found is not None and not isinstance(found, str):
            raise damaged(self.file, f"its {name} is missing")
        return found

    def set(self, name: str, value: int | str) -> None:
        """Store a text or a counter."""
        self._connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))
        if self._state_values:  # otherwise the next read loads the value
            self._state_values[name] = value

    def _state(self, name: str) -> object:
        known = self._state_values
        if known is None:
            row = self._connection.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
            return row[0] if row else None
        if not known:
            known.update(self._connection.execute("SELECT name, value FROM state").fetchall())
        return known.get(name)

    # ---- integrity -----------------------------------------------------------------------------------------------

    def _check_index(self) -> None:
        """Reject a file with a damaged index, before an object is reported as missing. The file is checked once."""
        if self._is_sound:
            return
        found = self._connection.execute("PRAGMA integrity_check(1)").fetchone()
        if found != ("ok",):
            raise damaged(self.file, str(found[0]).partition("\n")[0])
        self._is_sound = True

    def check(self) -> None:
        """Read the whole file. Raise StoreError if anything in it is damaged."""
        with self.reading():
            self._is_sound = False
            for _ in self.all():
                pass
