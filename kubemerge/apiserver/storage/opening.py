"""Opening a cluster's file: locating, recognising and creating it without touching foreign files."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import StoreError
from . import history
from .file_access import OpenFile, has_log, make_file, make_folder, reject_hard_links, restrict_to_owner
from .file_errors import (
    PATIENCE,
    SqliteErrors,
    altered,
    missing,
    newer,
    no_database,
    no_folder,
    not_ours,
    unopened,
    unwritable,
)
from .sqlite import SCHEMA, SqliteStore
from .store import KINDS_CHANGED, RELEASE, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from .store import Store

DEFAULT = os.path.join(".kubemerge", "cluster.db")  # noqa: PTH118 - shown to people as they would type it
VARIABLE = "KUBEMERGE_CLUSTER"
MEMORY = ":memory:"
SYNCHRONOUS = "EXTRA"
"""Acknowledged data is on disk. It is like FULL, but also safe on file systems without a journal."""

APPLICATION = 0x6B6D7267
"""The application id that marks a database as ours ("kmrg")."""
FORMAT = 2
"""The format of the tables. A file of a later format is rejected unchanged. Format 1 has no history."""
_INDEX = "sqlite_autoindex_objects_1"
_MAGIC = b"SQLite format 3\0"
_HEAD = 108
_VERSION, _APPLICATION, _TABLES = slice(60, 64), slice(68, 72), slice(103, 105)
"""The positions of format, application id, and number of tables and indexes in an SQLite header."""

MODES = ("write", "read", "rehearse")


def locate(given: str | None = None) -> str:
    """Return the given file, or that of the environment, or the default one."""
    return given or os.environ.get(VARIABLE) or DEFAULT


def open_store(file: str, release: str, mode: str, populate: Callable[[Store], None]) -> SqliteStore:
    """Open a file, or create it for this release. `populate` adds the initial objects.

    Mode "write" creates a missing file. "read" requires it, and does not write. "rehearse" also only reads, but a
    missing file counts as a new cluster.
    """
    if mode not in MODES:
        raise StoreError(file, f"invalid mode {mode!r}. Use one of {', '.join(MODES)}")
    if file == MEMORY:
        return _created(MEMORY, ":memory:", release, populate)
    with _one_at_a_time:
        store = _opened(file, release, mode, populate)
        _register(store.opened, store)
        return store


_one_at_a_time = threading.RLock()
_open_here: Counter[tuple[int, ...]] = Counter()
"""The open files of this process, by device and inode.

With POSIX locks, closing any descriptor of a file releases all locks of the process on it. So a file that SQLite has
open is never opened again by other means.
"""


def _register(opened: OpenFile | None, store: SqliteStore) -> None:
    """Register an open file until its store is closed. A cluster in memory has none."""
    if opened is None:
        return
    key = opened.key
    _open_here[key] += 1

    def closed() -> None:
        with _one_at_a_time:
            _open_here[key] -= 1

    store.closed = closed


def _is_open_here(path: Path) -> bool:
    found = path.stat()
    return _open_here[found.st_dev, found.st_ino] > 0


def _opened(file: str, release: str, mode: str, populate: Callable[[Store], None]) -> SqliteStore:
    path = _resolved(file)
    there = _has_content(file, path)
    if not there and mode == "read":
        raise missing(file)
    if not there and mode == "rehearse":
        return _created(MEMORY, file, release, populate)
    if mode == "write":
        _make_place(file, path)
        if not os.access(path, os.W_OK):
            raise unwritable(file)
    closed = restrict_to_owner(str(path), str(path.parent) if _is_default(file) else None)
    if mode == "write":
        store = _created(f"{path.as_uri()}?mode=rw", file, release, populate, OpenFile(file, str(path)))
    else:
        store = _for_reading(file, path)
    store.closed_to_others = closed
    return store


def _resolved(file: str) -> Path:
    """The target of a link: SQLite has its log next to the file, not next to the link."""
    try:
        return Path(os.path.realpath(file))
    except (OSError, ValueError) as error:
        raise StoreError(file, f"{file!a} is not a file name ({error}). Use another") from None


def _is_default(file: str) -> bool:
    """True for the default file, also with a slash on Windows."""
    return file.replace("/", os.sep) == DEFAULT


def _make_place(file: str, path: Path) -> None:
    """Create the file, empty, and the default folder. Any other folder must exist."""
    if _is_default(file):
        try:
            make_folder(str(path.parent))
        except OSError as error:
            why = f"{path.parent.name} cannot be created ({error.strerror}). Pass a file with --cluster"
            raise StoreError(file, why) from None
    if not path.parent.is_dir():
        raise no_folder(file)
    try:
        make_file(str(path))
    except OSError:
        raise unopened(file) from None


def _has_content(file: str, path: Path) -> bool:
    """Whether a non-empty file exists. A foreign one is rejected before SQLite opens it."""
    try:
        if not path.exists():
            return False
        if not path.is_file():
            raise StoreError(file, f"{file} is not a file. Name a file")
        reject_hard_links(file, str(path))
        if _is_open_here(path):
            return True
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        raise StoreError(file, f"{file} cannot be read ({error.strerror}). Use a readable file") from None
    if not head:
        return False
    if len(head) < _HEAD or not head.startswith(_MAGIC):
        raise no_database(file)
    application, version, tables = (int.from_bytes(head[at], "big") for at in (_APPLICATION, _VERSION, _TABLES))
    _reject_foreign(file, application, version)
    if not application and tables:
        raise not_ours(file)
    return True


def _reject_foreign(file: str, application: int, version: int) -> None:
    if application not in (APPLICATION, 0):  # 0 may be one of ours whose creation was killed
        raise not_ours(file)
    if application == APPLICATION and version > FORMAT:
        raise newer(file, version, FORMAT)


def _created(
    where: str, file: str, release: str, populate: Callable[[Store], None], opened: OpenFile | None = None
) -> SqliteStore:
    """A writable file with the initial objects."""
    with SqliteErrors(file):
        connection = _connect(where)
        store = SqliteStore(connection, file, opened)
        try:
            with store.reading():  # all marks in one transaction: another process may be creating the file
                ours = _is_cluster_file(connection, file)
            if not ours:
                with store.writing():
                    if not _is_cluster_file(connection, file):  # another process may have created it
                        _create(connection, store, release)
                        populate(store)
                        store.forget_history()
            elif _pragma(connection, "user_version") < FORMAT:
                with store.writing():
                    if _pragma(connection, "user_version") < FORMAT:
                        _add_history(connection, store)
            if where != MEMORY:
                _use_log(connection)
        except BaseException:
            store.close()
            raise
    return store


def _create(connection: sqlite3.Connection, store: SqliteStore, release: str) -> None:
    for statement in SCHEMA.split(";\n"):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    store.set(RELEASE, release)
    store.set(VERSION, 0)
    store.set(KINDS_CHANGED, 0)
    _add_history(connection, store)


def _add_history(connection: sqlite3.Connection, store: SqliteStore) -> None:
    connection.execute(history.SCHEMA)
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    store.set(history.COMPACTED, store.number(VERSION))


def _is_cluster_file(connection: sqlite3.Connection, file: str) -> bool:
    """Whether the database is a cluster. False for an empty one."""
    application, version = (_pragma(connection, name) for name in ("application_id", "user_version"))
    _reject_foreign(file, application, version)
    if application == APPLICATION:
        _reject_altered(connection, file, version)
        return True
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
        raise not_ours(file)
    return False


def _reject_altered(connection: sqlite3.Connection, file: str, version: int) -> None:
    """Reject a file with foreign tables, or with triggers or views, which SQLite would execute."""
    wanted = {_one_line(one) for one in SCHEMA.split(";\n")} - {""}
    if version >= FORMAT:
        wanted.add(_one_line(history.SCHEMA))
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        made = _one_line(sql) if isinstance(sql, str) else ""
        if made in wanted:
            wanted.remove(made)
        elif name != _INDEX:
            raise altered(file, f"{kind} {name!a}")
    if wanted:
        raise altered(file, f"definition of {min(wanted).split()[2]}")


def _one_line(statement: str) -> str:
    return " ".join(statement.strip().rstrip(";").split())


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _connect(where: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        where, uri=where != MEMORY, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
        connection.execute("PRAGMA trusted_schema = OFF")
    except BaseException:
        connection.close()
        raise
    return connection


def _use_log(connection: sqlite3.Connection) -> None:
    """Use a write-ahead log, so that readers and the writer do not block each other.

    If the file system does not support it, or the file is in use at the moment, it works without one, too.
    """
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")


def _for_reading(file: str, path: Path) -> SqliteStore:
    """A file that will not be written.

    It is opened for writing, because only then SQLite removes its files next to it. Where these cannot be created, it
    is opened as immutable, which needs none. A log means an active or killed writer, so it must be read, too.
    """
    immutable = False
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        how = "mode=rw"
    else:
        immutable = not has_log(str(path))
        how = "mode=ro&immutable=1" if immutable else "mode=ro"
    with SqliteErrors(file):
        return _checked(f"{path.as_uri()}?{how}", file, OpenFile(file, str(path), immutable=immutable))


def _checked(where: str, file: str, opened: OpenFile) -> SqliteStore:
    connection = _connect(where)
    store = SqliteStore(connection, file, opened)
    try:
        with store.reading():
            if not _is_cluster_file(connection, file):
                raise missing(file)
        connection.execute("PRAGMA query_only = 1")
    except BaseException:
        store.close()
        raise
    return store
