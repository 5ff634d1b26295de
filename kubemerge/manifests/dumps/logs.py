"""The output of `kubectl cluster-info dump` without the logs between its lists.

A log may imitate the line that ends it, so the objects after it are only as trustworthy as the log. A dump with
`--output-directory` has the logs in separate files.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

START, END = b"==== START logs for container ", b"==== END logs for container "
_LONGEST = 2048
"""The maximum length of a line that starts a log."""


def without_logs(data: bytes) -> bytes:
    """The data with an empty line for each line of a log, so that all other lines keep their numbers."""
    if START not in data:
        return data
    found, at = [], 0
    while (start := _start(data, at)) >= 0:
        found.append(data[at:start])
        line = data.find(b"\n", start) + 1
        if not line:
            return b"".join(found)
        end = END + data[start + len(START) : line]
        after = data.find(end, line)
        at = after + len(end) if after >= 0 else len(data)
        found.append(b"\n" * data.count(b"\n", start, at))
    return b"".join([*found, data[at:]])


def _start(data: bytes, at: int) -> int:
    """The next line that starts a log; -1 without one."""
    while (found := data.find(START, at)) > 0 and data[found - 1 : found] != b"\n":
        at = found + 1
    return found


class WithoutLogs:
    """A stream without logs, with a small part in memory at once."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._held, self._end = stream, b"", b""
        self._begins, self._over = True, False

    def read(self, size: int) -> bytes:
        """The next bytes; empty at the end."""
        while not self._over:
            chunk = self._stream.read(size)
            self._over = not chunk
            self._held += chunk
            found = self._taken()
            if found:
                return found
        return b""

    def _taken(self) -> bytes:
        """The bytes that belong to no log. A possible beginning of a marker is held until the next read."""
        parts = []
        while True:
            part, more = self._log() if self._end else self._text()
            parts.append(part)
            if not more:
                return b"".join(parts)

    def _log(self) -> tuple[bytes, bool]:
        after = self._held.find(self._end)
        if after < 0:
            cut = max(0, len(self._held) - len(self._end) + 1)
            gone, self._held = self._held[:cut], self._held[cut:]
            return b"\n" * gone.count(b"\n"), False
        after += len(self._end)
        gone, self._held, self._end = self._held[:after], self._held[after:], b""
        self._begins = True
        return b"\n" * gone.count(b"\n"), True

    def _text(self) -> tuple[bytes, bool]:
        text = b"\n" + self._held if self._begins else self._held
        shift = len(text) - len(self._held)
        found = text.find(b"\n" + START)
        if found < 0:
            keep = 0 if self._over else min(len(START) + 1, len(self._held))
            return self._emitted(len(self._held) - keep), False
        start = found + 1 - shift
        line = self._held.find(b"\n", start)
        if line < 0:
            if self._over or len(self._held) - start > _LONGEST:
                return self._emitted(len(self._held)), False
            return self._emitted(max(0, start - 1)), False
        part = self._emitted(start)
        line += 1 - start
        self._end = END + self._held[len(START) : line]
        return part, True

    def _emitted(self, count: int) -> bytes:
        part, self._held = self._held[:count], self._held[count:]
        if part:
            self._begins = part.endswith(b"\n")
        return part
