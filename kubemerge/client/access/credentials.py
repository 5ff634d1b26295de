"""Credentials: request headers and client certificates, renewed when they expire."""

from __future__ import annotations

import base64
import threading
import time
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from ...apiserver.errors import ConnectError
from ...apiserver.unchecked import as_list, as_map
from .errors import BadKubeconfig
from .plugins import ExecCredential, run_plugin

if TYPE_CHECKING:
    from .kubeconfig import Access

FRESH = 60.0
"""Seconds for which a token file is cached, as in kubectl."""


class ClientCertificate(NamedTuple):
    """A client certificate with its key, in PEM."""

    certificate: bytes
    key: bytes

    def __repr__(self) -> str:
        return "<Pair>"  # a traceback may print it


class Credentials:
    """The credentials of the user of one context. Thread-safe."""

    def __init__(self, access: Access) -> None:
        self._access, self._user = access, access.user
        self._lock = threading.Lock()
        self._given: ExecCredential | None = None
        self._file: tuple[float, str] | None = None
        if self._user.get("auth-provider") and not self._user.get("exec"):
            raise BadKubeconfig(
                access.place, f"the user {access.user_name!r} has an auth-provider. Use an exec plugin instead"
            )
        if self._user.get("token") and self._user.get("username"):
            raise BadKubeconfig(
                access.place, f"the user {access.user_name!r} has a token and a password. Keep only one"
            )

    def __repr__(self) -> str:
        return "<Credentials>"

    def headers(self) -> list[tuple[str, str]]:
        """Return the authentication headers. A name may repeat."""
        with self._lock:
            said = [("Authorization", value) for value in self._authorization()]
        found = [*said, *self._impersonation()]
        if not all(value.isascii() and value.isprintable() for _, value in found):
            raise ConnectError(
                f"the credentials of the user {self._access.user_name!r} contain characters that are not "
                "allowed in a header"
            )
        return found

    def pair(self) -> ClientCertificate | None:
        """Return the client certificate, if there is one. That of a plugin takes precedence over that of the
        kubeconfig.
        """
        with self._lock:
            given = self._of_plugin()
        if given is not None and given.certificate:
            return ClientCertificate(given.certificate.encode(), given.key.encode())
        certificate = self._bytes("client-certificate")
        key = self._bytes("client-key")
        if certificate is None and key is None:
            return None
        if certificate is None or key is None:
            missing = "client-certificate" if certificate is None else "client-key"
            raise BadKubeconfig(self._access.place, f"the user {self._access.user_name!r} has no {missing}")
        return ClientCertificate(certificate, key)

    def renew(self) -> bool:
        """Discard credentials that may have expired, after a 401. Return whether a retry makes sense."""
        with self._lock:
            renewable = self._given is not None or self._file is not None
            self._given = self._file = None
        return renewable

    def _authorization(self) -> list[str]:
        user = self._user
        if user.get("tokenFile"):
            token = self._token_in(user["tokenFile"])
            return [f"Bearer {token}"]
        if user.get("token"):
            return [f"Bearer {user['token']}"]
        if user.get("username") or user.get("password"):
            both = f"{user.get('username') or ''}:{user.get('password') or ''}"
            return [f"Basic {base64.b64encode(both.encode()).decode()}"]
        given = self._of_plugin()
        return [f"Bearer {given.token}"] if given is not None and given.token else []

    def _token_in(self, file: str) -> str:
        now = time.monotonic()
        if self._file is None or now - self._file[0] > FRESH:
            try:
                with open(file, encoding="utf-8") as stream:  # noqa: PTH123
                    token = stream.read().strip()
            except (OSError, UnicodeDecodeError) as error:
                if self._user.get("token"):
                    return str(self._user["token"])
                why = getattr(error, "strerror", None) or "not text"
                raise ConnectError(f"{file}: the token file cannot be read: {why}") from None
            if not token:
                raise ConnectError(f"{file}: the token file is empty")
            self._file = now, token
        return self._file[1]

    def _of_plugin(self) -> ExecCredential | None:
        """The credentials of the plugin, which runs on first use and after they expire."""
        if not self._user.get("exec"):
            return None
        if self._given is None or self._given.is_over:
            self._given = run_plugin(self._access)
        return self._given

    def _bytes(self, name: str) -> bytes | None:
        return bytes_of(self._user, name, self._access)

    def _impersonation(self) -> list[tuple[str, str]]:
        user = self._user
        names = {"as": "Impersonate-User", "as-uid": "Impersonate-Uid"}
        found = [(header, str(user[name])) for name, header in names.items() if user.get(name)]
        found += [("Impersonate-Group", one) for one in as_list(user.get("as-groups"))]
        for key, values in as_map(user.get("as-user-extra")).items():
            header = f"Impersonate-Extra-{quote(str(key), safe='')}"
            found += [(header, str(one)) for one in as_list(values)]
        return found


def bytes_of(entry: object, name: str, access: Access) -> bytes | None:
    """Return the data of an entry, inline (`NAME-data`, which takes precedence) or from a file."""
    fields = as_map(entry)
    data, file = fields.get(f"{name}-data"), fields.get(name)
    if data:
        try:
            return base64.b64decode(data, validate=True)
        except ValueError:
            raise BadKubeconfig(access.place, f"{name}-data of the context {access.context!r} is not base64") from None
    if not file:
        return None
    try:
        with open(file, "rb") as stream:  # noqa: PTH123
            return stream.read()
    except OSError as error:
        raise ConnectError(f"{file}: the {name} cannot be read: {error.strerror}") from None
