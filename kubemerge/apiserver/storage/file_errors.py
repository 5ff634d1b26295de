"""Errors of a cluster's file, each in one sentence."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 60.0
"""Seconds that a writer waits for others."""

_OTHER = "give another file with --cluster or KUBEMERGE_CLUSTER"
_AS_TOLD = "what was reported as done is kept, and nothing else was changed"

SENTENCES = (
    ("disk is full", f"{{file}}: the disk is full; {_AS_TOLD}; make room and try again"),
    ("readonly database", f"{{file}} cannot be written; give it write permission, or {_OTHER}"),
    (
        "is locked",
        f"{{file}}: another process has kept it for {PATIENCE:.0f} seconds; wait until it is done, and try again",
    ),
    ("locking protocol", f"{{file}} is on a file system that cannot lock files; {_OTHER}"),
    ("too big", f"{{file}}: an object is too large to be kept; {_AS_TOLD}; split it"),
    ("not a database", f"{{file}} is not a database of kubemerge, and stays as it is; {_OTHER}"),
    ("unable to open", f"{{file}} cannot be opened; check that its folder exists and can be written, or {_OTHER}"),
    ("disk I/O error", f"{{file}}: the disk failed, or is full; {_AS_TOLD}; check the disk and try again"),
)
"""Parts of SQLite's messages, each with our sentence. Any other message means a damaged file."""


def damaged(file: str, what: str) -> StoreError:
    """The error for a file with content that kubemerge never wrote."""
    return StoreError(
        file,
        f"{file} is damaged: {what}; restore a copy, or move it away and create a new one "
        "with `kubemerge cluster import`",
    )


def altered(file: str, what: str) -> StoreError:
    """The error for a file with tables, triggers or views that kubemerge never creates."""
    return StoreError(
        file,
        f"{file} was altered by another program: kubemerge did not create its {what}; the file is unchanged; "
        f"restore a copy, or {_OTHER}",
    )


def not_ours(file: str) -> StoreError:
    """The error for a database of another program."""
    return StoreError(file, f"{file} is a database of another program, and stays as it is; {_OTHER}")


def no_database(file: str) -> StoreError:
    """The error for a file that is not ours."""
    return of(file, sqlite3.DatabaseError("not a database"))


def unwritable(file: str) -> StoreError:
    """The error for a read-only file."""
    return of(file, sqlite3.OperationalError("readonly database"))


def unopened(file: str) -> StoreError:
    """The error for a file that cannot be created."""
    return of(file, sqlite3.OperationalError("unable to open"))


def newer(file: str, found: int, known: int) -> StoreError:
    """The error for a file that a later version of kubemerge wrote."""
    return StoreError(
        file,
        f"{file} was written by a newer kubemerge, in format {found} where this one knows {known}, and stays as it is; "
        f"install that version, or {_OTHER}",
    )


def has_other_names(file: str) -> StoreError:
    """The error for a file with hard links."""
    return StoreError(
        file,
        f"{file} has another name (a hard link), and changes made under that one may not be seen here; "
        f"make a copy of it, or {_OTHER}",
    )


def is_mounted_alone(file: str) -> StoreError:
    """The error for a file that is mounted without its folder."""
    return StoreError(
        file,
        f"{file} is mounted without its folder, and changes made where it comes from may not be seen here; "
        f"mount the folder, or {_OTHER}",
    )


def replaced(file: str) -> StoreError:
    """The error for a file that was replaced after it was opened."""
    return StoreError(
        file,
        f"{file} was moved, removed, replaced or changed by others while it was open; what is there now stays as it "
        "is; look what it holds, and try again",
    )


def unknown_release(file: str, release: str) -> StoreError:
    """The error for a file of a release without tables."""
    return StoreError(
        file,
        f"{file} was made for Kubernetes {release}, of which this kubemerge has no tables; install a newer one, "
        f"or {_OTHER}",
    )


def no_folder(file: str) -> StoreError:
    """The error for a file in a folder that does not exist."""
    folder = Path(os.path.realpath(file)).parent  # the folder of the target, if the file is a link
    shown = folder if Path(file).is_symlink() else Path(file).parent
    return StoreError(file, f"{file}: there is no folder {shown}; make it, or {_OTHER}")


def missing(file: str) -> StoreError:
    """The error for reading a cluster that does not exist."""
    return StoreError(file, f"{file}: there is no such cluster; `kubemerge apply` creates it, or {_OTHER}")


def of(file: str, error: sqlite3.Error) -> StoreError:
    """Return the error for an SQLite message."""
    message = str(error)
    for part, sentence in SENTENCES:
        if part in message:
            return StoreError(file, sentence.format(file=file))
    return damaged(file, message.partition("\n")[0])


@contextmanager
def telling(file: str) -> Iterator[None]:
    """Convert SQLite errors inside the block."""
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError) as error:  # the file is intact
        message = str(error).rstrip(".")
        raise StoreError(file, f"{file}: {message}; it was closed, or asked for a name that is not text") from None
    except sqlite3.Error as error:
        raise of(file, error) from None
    except UnicodeEncodeError as error:
        wrong = error.object[error.start : error.end]
        raise StoreError(file, f"{wrong!a} is not text that can be stored; write it in UTF-8") from None
    except UnicodeDecodeError:  # of a message that quotes damaged content
        raise damaged(file, "its text is not valid") from None
