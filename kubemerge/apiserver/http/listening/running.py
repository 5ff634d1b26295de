"""The application on a socket: with uvicorn, in the foreground or in a thread of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from codegen.files import scratch_folder

from ..asgi import Application
from ..authentication import Access
from .errors import CannotServe
from .kubeconfig import kubeconfig, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    import uvicorn

    from ...cluster import EmbeddedCluster

LOOPBACK = "127.0.0.1"
GRACE = 1
"""Seconds that requests have to end when the server is stopped; watches do not end by themselves."""
WAITS = 10.0
"""Seconds after which a server in a thread counts as one that does not start."""
MISSING = "uvicorn is required to serve a cluster. Run `pip install 'kubemerge[serve]'`"


@dataclass(frozen=True)
class Place:
    """Where a server listens, and how it can be talked to."""

    host: str = LOOPBACK
    port: int = 0
    """0 for any that is free."""
    certificate: str | None = None
    key: str | None = None
    """Files in PEM; without them it is plain HTTP."""
    authority: bytes = b""
    """The certificate, in PEM, by which clients know the server."""

    @property
    def scheme(self) -> str:
        """The scheme of its address."""
        return "https" if self.certificate else "http"


def _listening(place: Place) -> socket.socket:
    """A socket that listens there; CannotServe if it is taken."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    # Said to be of TCP, so that asyncio sends what is written at once: an answer would else wait 40 ms for its body.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((place.host, place.port))
        made.listen(1024)
    except (OSError, OverflowError) as error:
        made.close()
        why = getattr(error, "strerror", None) or str(error)
        raise CannotServe(f"cannot listen on {place.host}, port {place.port} ({why}). Use another --port") from None
    return made


def _address_of(made: socket.socket, place: Place) -> str:
    """The URL of a server that listens on this socket."""
    host, port = made.getsockname()[:2]
    return f"{place.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _require_uvicorn() -> None:
    try:
        import_module("uvicorn")
    except ImportError:
        raise CannotServe(MISSING) from None


def _server_of(application: Application, place: Place) -> uvicorn.Server:
    """The server of an application; CannotServe if uvicorn is not there."""
    _require_uvicorn()
    import uvicorn

    from .connections import Connection

    config = uvicorn.Config(
        application,
        http=Connection,
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        backlog=1024,
        timeout_keep_alive=75,
        ssl_certfile=place.certificate,
        ssl_keyfile=place.key,
        ws="none",
    )

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            application.feed.end_watches()  # which would be cut off else, with a trace of each
            await super().shutdown(sockets)

    return Server(config)


class Serving:
    """A cluster on a socket. The socket listens from the start, so nobody is turned away before `run`."""

    def __init__(self, cluster: EmbeddedCluster, *, token: str | None = None, place: Place | None = None) -> None:
        self.cluster = cluster
        self._place = place or Place()
        self.application = Application(cluster, Access(cluster, token, self._place.host))
        self._server = _server_of(self.application, self._place)
        self._socket = _listening(self._place)
        self.url = _address_of(self._socket, self._place)
        """The address of the server."""
        self._token = token
        self.kubeconfig: Path | None = None
        """The kubeconfig for it, once it is written."""
        self.faults = self.application.faults
        """What is to go wrong, for tests of clients."""

    def write_kubeconfig(self, file: Path) -> None:
        """Write a kubeconfig by which clients find the server."""
        write(file, kubeconfig(self.url, self._place.authority, self._token))
        self.kubeconfig = file

    def run(self) -> None:
        """Answer requests until a signal ends it."""
        try:
            asyncio.run(self._server.serve(sockets=[self._socket]))
        finally:
            self._socket.close()

    def stop(self) -> None:
        """End it, from another thread."""
        self._server.should_exit = True

    @property
    def is_ready(self) -> bool:
        """Whether requests are answered."""
        return bool(self._server.started)


@contextmanager
def served(cluster: EmbeddedCluster, *, token: str | None = None, place: Place | None = None) -> Iterator[Serving]:
    """A cluster that is served by a thread, for the time of a `with` block."""
    serving = Serving(cluster, token=token, place=place)
    thread = threading.Thread(target=serving.run, name="kubemerge serve", daemon=True)
    thread.start()
    try:
        ends = time.monotonic() + WAITS
        while not serving.is_ready:
            if not thread.is_alive() or time.monotonic() > ends:
                raise CannotServe(f"the server of {cluster.file} does not start")
            time.sleep(0.002)
        yield serving
    finally:
        serving.stop()
        thread.join(WAITS)


@contextmanager
def placed(host: str, port: int, certificate: str | None, key: str | None, *, tls: bool) -> Iterator[Place]:
    """The place of a server; a certificate that has to be made is in a folder that is gone afterwards.

    CannotServe if there is nothing to serve with, before anything has been made.
    """
    _require_uvicorn()
    if certificate and key:
        try:
            authority = Path(certificate).read_bytes()
        except OSError as error:
            raise CannotServe(f"{certificate} cannot be read ({error.strerror}). Pass a PEM certificate") from None
        yield Place(host, port, certificate, key, authority)
    elif tls:
        from .certificates import made_for

        made, private = made_for(host)
        with scratch_folder("kubemerge-") as folder:
            files = [folder / name for name in ("tls.crt", "tls.key")]
            for file, content in zip(files, (made, private), strict=True):
                file.write_bytes(content)
            yield Place(host, port, str(files[0]), str(files[1]), made)
    else:
        yield Place(host, port)


def token_in(file: str) -> str:
    """The token in a file."""
    try:
        found = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not text"
        raise CannotServe(f"{file} cannot be read ({why}). Pass a file with a token on one line") from None
    if not found or not found.isprintable() or " " in found:
        raise CannotServe(f"{file} does not contain a token. Pass a file with a token on one line")
    return found
