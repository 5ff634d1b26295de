"""Objects in an SQLite file: rows, transactions, and the counter of resourceVersions.

Whenever the process dies, a transaction that has ended is on the disk, and one that has not ended leaves no trace.
Writers wait for each other, readers for nobody.
"""

from __future__ import annotations

import sqlite3
import threading
import weakref
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.go_json import decode, encode

from ..errors import StoreError
from ..identity import ObjectId
from ..metadata import SHAPES
from . import history
from .file_errors import damaged, telling
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
"""`state` holds the values that `store.py` names."""

MOST_SHARED = 100
"""How many objects are kept decoded at most."""

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


def _nothing() -> None:
    pass


_SHAPES: dict[str, Any] = {**SHAPES, "creationTimestamp": str, "deletionTimestamp": str, "generation": int}


def _is_object(content: Any, key: list[Any]) -> bool:
    """Whether a value has all that other modules rely on, and this kind, namespace and name, as all that is written."""
    if not (isinstance(content, dict) and isinstance(content.get("metadata"), dict)):
        return False
    metadata = content["metadata"]
    needed = (content.get("apiVersion"), content.get("kind"), *map(metadata.get, ("name", "uid", "resourceVersion")))
    shaped = (field not in metadata or isinstance(metadata[field], shape) for field, shape in _SHAPES.items())
    texts = (text for field in ("labels", "annotations") for text in metadata.get(field, {}).values())
    if not (all(shaped) and all(isinstance(text, str) for text in (*needed, *texts))):
        return False
    return [content["kind"], metadata.get("namespace", ""), metadata["name"]] == key


def _part(group: str, kind: str, namespace: str | None, after: ObjectId | None) -> tuple[str, tuple[str, ...]]:
    """The condition for objects of a kind after one of them, and its values."""
    where, values = "WHERE api_group = ? AND kind = ?", [group, kind]
    if namespace is not None:
        where, values = f"{where} AND namespace = ?", [*values, namespace]
    if after is not None:
        where, values = f"{where} AND (namespace, name) > (?, ?)", [*values, after.namespace, after.name]
    return where, tuple(values)


class SqliteStore(Store):
    """One open file. Any thread may use it; each transaction belongs to one thread."""

    def __init__(self, connection: sqlite3.Connection, file: str, opened: OpenFile | None = None) -> None:
        self._connection = connection
        self.opened = opened
        """The file itself; None in memory."""
        self.closed: Callable[[], None] = _nothing
        """Called once the file is closed."""
        self._is_closed = False
        # An interrupt can come before the file is closed; then SQLite would leave its files beside this one.
        self._end = weakref.finalize(self, connection.close)
        self._lock = threading.RLock()
        self._inside = False
        """Whether several transactions are made together just now."""
        self._lost = False
        """Whether an error has undone all of them."""
        self._known: dict[str, object] | None = None
        """What this transaction has read of the state, which nobody else can change before it ends."""
        self._shared: dict[ObjectId, tuple[bytes, Object]] = {}
        self._is_sound = opened is None
        """Whether all objects of the file are known to be in its index."""
        self.file = file

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A write transaction, one at a time. All of it is kept, or nothing."""
        with self._transaction("BEGIN IMMEDIATE", "COMMIT"):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A read transaction: the objects as they are at one moment."""
        if self._inside:  # several writes are made together, and see one another
            with self._lock, telling(self.file):
                yield
            return
        with self._transaction("BEGIN", "ROLLBACK"):
            yield

    @contextmanager
    def together(self) -> Iterator[None]:
        """Several transactions, each kept or not by itself, whose changes reach the disk at once, at the end.

        Until then none of them is done: if it fails, none is.
        """
        with self._lock:
            self._lost = False
            with self._transaction("BEGIN IMMEDIATE", "COMMIT"):
                self._inside = True
                try:
                    yield
                finally:
                    self._inside = False
                if self._lost:
                    raise StoreError(
                        self.file, f"{self.file}: its changes were rolled back because of an error. Try again"
                    )

    @contextmanager
    def _transaction(self, begin: str, end: str) -> Iterator[None]:
        with self._lock, telling(self.file), self._same_file():
            undo = ["ROLLBACK"]
            if self._inside:
                begin, end, undo = "SAVEPOINT one", "RELEASE one", ["ROLLBACK TO one", "RELEASE one"]
            self._connection.execute(begin)
            self._known = self._known if self._inside else {}
            try:
                yield
                self._connection.execute(end)
            except BaseException:
                self._known = {}
                self._undo(undo)
                raise
            finally:
                if not self._inside:
                    self._known = None

    def _undo(self, statements: list[str]) -> None:
        # An interrupt can leave a transaction behind, which closing the file has undone.
        if self._is_closed or not self._end.alive:
            return
        if self._connection.in_transaction:
            for statement in statements:
                self._connection.execute(statement)
        else:  # some SQLite errors end it by themselves
            self._lost = True

    @contextmanager
    def _same_file(self) -> Iterator[None]:
        """A context that fails if the name of the file does not lead to it before, afterwards, or when SQLite fails."""
        check = self.opened.check if self.opened else _nothing
        check()
        try:
            yield
        except sqlite3.Error:
            check()
            raise
        check()

    def close(self) -> None:
        """Let go of the file; what was written is in it."""
        with self._lock, telling(self.file):
            self._is_closed = True
            self._connection.close()
        self._end.detach()
        closed, self.closed = self.closed, _nothing
        closed()

    # ---- objects -------------------------------------------------------------------------------------------------

    def get(self, key: ObjectId) -> Object | None:
        """One object."""
        row = self._row(key)
        return None if row is None else self._object(row)

    def has(self, key: ObjectId) -> bool:
        """Whether there is an object, without reading it."""
        return self._row(key) is not None

    def _row(self, key: ObjectId) -> Any:
        found = self._connection.execute(GET, key).fetchone()
        if found is None:
            self._check_index()
        return found

    def get_shared(self, key: ObjectId) -> Object | None:
        """One object that nobody may change, and that many ask for: it is decoded again only once it has changed."""
        row = self._row(key)
        if row is None:
            return None
        data, found = self._shared.get(key, (None, None))
        if found is None or data != row[0]:
            found = self._object(row)
            if len(self._shared) >= MOST_SHARED:
                self._shared.clear()
            self._shared[key] = row[0], found
        return found

    def of_kind(self, group: str, kind: str, namespace: str | None = None) -> Iterator[Object]:
        """The objects of a kind by namespace and name, of one namespace or of all, as they are now."""
        if namespace is None:
            return self._objects(OF_KIND, group, kind)
        return self._objects(OF_KIND_IN, group, kind, namespace)

    def of_kind_after(self, group: str, kind: str, namespace: str | None, after: ObjectId | None) -> Iterator[Object]:
        """The objects of a kind that come after one of them, read one by one, inside the transaction."""
        self._check_index()
        where, values = _part(group, kind, namespace, after)
        return map(self._object, self._connection.execute(f"{_ROWS} {where} ORDER BY namespace, name", values))

    def count_after(self, group: str, kind: str, namespace: str | None, after: ObjectId | None) -> int:
        """How many objects of a kind come after one of them."""
        where, values = _part(group, kind, namespace, after)
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
        """The objects whose JSON has this text in it."""
        return self._objects(WITH_TEXT, text)

    def _objects(self, query: str, *values: str) -> Iterator[Object]:
        """The objects of a query. Rows are fetched at once, so as not to lock the file, and decoded one by one."""
        self._check_index()
        return map(self._object, self._connection.execute(query, values).fetchall())

    def keys_in(self, namespace: str) -> Iterator[ObjectId]:
        """Which objects are in a namespace, read one by one: often the first says enough."""
        self._check_index()
        return map(ObjectId._make, self._connection.execute(KEYS_IN, (namespace,)))

    def keys_of(self, group: str, kind: str, namespace: str | None = None) -> Iterator[ObjectId]:
        """Which objects of a kind there are, in one namespace or in all, read one by one."""
        self._check_index()
        found = (
            self._connection.execute(KEYS_OF, (group, kind))
            if namespace is None
            else self._connection.execute(f"{KEYS_OF} AND namespace = ?", (group, kind, namespace))
        )
        return map(ObjectId._make, found)

    def put(self, key: ObjectId, content: Object, version: int | None = None) -> None:
        """Store an object, replacing an existing one; with a version, the history tells of it."""
        data = encode(content).encode()
        if version is not None:
            history.note(self._connection, version, key, data)
        self._connection.execute(PUT, (*key, data, zlib.crc32(data)))

    def remove(self, key: ObjectId, version: int) -> None:
        """Remove an object; the history tells of it."""
        history.note(self._connection, version, key, None)
        self._connection.execute(REMOVE, key)

    def clear(self) -> None:
        """Remove all objects."""
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
        """The changes after a version; None if the history does not go back so far."""
        if version < self.number(history.FORGOTTEN):
            return None
        return list(history.since(self._connection, version))

    def changed_since(self, version: int, group: str, kind: str) -> dict[ObjectId, Object | None] | None:
        """What changed objects of a kind were at a version; None if the history does not go back so far."""
        if version < self.number(history.FORGOTTEN):
            return None
        return history.changed_since(self._connection, version, group, kind)

    def forget_history(self) -> None:
        """Make those who follow the changes read everything again, since more has changed than the history tells."""
        history.forget(self._connection, self.number(VERSION))

    # ---- state ---------------------------------------------------------------------------------------------------

    def release(self) -> str:
        """The release that the file was made for."""
        found = self._state(RELEASE)
        if not isinstance(found, str):
            raise damaged(self.file, "its release is missing")
        return found

    def number(self, name: str) -> int:
        """A counter."""
        found = self._state(name)
        if not isinstance(found, int):
            raise damaged(self.file, f"its {name} is missing")
        return found

    def text(self, name: str) -> str | None:
        """A text, or None if it was never stored."""
        found = self._state(name)
        if found is not None and not isinstance(found, str):
            raise damaged(self.file, f"its {name} is missing")
        return found

    def set(self, name: str, value: int | str) -> None:
        """Store a text or a counter."""
        self._connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))
        if self._known is not None:
            self._known[name] = value

    def _state(self, name: str) -> object:
        known = self._known
        if known is not None and name in known:
            return known[name]
        row = self._connection.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
        found = row[0] if row else None
        if known is not None:
            known[name] = found
        return found

    # ---- soundness -----------------------------------------------------------------------------------------------

    def _check_index(self) -> None:
        """Refuse a file whose index lacks objects, before any counts as missing. It is checked once."""
        if self._is_sound:
            return
        found = self._connection.execute("PRAGMA integrity_check(1)").fetchone()
        if found != ("ok",):
            raise damaged(self.file, str(found[0]).partition("\n")[0])
        self._is_sound = True

    def check(self) -> None:
        """Read the whole file; a StoreError says if anything in it is damaged."""
        with self.reading():
            self._is_sound = False
            for _ in self.all():
                pass
