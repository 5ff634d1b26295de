"""Fetching specifications over HTTP, with limits for size, time, redirects and retries."""

from __future__ import annotations

import errno
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin, urlsplit

from ..credentials import without_logins
from ..documents.limits import MAX_BYTES
from ..errors import SpecError, Unreachable
from .unpacked import too_large

if TYPE_CHECKING:
    from collections.abc import Callable

    import requests

RETRIED = frozenset({429, 500, 502, 503, 504})
CHUNK = 64 * 1024
_NO_ROUTE = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN})
"""Error numbers of the system for hosts that cannot be reached."""
ACCEPT = {"Accept": "application/json, */*;q=0.5"}


class TemporaryFailure(Exception):
    """A temporary failure, with the error to raise if the last retry fails too."""

    def __init__(self, error: SpecError) -> None:
        super().__init__(str(error))
        self.error = error


@dataclass
class Fetch:
    """Fetch options: limits, credentials for one server, and a callback for progress."""

    timeout: float = 30.0
    """Seconds to connect, and to wait for each chunk of a response."""
    deadline: float = 300.0
    """Seconds for a whole response, which stops very slow servers."""
    tries: int = 4
    pause: float = 0.5
    """Seconds before the first retry; doubled before each further one."""
    max_redirects: int = 5
    ca_file: str | None = None
    client_cert: str | None = None
    client_key: str | None = None
    token_file: str | None = None
    server: str | None = None
    """The only server that gets the token and the certificate."""
    progress: Callable[[str, int, int | None], None] | None = None
    sleep: Callable[[float], None] = time.sleep

    def get(self, url: str) -> bytes:
        """The bytes at the address. Raises `SpecError`."""
        try:
            parts = urlsplit(url)
            valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            valid = False
        if not valid:
            raise SpecError(url, "an http or https address")
        pause = self.pause
        for left in range(self.tries - 1, -1, -1):
            try:
                return self._get_once(url)
            except TemporaryFailure as again:
                if not left:
                    raise again.error from None
            self.sleep(pause)
            pause *= 2
        raise SpecError(url, "at least one try")

    def _get_once(self, url: str) -> bytes:
        """One attempt, abandoned at the deadline. It runs in a thread, because a read may never end."""
        results: list[bytes | BaseException] = []
        given_up = threading.Event()

        def run() -> None:
            try:
                results.append(self._answer(url, given_up))
            except BaseException as error:
                results.append(error)

        worker = threading.Thread(target=run, daemon=True)
        worker.start()
        worker.join(self.deadline)
        if not results:
            given_up.set()
            raise SpecError(url, f"a whole answer within {self.deadline:g} seconds", found="none, or only a part")
        if isinstance(results[0], BaseException):
            raise results[0]
        return results[0]

    def _answer(self, url: str, given_up: threading.Event) -> bytes:
        import requests

        at, options = url, {"auth": _login(url), **self._credentials(url)}
        try:
            with requests.Session() as session:
                for _ in range(self.max_redirects + 1):
                    with session.get(at, stream=True, timeout=self.timeout, allow_redirects=False, **options) as answer:
                        to = session.get_redirect_target(answer)
                        if to is None:
                            self._check(answer, url)
                            return self._body(answer, url, given_up)
                    at, options = self._redirected(at, urljoin(at, to), options)
            raise SpecError(url, f"at most {self.max_redirects} redirects", found="a redirect loop")
        except requests.exceptions.SSLError as error:
            raise SpecError(url, "a certificate that can be verified (see --ca-file)", found=_reason(error)) from None
        except requests.Timeout:
            found = f"none within {self.timeout:g} seconds"
            raise TemporaryFailure(SpecError(url, "an answer", found=found)) from None
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError) as error:
            by = "its proxy, " if isinstance(error, requests.exceptions.ProxyError) else ""
            why = _unreachable(error, by)
            raise TemporaryFailure(
                Unreachable(url, why) if why else SpecError(url, "a whole answer", found=_reason(error))
            ) from None
        except (requests.RequestException, ValueError) as error:
            raise SpecError(url, "an answer", found=_reason(error)) from None
        except OSError as error:
            raise SpecError(url, "certificate files that can be read", found=str(error)) from None

    def _credentials(self, url: str) -> dict[str, Any]:
        if self.server is not None and urlsplit(url)[:2] != urlsplit(self.server)[:2]:
            return {"headers": ACCEPT}
        options: dict[str, Any] = {"headers": {**ACCEPT}}
        if self.ca_file:
            options["verify"] = self.ca_file
        if self.client_cert:
            options["cert"] = (self.client_cert, self.client_key) if self.client_key else self.client_cert
        if self.token_file:
            options["headers"]["Authorization"] = f"Bearer {self._token()}"
            options["auth"] = _no_login
        return options

    def _token(self) -> str:
        try:
            token = Path(str(self.token_file)).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise SpecError(str(self.token_file), "a file that holds a token", found=str(error)) from None
        if not token or not token.isprintable():
            raise SpecError(str(self.token_file), "a file that holds a token", found="none")
        return token

    def _redirected(self, at: str, to: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """The target of a redirect and its options: no credentials to another server, and no downgrade from TLS."""
        if at.startswith("https:") and not to.startswith("https:"):
            raise SpecError(at, "an answer over https", found=f"a redirect to {to}")
        if urlsplit(at)[:2] == urlsplit(to)[:2]:
            return to, {**options, "auth": options["auth"] or _no_login}
        kept = {"verify": options["verify"]} if "verify" in options else {}
        return to, {"headers": ACCEPT, "auth": _no_login, **kept}

    def _check(self, answer: requests.Response, url: str) -> None:
        if answer.status_code == 200:
            return
        error = SpecError(url, "HTTP status 200", found=f"{answer.status_code} {answer.reason or ''}".strip())
        raise TemporaryFailure(error) if answer.status_code in RETRIED else error

    def _body(self, answer: requests.Response, url: str, given_up: threading.Event) -> bytes:
        announced = answer.headers.get("Content-Length", "")
        total = int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 20 else None
        if total is not None and total > MAX_BYTES:
            raise too_large(url)
        pieces: list[bytes] = []
        received = 0
        for piece in answer.iter_content(CHUNK):
            pieces.append(piece)
            received += len(piece)
            if received > MAX_BYTES:
                raise too_large(url)
            if given_up.is_set():
                break
            if self.progress:
                self.progress(url, received, total)
        return b"".join(pieces)


def _no_login(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """The `auth` of a request without user and password: otherwise requests looks for them in ~/.netrc."""
    return request


def _login(url: str) -> tuple[str, str] | None:
    """The user and password in an address, which take precedence over ~/.netrc; None if it has none."""
    parts = urlsplit(url)
    return (unquote(parts.username), unquote(parts.password or "")) if parts.username else None


def _unreachable(error: BaseException, by: str) -> str:
    """The reason for a failed connection, with the prefix `by`; empty if a connection was made and broke."""
    inner: BaseException | None = _innermost(error)
    while inner is not None:
        if isinstance(inner, (ConnectionRefusedError, socket.gaierror)) or getattr(inner, "errno", None) in _NO_ROUTE:
            return f"{by}{getattr(inner, 'strerror', '') or inner}".lower()
        inner = inner.__cause__ or inner.__context__
    return ""


def _reason(error: BaseException) -> str:
    """The text of the innermost cause."""
    inner = _innermost(error)
    return without_logins(" ".join(str(inner).split())) or type(inner).__name__


def _innermost(error: BaseException) -> BaseException:
    """The innermost cause, which has the useful text; libraries wrap it several times."""
    while True:
        inner = error.args[-1] if error.args and isinstance(error.args[-1], BaseException) else None
        inner = inner or getattr(error, "reason", None)
        if not isinstance(inner, BaseException):
            return error
        error = inner
