"""The application on a socket: with uvicorn, in the foreground or in a thread."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen.files import scratch_folder

from ...authorization.permissions import UsedPermissions
from ...eras import minor_of
from ...identity import Reference
from ..asgi import Application
from ..authentication import Authenticator
from ..line_log import LineLog
from ..tokens import ISSUER, issue_token
from .errors import CannotServe
from .kubeconfig import kubeconfig, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ...cluster import EmbeddedCluster
    from ...write_log import Write
    from ..audit.log import AuditLog
    from .server import Server

LOOPBACK = "127.0.0.1"
WAITS = 10.0
"""Seconds for a server in a thread to start."""
ACCOUNT_TOKEN_LASTS = 24 * 3600
"""Seconds until the token in a kubeconfig of a ServiceAccount expires."""
MISSING = "uvicorn is required to serve a cluster. Run `pip install 'kubemerge[serve]'`"


@dataclass(frozen=True)
class ListenAddress:
    """The address and certificate of a server."""

    host: str = LOOPBACK
    port: int = 0
    """0 for any free port."""
    certificate: str | None = None
    key: str | None = None
    """Files in PEM. Without them, the server uses plain HTTP."""
    authority: bytes = b""
    """The certificate that clients trust, in PEM."""

    @property
    def scheme(self) -> str:
        """The scheme of its URL."""
        return "https" if self.certificate else "http"


def _listening(place: ListenAddress) -> socket.socket:
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    # Declared as TCP, so that asyncio sends data at once. Otherwise a response would wait 40 ms for its body.
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


def _address_of(made: socket.socket, place: ListenAddress) -> str:
    host, port = made.getsockname()[:2]
    return f"{place.scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _require_uvicorn() -> None:
    try:
        import_module("uvicorn")
    except ImportError:
        raise CannotServe(MISSING) from None


def _server_of(application: Application, place: ListenAddress) -> Server:
    _require_uvicorn()
    from .server import Server

    return Server(application, place.certificate, place.key)


def open_audit_log(file: str | Path, policy: str | Path | Mapping[str, Any] | None = None) -> AuditLog:
    """Open an audit log. The policy is an object or its file."""
    from ..audit.log import AuditLog  # most servers write none
    from ..audit.policy import AuditPolicy

    made = AuditPolicy.read(policy) if isinstance(policy, (str, Path)) else policy and AuditPolicy.of(policy)
    return AuditLog(str(file), made or None)


class Serving:
    """A cluster on a socket. The socket listens from the start, so that no client is rejected before `run`."""

    def __init__(
        self,
        cluster: EmbeddedCluster,
        *,
        token: str | None = None,
        place: ListenAddress | None = None,
        services: Mapping[str, str] | None = None,
        audit: AuditLog | None = None,
        record: str | None = None,
    ) -> None:
        self.cluster = cluster
        cluster.run_post_start_hooks()
        self._writes: list[Write] = []
        if record:
            self.record_writes(record)
        self._place = place or ListenAddress()
        access = Authenticator(cluster, token, self._place.host)
        self.application = Application(cluster, access, services)
        self.application.audit = audit
        self._server = _server_of(self.application, self._place)
        self._socket = _listening(self._place)
        self.url = _address_of(self._socket, self._place)
        """The URL of the server."""
        self._token = token
        self.kubeconfig: Path | None = None
        """Its kubeconfig, once it is written."""
        self.faults = self.application.faults
        """Injected faults, for tests of clients."""

    def __call__(
        self,
        *,
        authorization: str | None = None,
        audit_log: str | Path | None = None,
        audit_policy: str | Path | Mapping[str, Any] | None = None,
        services: Mapping[str, str] | None = None,
        static_manifests: Sequence[str | Path] | None = None,
    ) -> Serving:
        """Change settings, and return this server.

        `authorization` is the authorization mode, `always-allow` or `rbac`. `audit_log` is the file of the audit log.
        `services` are the URLs of Services that webhooks name, such as `{"default/hooks": "https://127.0.0.1:9443"}`.
        `static_manifests` are folders with policies and webhooks, as in `staticManifestsDir` of kube-apiserver. Without
        an argument, a setting is kept.
        """
        if authorization is not None:
            self.cluster.use_authorization(authorization)
        if audit_log is not None:
            self.write_audit_log(audit_log, audit_policy)
        if services is not None:
            from ...webhooks.endpoints import checked_services  # most servers have no webhooks

            self.cluster.webhook_services = checked_services(services)
        if static_manifests is not None:
            self.cluster.use_static_manifests([str(one) for one in static_manifests])
        return self

    def write_audit_log(self, file: str | Path | None, policy: str | Path | Mapping[str, Any] | None = None) -> None:
        """Write an audit log from now on, or with None, no longer. The policy is an object or its file."""
        if self.application.audit is not None:
            self.application.audit.close()
            self.application.audit = None
        if file is not None:
            self.application.audit = open_audit_log(file, policy)

    def write_kubeconfig(self, file: Path) -> None:
        """Write a kubeconfig for the server. Its user is an administrator."""
        write(file, kubeconfig(self.url, self._place.authority, self._token))
        self.kubeconfig = file

    def write_account_kubeconfig(self, file: Path, account: str) -> Path:
        """Write a kubeconfig with a token of an existing ServiceAccount, such as `default/operator`."""
        namespace, _, name = account.rpartition("/")
        found = self.cluster.get(Reference("v1", "ServiceAccount", name, namespace or None))
        spec = {"expirationSeconds": ACCOUNT_TOKEN_LASTS, "audiences": [ISSUER]}
        token = issue_token(self.cluster, found, None, spec)
        write(file, kubeconfig(self.url, self._place.authority, token))
        return file

    def record_permissions(self) -> None:
        """Record the permissions that requests use, for `permissions`."""
        if self.application.access.used is None:
            self.application.access.used = UsedPermissions(minor_of(self.cluster.release))

    def permissions(
        self, user: str | None = None, *, manager: str | None = None, names: bool = False
    ) -> list[dict[str, Any]]:
        """Return the permissions that requests used, as a ClusterRole and Roles for each user, with the fewest rules.

        `user` and `manager` select requests. A manager is a field manager, or the program in the User-Agent. `names`
        limits rules to the names of the objects. Denied requests count, too. Permissions that every user has are left
        out.
        """
        used = self.application.access.used
        return [] if used is None else used.roles(user, manager, names=names)

    def record_writes(self, file: str | None = None) -> None:
        """Record the writes of clients from now on, for `writes`, or in a file: one JSON object a line."""
        if file is None:
            self.cluster.on_write = self._writes.append
            return
        log = LineLog(file, "the record of writes", "--record")
        self.cluster.on_write = lambda one: log.write(json.dumps(one._asdict(), ensure_ascii=False))

    def writes(self, manager: str | None = None) -> list[Write]:
        """Return the writes of clients that changed an object, in order: of one field manager, or of all."""
        return [one for one in self._writes if manager in (None, one.manager)]

    def run(self) -> None:
        """Serve requests until a signal arrives."""
        try:
            asyncio.run(self._server.serve(sockets=[self._socket]))
        finally:
            self._socket.close()

    def stop(self) -> None:
        """Stop the server from another thread."""
        self._server.stop()

    @property
    def is_ready(self) -> bool:
        """Whether requests are served."""
        return bool(self._server.started)


@contextmanager
def served(
    cluster: EmbeddedCluster,
    *,
    token: str | None = None,
    place: ListenAddress | None = None,
    services: Mapping[str, str] | None = None,
) -> Iterator[Serving]:
    """Serve a cluster in a thread for the time of a `with` block."""
    serving = Serving(cluster, token=token, place=place, services=services)
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
def listen_address(
    host: str, port: int, certificate: str | None, key: str | None, *, tls: bool
) -> Iterator[ListenAddress]:
    """Yield the place of a server. A generated certificate is in a folder that is deleted afterwards.

    Raise CannotServe if a required package is missing, before anything is created.
    """
    _require_uvicorn()
    if certificate and key:
        try:
            authority = Path(certificate).read_bytes()
        except OSError as error:
            raise CannotServe(f"{certificate} cannot be read ({error.strerror}). Pass a PEM certificate") from None
        yield ListenAddress(host, port, certificate, key, authority)
    elif tls:
        from .certificates import self_signed

        made, private = self_signed(host)
        with scratch_folder("kubemerge-") as folder:
            files = [folder / name for name in ("tls.crt", "tls.key")]
            for file, content in zip(files, (made, private), strict=True):
                file.write_bytes(content)
            yield ListenAddress(host, port, str(files[0]), str(files[1]), made)
    else:
        yield ListenAddress(host, port)


def token_in(file: str) -> str:
    """Return the token in a file."""
    try:
        found = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not text"
        raise CannotServe(f"{file} cannot be read ({why}). Pass a file with a token on one line") from None
    if not found or not found.isprintable() or " " in found:
        raise CannotServe(f"{file} does not contain a token. Pass a file with a token on one line")
    return found
