"""Calls of webhooks in one request to the server.

A transaction locks the store, so no webhook is called inside one. A request that needs a response it does not have yet
is rolled back. The webhooks are called in other threads without a lock, so that they can use the server themselves.
Then the request is handled again, with the responses. If the cluster changed in the meantime so that a review differs,
the webhook is called again, as by a server after a conflict.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from ..crd.deadlines import Unfinished
from ..errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..crd.deadlines import RequestDeadline

MOST_ATTEMPTS = 200
"""Calls of one webhook for the same object with different reviews, because the cluster changed in the meantime. A
server has no limit but the time of the request.
"""


class CallError(Exception):
    """A webhook that cannot be called, or an invalid response. The message is that of a server."""


class Call(NamedTuple):
    """One call of a webhook."""

    key: str
    """The webhook and its request. Equal calls have the same response."""
    webhook: str
    """The webhook and the name of the object."""
    make: Callable[[float], Any]
    """Calls the webhook within some seconds, and returns the result. Raises CallError."""
    resource: str = ""
    name: str = ""
    """The resource and the name of the object in an error."""


def results(request: RequestDeadline, calls: Sequence[Call]) -> list[Any]:
    """Return the result of each call, or the CallError. Raise Unfinished if some calls were not made yet."""
    missing = [one for one in calls if one.key not in request.outcomes]
    if missing:
        for one in missing:
            _count(request, one)
        raise Unfinished(lambda: _make_all(request, missing), waits=True)
    return [request.outcomes[one.key] for one in calls]


def _count(request: RequestDeadline, call: Call) -> None:
    counts = request.kept.setdefault("calls", {})
    counts[call.webhook] = counts.get(call.webhook, 0) + 1
    if counts[call.webhook] > MOST_ATTEMPTS:
        raise Conflict(call.resource, call.name)


def _make_all(request: RequestDeadline, calls: Sequence[Call]) -> None:
    """Make all calls at the same time, as a server does."""

    def make(one: Call) -> None:
        try:
            request.outcomes[one.key] = one.make(request.left())
        except CallError as error:
            request.outcomes[one.key] = error
        except Exception as error:  # a thread must not end without a result
            request.outcomes[one.key] = CallError(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=make, args=(one,), daemon=True) for one in calls[1:]]
    for thread in threads:
        thread.start()
    make(calls[0])
    for thread in threads:
        thread.join()
