"""Cache of lint reports by file content: a database in the user's private cache folder.

The key of an entry is a hash of the content, the file name, the release, and everything else that affects the report.
A report that depends on definitions in other files is used only if those are the same.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

MOST = 200_000
"""Number of entries that are kept. Beyond that, the oldest entries are removed."""


def key_of(context: bytes, source: str, data: bytes) -> bytes:
    """The key of an entry."""
    found = blake2b(context, digest_size=16)
    found.update(os.fsencode(source) + b"\0")
    found.update(data)
    return found.digest()


class Cache:
    """The entries of a cache file; without a private folder, nothing is cached."""

    def __init__(self, file: str | None) -> None:
        self._file = file

    def read(self, keys: Sequence[bytes]) -> dict[bytes, tuple[bytes, str]]:
        """The entries that exist: the definitions that each depends on, if any, and the report."""
        import sqlite3

        if self._file is None or not os.path.exists(self._file):  # noqa: PTH110
            return {}
        found: dict[bytes, tuple[bytes, str]] = {}
        with suppress(sqlite3.Error):
            opened = self._open()
            try:
                for at in range(0, len(keys), 500):
                    part = keys[at : at + 500]
                    marks = ",".join("?" * len(part))
                    rows = opened.execute(f"SELECT key, definitions, report FROM files WHERE key IN ({marks})", part)  # noqa: S608
                    found.update((key, (definitions, report)) for key, definitions, report in rows)
            finally:
                opened.close()
        return found

    def write(self, entries: Iterable[tuple[bytes, bytes, str]]) -> None:
        """Store entries: key, definitions, report. A cache that cannot be written is no reason to fail."""
        import sqlite3

        if self._file is None:
            return
        with suppress(sqlite3.Error, OSError):
            if not os.path.exists(self._file):  # noqa: PTH110
                os.close(os.open(self._file, os.O_CREAT | os.O_WRONLY, 0o600))
            opened = self._open()
            try:
                with opened:
                    opened.execute(
                        "CREATE TABLE IF NOT EXISTS files (key BLOB PRIMARY KEY, definitions BLOB, report TEXT)"
                    )
                    opened.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", entries)
                    opened.execute("DELETE FROM files WHERE rowid <= (SELECT max(rowid) FROM files) - ?", (MOST,))
            finally:
                opened.close()

    def _open(self) -> sqlite3.Connection:
        import sqlite3

        return sqlite3.connect(str(self._file), timeout=2)
