"""HTTP transport: connections, proxies, retries, and errors before the first response."""

from __future__ import annotations

import http.client
import os
import ssl
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from engine.values.go_json import encode
from engine.version import __version__

from ...apiserver.errors import ConnectError, ServerUnreachable
from ..access.errors import BadKubeconfig
from . import limits
from .bounded import BoundedResponse, too_large
from .response import Response
from .statuses import error_from_response, warnings_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import urllib3

    from ..access.credentials import Credentials
    from ..access.kubeconfig import Access

    Headers = Sequence[tuple[str, str]]

INSTALL = "a required library for real API servers is not installed. Run `pip install 'kubemerge[cluster]'`"
CONNECTIONS = 8
"""The maximum number of parallel requests."""
CONNECT, SILENCE = 10.0, 60.0
"""Seconds to wait for a connection, and for the next part of a response."""
TRIES = 6
"""The number of attempts while the server, or the way to it, is too busy."""
LONGEST_PAUSE = 30.0
_LONGEST_NUMBER = 9
_BUSY = frozenset({429, 500, 502, 503, 504})
"""The status codes after which a read is repeated. Other requests are only repeated if the server sends Retry-After."""
_PIECE = 65536
_ENCODINGS = frozenset({"", "identity", "gzip", "x-gzip"})
"""The supported encodings of a response. Only gzip is requested."""


class Transport:
    """Sends requests to the server of one context. Thread-safe."""

    def __init__(self, access: Access, credentials: Credentials, sleep: Callable[[float], None] = time.sleep) -> None:
        self._access, self._credentials, self._sleep = access, credentials, sleep
        server = urlsplit(access.server if "://" in access.server else f"http://{access.server}")
        if server.scheme not in ("http", "https") or not server.hostname:
            raise BadKubeconfig(access.place, f"the server of the context {access.context!r} is not an http address")
        if server.username or server.password:
            raise BadKubeconfig(
                access.place, f"the server address of the context {access.context!r} contains a password"
            )
        self._secure = server.scheme == "https"
        self.host = server.netloc
        self.address = f"{server.scheme}://{server.netloc}{server.path.rstrip('/')}"
        self.on_warning: Callable[[str], None] | None = None
        self.only_reads = False
        """Whether requests other than GET are rejected before they are sent."""
        self.timeout: float | None = None
        """Seconds until a response must begin, if a limit was set."""
        self._pools: urllib3.PoolManager | None = None

    def __repr__(self) -> str:
        return f"<Transport to {self.host}>"

    def close(self) -> None:
        """Close the connections."""
        if self._pools is not None:
            self._pools.clear()

    def ask(
        self,
        method: str,
        path: str,
        query: Sequence[tuple[str, str]] = (),
        *,
        body: Any = None,
        content_type: str = "application/json",
        accept: str = "application/json",
        harmless: bool | None = None,
        fine: Sequence[int] = (),
    ) -> Response:
        """Return the response of the server. Raise its error, except for codes that are `fine`.

        A `harmless` request may be repeated after any failure. By default, that is a read.
        """
        url = f"{self.address}{path}{'?' if query else ''}{urlencode(query)}"
        said = [("Accept", accept), ("User-Agent", f"kubemerge/{__version__}")]
        data = None
        if body is not None:
            data = encode(body).encode(
                "utf-8", "surrogatepass"
            )  # servers report the first error in the order of the body
            said.append(("Content-Type", content_type))
        harmless = method == "GET" if harmless is None else harmless
        answer = self._patiently(lambda: self._read(self._sent(method, url, data, said)), harmless=harmless)
        on_warning = self.on_warning
        if on_warning is not None:
            for warning in warnings_in(answer.headers):
                on_warning(warning)
        if not answer.is_success and answer.code not in fine:
            raise error_from_response(answer, method)
        return answer

    def pause(self, attempt: int) -> None:
        """Wait before another attempt, longer each time."""
        self._sleep(_pause(attempt))

    def lines(self, path: str, query: Sequence[tuple[str, str]]) -> Iterator[bytes]:
        """Yield the lines of a streaming response, until the server ends it or is silent for too long."""
        url, headers = f"{self.address}{path}?{urlencode(query)}", [("Accept", "application/json")]
        begun: list[urllib3.BaseHTTPResponse] = []

        def begin() -> Response:
            found = self._sent("GET", url, None, [*headers, ("User-Agent", f"kubemerge/{__version__}")])
            answer = Response(found.status, found.headers, b"")
            if not answer.is_success:
                return self._read(found)
            begun.append(found)
            return answer

        answer = self._patiently(begin, harmless=True)
        if not begun:
            raise error_from_response(answer, "GET")
        from urllib3 import exceptions

        try:
            yield from _lines(begun[0])
        except (exceptions.ReadTimeoutError, exceptions.ProtocolError):
            return
        except exceptions.HTTPError as error:
            translated = self._translated(error)
            raise (translated.final if isinstance(translated, _Broken) else translated) from None
        finally:
            begun[0].close()

    def _patiently(self, once: Callable[[], Response], *, harmless: bool) -> Response:
        """The response, with retries of temporary errors, and one with renewed credentials."""
        renewed = False
        for attempt in range(1, TRIES + 1):
            try:
                answer = once()
            except _Broken as error:
                # a request with a timeout does not wait for six of them
                if not harmless or attempt == TRIES or self.timeout:
                    raise error.final from None
                self.pause(attempt)
                continue
            if answer.code == 401 and not renewed and self._credentials.renew():
                renewed = True
                self.close()
                self._pools = None
                continue
            asked = answer.headers.get("Retry-After", "")[:_LONGEST_NUMBER]
            again = asked.isascii() and asked.isdigit() and answer.code in _BUSY
            if attempt == TRIES or not (again or (harmless and answer.code in _BUSY - {500})):
                return answer
            self._sleep(min(int(asked), LONGEST_PAUSE) if again else _pause(attempt))
        raise AssertionError

    def _sent(self, method: str, url: str, data: bytes | None, headers: Headers) -> urllib3.BaseHTTPResponse:
        """Send a request, and return the start of the response."""
        if self.only_reads and method != "GET":
            raise ConnectError(f"access to the server is read-only here, so no {method} request was sent")
        pools = self._connected()
        import urllib3
        from urllib3 import exceptions

        said = urllib3.HTTPHeaderDict()
        gzip = [] if self._access.cluster.get("disable-compression") else [("Accept-Encoding", "gzip")]
        for name, value in (*headers, *gzip, *self._credentials.headers()):
            said.add(name, value)
        how: dict[str, Any] = {"timeout": urllib3.Timeout(total=self.timeout)} if self.timeout else {}
        try:
            found = pools.request(
                method, url, body=data, headers=said, redirect=False, retries=False, preload_content=False, **how
            )
        except exceptions.HTTPError as error:
            raise self._translated(error) from None
        encoding = found.headers.get("Content-Encoding", "").strip().lower()
        if encoding not in _ENCODINGS:
            found.close()
            raise ConnectError(
                "the server sent a response in an encoding that was not requested. Check that it is an API server"
            )
        return found

    def _read(self, answer: urllib3.BaseHTTPResponse) -> Response:
        """Read the whole response. The connection is closed unless all of it was read."""
        from urllib3 import exceptions

        read = Response(answer.status, answer.headers, b"")
        most = limits.LARGEST if read.is_success else limits.REFUSAL
        pieces: list[bytes] = []
        size = 0
        try:
            while piece := answer.read1(_PIECE, decode_content=True):
                pieces.append(piece)
                size += len(piece)
                if size > most:
                    raise too_large("a response" if read.is_success else "an error response", most)
        except exceptions.HTTPError as error:
            answer.close()
            raise self._translated(error) from None
        except BaseException:
            answer.close()
            raise
        finally:
            answer.release_conn()
        return read._replace(body=b"".join(pieces))

    # ---- connections -------------------------------------------------------------------------------------------------

    def _connected(self) -> urllib3.PoolManager:
        """The connection pools with shared settings, created on first use."""
        if self._pools is None:
            try:
                import urllib3
            except ImportError:
                raise ConnectError(INSTALL) from None
            if not hasattr(urllib3, "BaseHTTPResponse"):  # since 2.0
                raise ConnectError(INSTALL)
            self._pools = self._made(urllib3)
        return self._pools

    def _made(self, library: Any) -> Any:
        settings: dict[str, Any] = {
            "maxsize": CONNECTIONS,
            "block": True,
            "timeout": library.Timeout(connect=CONNECT, read=SILENCE),
        }
        if self._secure:
            from .tls import context_of

            settings["ssl_context"] = context_of(self._access, self._credentials.pair())
            name = self._access.cluster.get("tls-server-name")
            if name:
                settings |= {"server_hostname": name, "assert_hostname": name}
            if self._access.cluster.get("insecure-skip-tls-verify"):
                settings |= {"assert_hostname": False, "cert_reqs": "CERT_NONE"}
                library.disable_warnings(library.exceptions.InsecureRequestWarning)  # the kubeconfig requests it
        http.client._MAXHEADERS = max(limits.HEADERS, http.client._MAXHEADERS)  # type: ignore[attr-defined]
        proxy = self._proxy()
        found = _through(proxy, settings, library, self._access) if proxy else _manager(library.PoolManager, settings)
        found.pool_classes_by_scheme = {name: _bounded(one) for name, one in found.pool_classes_by_scheme.items()}
        return found

    def _proxy(self) -> str:
        """The proxy of the kubeconfig. Default: the environment's proxy, except for this machine."""
        named = self._access.cluster.get("proxy-url")
        if named:
            return str(named)
        from urllib import request

        host = urlsplit(self.address).hostname or ""
        if host == "localhost" or host.startswith("127.") or host == "::1" or request.proxy_bypass(self.host):
            return ""
        return str(request.getproxies().get("https" if self._secure else "http") or "")

    def _translated(self, error: Exception) -> Exception:
        """The error for a failed connection. Messages of proxies and libraries are left out, because they may contain a
        password.
        """
        from urllib3 import exceptions

        causes = _causes(error)
        refused = f"The connection to the server {self.host} was refused - did you specify the right host or port?"
        nobody = f"{_UNABLE}: the host {urlsplit(self.address).hostname} does not exist"
        for kind, said in (
            (exceptions.ProxyError, f"the proxy for the server {self.host} rejected the connection"),
            (ssl.SSLCertVerificationError, f"{_UNABLE}: tls: failed to verify certificate of {self.host}: {{}}"),
            (ssl.SSLError, f"{_UNABLE}: tls: {{}}"),
            (ConnectionRefusedError, refused),
            (exceptions.NameResolutionError, nobody),
        ):
            found = next((one for one in causes if isinstance(one, kind)), None)
            if found is not None:
                why = getattr(found, "verify_message", "") or getattr(found, "reason", "") or "no common protocol"
                return ServerUnreachable(said.format(why))
        kinds = {type(one) for one in causes}
        if not kinds & _CUT_OFF and any(isinstance(one, http.client.HTTPException) for one in causes):
            return ServerUnreachable(f"{_UNABLE}: {self.host} returned something that is not HTTP")
        if exceptions.ConnectTimeoutError in kinds:
            return _Broken(f"{_UNABLE}: {self.host} did not respond within {min(CONNECT, self.timeout or CONNECT):g} s")
        if exceptions.ReadTimeoutError in kinds:
            return _Broken(f"{_UNABLE}: {self.host} sent nothing for {self.timeout or SILENCE:g} s")
        numbers = [one.errno for one in causes if isinstance(one, OSError) and one.errno]
        why = os.strerror(numbers[-1]) if numbers else "the server closed the connection"
        return _Broken(f"{_UNABLE}: {self.host}: {why}")


def _lines(answer: Any) -> Iterator[bytes]:
    """The lines of a streaming response. Each has its own limit. Between two, the server may wait."""
    meter = answer._original_response.meter
    begun: list[bytes] = []
    size = 0
    meter.restart(limits.EVENT, "an event")
    while piece := answer.read1(_PIECE, decode_content=True):
        first, *others = piece.split(b"\n")
        begun.append(first)
        size += len(first)
        for other in others:
            yield b"".join(begun)
            begun, size = [other], len(other)
        if others:
            meter.restart(limits.EVENT, "an event")
        if size > limits.EVENT:  # of a compressed response
            raise too_large("an event", limits.EVENT)


_UNABLE = "Unable to connect to the server"
_CUT_OFF = {http.client.RemoteDisconnected, http.client.IncompleteRead}
"""Errors of a closed connection, among those of invalid HTTP."""


def _causes(error: BaseException) -> list[BaseException]:
    """An error with all its causes."""
    found = [error]
    for one in found:
        inner = (getattr(one, "original_error", None), getattr(one, "reason", None), one.__cause__, one.__context__)
        found += [each for each in inner if isinstance(each, BaseException) and each not in found]
    return found


class _Broken(Exception):
    """A failed connection that may succeed later."""

    def __init__(self, text: str) -> None:
        self.final = ServerUnreachable(text)
        super().__init__(text)


def _pause(attempt: int) -> float:
    return float(min(0.25 * 2 ** (attempt - 1), 4.0))


def _bounded(pool: Any) -> Any:
    """A pool class like this one, whose connections limit each response."""
    connection = pool.ConnectionCls
    bounded = type(connection.__name__, (connection,), {"response_class": BoundedResponse})
    return type(pool.__name__, (pool,), {"ConnectionCls": bounded})


def _manager(kind: Any, settings: dict[str, Any], **more: Any) -> Any:
    try:
        return kind(**settings, **more)
    except (ValueError, TypeError):
        raise ConnectError("the proxy of the cluster is not a valid address") from None


def _through(proxy: str, settings: dict[str, Any], library: Any, access: Access) -> Any:
    """Connections through a proxy, whose password is in no message."""
    try:
        parts = urlsplit(proxy)
        scheme, who = parts.scheme, parts.username
        bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    except ValueError:
        raise BadKubeconfig(access.place, f"the proxy of the context {access.context!r} is not an address") from None
    if scheme.startswith("socks5"):
        try:
            from urllib3.contrib.socks import SOCKSProxyManager
        except ImportError:
            raise ConnectError(f"a SOCKS proxy requires a library. {INSTALL.partition('. ')[2]}") from None
        return _manager(SOCKSProxyManager, settings, proxy_url=proxy.replace("socks5://", "socks5h://", 1))
    if scheme not in ("http", "https"):
        raise BadKubeconfig(
            access.place, f"the proxy of the context {access.context!r} is not of type http, https or socks5"
        )
    from urllib.parse import unquote

    said = {}
    if who is not None:
        said = library.make_headers(proxy_basic_auth=f"{unquote(who)}:{unquote(parts.password or '')}")
    return _manager(library.ProxyManager, settings, proxy_url=bare, proxy_headers=said)
