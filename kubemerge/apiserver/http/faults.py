"""Fault injection: responses that fail, come late, or never, and watches that end."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from .statuses import RequestError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .messages import Request

REASONS = {
    400: ("BadRequest", "the request is refused on purpose"),
    401: ("Unauthorized", "Unauthorized"),
    403: ("Forbidden", "the request is forbidden on purpose"),
    404: ("NotFound", "the server could not find the requested resource"),
    409: ("Conflict", "the object has been modified; please apply your changes to the latest version and try again"),
    410: ("Expired", "too old resource version"),
    422: ("Invalid", "the object is invalid on purpose"),
    429: ("TooManyRequests", "the server has received too many requests and has asked us to try again later"),
    500: ("InternalError", "Internal error occurred: on purpose"),
    503: ("ServiceUnavailable", "the server is currently unable to handle the request"),
    504: ("Timeout", "the server was unable to return a response in the time allotted"),
}
"""The server's message for each HTTP status."""
LOOKS_EVERY = 0.005


@dataclass
class Fault:
    """One fault, for requests whose method and path match. Both may contain `*`."""

    method: str = "*"
    path: str = "*"
    times: int | None = 1
    """The number of requests to affect. None for all."""
    status: int | None = None
    """The status of the response. None for the usual response."""
    retry_after: int | None = None
    seconds: float = 0.0
    """The delay of the response."""
    afterwards: bool = False
    """Whether the request is processed and only its response is lost."""
    held: threading.Event | None = None
    """An event that holds the response back."""
    met: list[str] = field(default_factory=list)
    """The number of requests affected so far."""

    def fits(self, request: Request) -> bool:
        """Whether the fault applies to this request."""
        open_ = self.times is None or len(self.met) < self.times
        return open_ and fnmatchcase(request.method, self.method) and fnmatchcase(request.path, self.path)

    @property
    def problem(self) -> RequestError | None:
        """Return the error to send instead of the response."""
        if self.status is None:
            return None
        reason, message = REASONS.get(self.status, ("", f"the server answers {self.status} on purpose"))
        details = {} if self.retry_after is None else {"retryAfterSeconds": self.retry_after}
        return RequestError(self.status, reason, message, **details)

    async def wait(self) -> None:
        """Wait for the delay of the response."""
        if self.seconds:
            await asyncio.sleep(self.seconds)
        while self.held is not None and not self.held.is_set():
            await asyncio.sleep(LOOKS_EVERY)

    def release(self) -> None:
        """Release a held response."""
        if self.held is not None:
            self.held.set()


class Faults:
    """The faults of one server. Any thread may add them while requests are handled."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._lock = threading.Lock()
        self.on_end: Callable[[], None] = lambda: None
        """Ends open watches. The server sets it."""

    def fail(
        self,
        status: int,
        *,
        method: str = "*",
        path: str = "*",
        times: int | None = 1,
        retry_after: int | None = None,
        afterwards: bool = False,
    ) -> Fault:
        """Fail requests with this status: 409, 429, 500 and the like."""
        return self._add(Fault(method, path, times, status, retry_after, afterwards=afterwards))

    def delay(self, seconds: float, *, method: str = "*", path: str = "*", times: int | None = 1) -> Fault:
        """Delay responses."""
        return self._add(Fault(method, path, times, seconds=seconds))

    def hold(self, *, method: str = "*", path: str = "*", times: int | None = 1) -> Fault:
        """Hold responses until the returned fault is released, so that they arrive in another order than
        the requests.
        """
        return self._add(Fault(method, path, times, held=threading.Event()))

    def end_watches(self) -> None:
        """End all open watches, as a restart of a server does."""
        self.on_end()

    def clear(self) -> None:
        """Remove all faults, and release held responses."""
        with self._lock:
            faults, self._faults = self._faults, []
        for one in faults:
            one.release()

    def _add(self, fault: Fault) -> Fault:
        with self._lock:
            self._faults.append(fault)
        return fault

    def for_(self, request: Request) -> Fault | None:
        """Return the fault for this request, and count it."""
        if not self._faults:
            return None
        with self._lock:
            found = next((one for one in self._faults if one.fits(request)), None)
            if found is not None:
                found.met.append(f"{request.method} {request.path}")
            return found
