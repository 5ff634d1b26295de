"""Reading responses within limits of size and time, whatever the server sends."""

from __future__ import annotations

import io
import time
from http.client import HTTPResponse
from typing import TYPE_CHECKING, Any

from ...apiserver.errors import ConnectError
from . import limits

if TYPE_CHECKING:
    import socket


class Meter:
    """Counts the bytes of one part of a response, and the time since its first one."""

    def __init__(self, most: int, what: str) -> None:
        self.restart(most, what)

    def restart(self, most: int, what: str) -> None:
        """Start the next part, with a limit in bytes."""
        self._most, self._what = most, what
        self._count = 0
        self._begun: float | None = None

    def count(self, size: int) -> None:
        """Count more bytes. Raise ConnectError if there are too many, or if they come too slowly."""
        now = time.monotonic()
        self._begun = self._begun or now
        self._count += size
        if self._count > self._most:
            raise too_large(self._what, self._most)
        if now - self._begun > limits.GRACE + self._count / limits.SLOWEST:
            raise ConnectError(
                f"the server sends {self._what} too slowly: {self._count} bytes in {now - self._begun:.0f} s"
            )


class BoundedResponse(HTTPResponse):
    """A response whose head, with all interim responses before it, and body are bounded."""

    def __init__(self, sock: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.meter = Meter(limits.HEAD, "response headers")
        self.fp: Any = io.BufferedReader(_Metered(self.fp.detach(), self.meter))

    def begin(self) -> None:
        """Read the head."""
        super().begin()
        self.meter.restart(limits.LARGEST, "a response")


class _Metered(io.RawIOBase):
    """A stream whose bytes are counted."""

    def __init__(self, stream: Any, meter: Meter) -> None:
        super().__init__()
        self._stream, self._meter = stream, meter

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        found: int | None = self._stream.readinto(buffer)
        self._meter.count(found or 0)
        return found

    def fileno(self) -> int:
        return int(self._stream.fileno())

    def close(self) -> None:
        self._stream.close()
        super().close()


def too_large(what: str, most: int) -> ConnectError:
    """Return the error for a part of a response that is too large."""
    return ConnectError(f"the server sent {what} of more than {most // limits.MIB} MiB")
