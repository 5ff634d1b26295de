"""Uvicorn's server, ended at once: uvicorn takes 0.2 s to notice, which a test suite pays for each server."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn

from .connections import Connection

if TYPE_CHECKING:
    import socket

    from ..asgi import Application

GRACE = 1
"""Seconds for requests to end when the server is stopped. Watches do not end by themselves."""
TICK = 0.1
"""Seconds between the regular work of uvicorn: the date in responses, and the signals."""
PAUSE = 0.002
"""Seconds between looks at connections that have to close."""


class Server(uvicorn.Server):
    """The server of an application, on uvicorn; with a certificate and key, by HTTPS."""

    def __init__(self, application: Application, certificate: str | None, key: str | None) -> None:
        config = uvicorn.Config(
            application,
            http=Connection,
            lifespan="off",
            log_level="error",
            proxy_headers=False,
            access_log=False,
            server_header=False,
            backlog=1024,
            timeout_keep_alive=75,
            ssl_certfile=certificate,
            ssl_keyfile=key,
            ws="none",
        )
        super().__init__(config)
        self._application = application
        self._loop: asyncio.AbstractEventLoop | None = None
        self._woken = asyncio.Event()

    def stop(self) -> None:
        """Stop, from any thread."""
        self.should_exit = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._woken.set)

    async def main_loop(self) -> None:
        """Work until the server has to stop."""
        self._loop = asyncio.get_running_loop()
        ticks = 0
        while not await self.on_tick(ticks):
            ticks += 1
            timer = self._loop.call_later(TICK, self._woken.set)
            await self._woken.wait()
            self._woken.clear()
            timer.cancel()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all connections, and wait for running requests, but not for long."""
        self._application.feed.end_watches()  # or they would be aborted, each with a traceback
        for one in (*self.servers, *(sockets or ())):
            one.close()
        state = self.server_state
        for connection in list(state.connections):
            connection.shutdown()
        ends = time.monotonic() + GRACE
        while (state.connections or state.tasks) and not self.force_exit and time.monotonic() < ends:
            await asyncio.sleep(PAUSE)
        if state.tasks:
            logging.getLogger("uvicorn.error").error("Requests that do not end are cancelled: %s", len(state.tasks))
        for task in state.tasks:
            task.cancel()
