"""Errors of a cluster's file, each in one sentence."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from ..errors import StoreError

PATIENCE = 60.0
"""Seconds that a writer waits for others."""

_OTHER = "use another file with --cluster or KUBEMERGE_CLUSTER"
_ANOTHER = "Use another file with --cluster or KUBEMERGE_CLUSTER"
_CHANGES_KEPT = "Reported changes are kept, and nothing else was changed"

SENTENCES = (
    ("disk is full", f"{{file}}: the disk is full. {_CHANGES_KEPT}. Free some space and try again"),
    ("readonly database", f"{{file}} cannot be written. Make it writable, or {_OTHER}"),
    (
        "is locked",
        f"{{file}}: another process has locked it for {PATIENCE:.0f} seconds. Wait until it finishes, and try again",
    ),
    ("locking protocol", f"{{file}} is on a file system without file locks. {_ANOTHER}"),
    ("too big", f"{{file}}: an object is too large to store. {_CHANGES_KEPT}. Split the object"),
    ("not a database", f"{{file}} is not a kubemerge database and was not changed. {_ANOTHER}"),
    ("unable to open", f"{{file}} cannot be opened. Check that its folder exists and is writable, or {_OTHER}"),
    ("disk I/O error", f"{{file}}: the disk failed, or is full. {_CHANGES_KEPT}. Check the disk and try again"),
)
"""Parts of SQLite's messages, each with our sentence. Any other message means a damaged file."""


def damaged(file: str, what: str) -> StoreError:
    """The error for a file with content that kubemerge never wrote."""
    return StoreError(
        file,
        f"{file} is damaged: {what}. Restore a copy, or move it away and create a new one with `kubemerge "
        "cluster import`",
    )


def altered(file: str, what: str) -> StoreError:
    """The error for a file with tables, triggers or views that kubemerge never creates."""
    return StoreError(
        file,
        f"{file} was altered by another program: kubemerge did not create its {what}. The file was not "
        f"changed. Restore a copy, or {_OTHER}",
    )


def not_ours(file: str) -> StoreError:
    """The error for a database of another program."""
    return StoreError(file, f"{file} is a database of another program and was not changed. {_ANOTHER}")


def no_database(file: str) -> StoreError:
    """The error for a file that is not ours."""
    return from_sqlite(file, sqlite3.DatabaseError("not a database"))


def unwritable(file: str) -> StoreError:
    """The error for a read-only file."""
    return from_sqlite(file, sqlite3.OperationalError("readonly database"))


def unopened(file: str) -> StoreError:
    """The error for a file that cannot be created."""
    return from_sqlite(file, sqlite3.OperationalError("unable to open"))


def newer(file: str, found: int, known: int) -> StoreError:
    """The error for a file that a later version of kubemerge wrote."""
    return StoreError(
        file,
        f"{file} was written by a newer kubemerge, in format {found} (supported: {known}), and was not "
        f"changed. Install that version, or {_OTHER}",
    )


def has_other_names(file: str) -> StoreError:
    """The error for a file with hard links."""
    return StoreError(
        file,
        f"{file} has another name (a hard link), so changes through it may be missed. Make a copy, or {_OTHER}",
    )


def is_mounted_alone(file: str) -> StoreError:
    """The error for a file that is mounted without its folder."""
    return StoreError(
        file,
        f"{file} is mounted without its folder, so changes from outside may be missed. Mount the folder, or {_OTHER}",
    )


def replaced(file: str) -> StoreError:
    """The error for a file that was replaced after it was opened."""
    return StoreError(
        file,
        f"{file} was moved, removed, replaced or changed by another program while it was open. The new "
        "file was not changed. Check its contents, and try again",
    )


def unknown_release(file: str, release: str) -> StoreError:
    """The error for a file of a release without tables."""
    return StoreError(
        file,
        f"{file} was created for Kubernetes {release}, which this kubemerge does not support. Install a "
        f"newer version, or {_OTHER}",
    )


def no_folder(file: str) -> StoreError:
    """The error for a file in a folder that does not exist."""
    folder = Path(os.path.realpath(file)).parent  # the folder of the target, if the file is a link
    shown = folder if Path(file).is_symlink() else Path(file).parent
    return StoreError(file, f"{file}: the folder {shown} does not exist. Create it, or {_OTHER}")


def missing(file: str) -> StoreError:
    """The error for reading a cluster that does not exist."""
    return StoreError(file, f"{file}: no such cluster. Create it with `kubemerge apply`, or {_OTHER}")


def from_sqlite(file: str, error: sqlite3.Error) -> StoreError:
    """Return the error for an SQLite message."""
    message = str(error)
    for part, sentence in SENTENCES:
        if part in message:
            return StoreError(file, sentence.format(file=file))
    return damaged(file, message.partition("\n")[0])


class SqliteErrors:
    """A block whose SQLite errors are converted. A class, because each request enters one."""

    __slots__ = ("_file",)

    def __init__(self, file: str) -> None:
        self._file = file

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, (sqlite3.Error, UnicodeError)):
            found = _converted(self._file, error)
            if found is not None:
                raise found from None


def _converted(file: str, error: sqlite3.Error | UnicodeError) -> StoreError | None:
    if isinstance(error, (sqlite3.ProgrammingError, sqlite3.InterfaceError)):  # the file is intact
        message = str(error).rstrip(".")
        return StoreError(file, f"{file}: {message}. It was closed, or a requested name is not text")
    if isinstance(error, sqlite3.Error):
        return from_sqlite(file, error)
    if isinstance(error, UnicodeEncodeError):
        wrong = error.object[error.start : error.end]
        return StoreError(file, f"{wrong!a} is not text that can be stored. Encode it as UTF-8")
    if isinstance(error, UnicodeDecodeError):  # of a message that quotes damaged content
        return damaged(file, "its text is invalid")
    return None
