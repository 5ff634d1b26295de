"""Work in daemon threads, which do not delay the end of the program."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def in_thread(work: Callable[[], None]) -> asyncio.Future[None]:
    """Start work that waits for other programs in a new thread, and return its end."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[None] = loop.create_future()

    def end(error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)

    def run() -> None:
        failed: BaseException | None = None
        try:
            work()
        except BaseException as error:  # the waiting request reports it
            failed = error
        with suppress(RuntimeError):  # the server stopped
            loop.call_soon_threadsafe(end, failed)

    threading.Thread(target=run, name="kubemerge-webhook", daemon=True).start()
    return done
