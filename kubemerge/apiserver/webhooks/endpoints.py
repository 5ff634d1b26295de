"""The address of a webhook: its URL, or its Service."""

from __future__ import annotations

import base64
import binascii
from posixpath import normpath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from ..errors import BadRequest
from ..unchecked import as_map, as_number, as_text
from .calls import CallError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..protocol import Object

HTTPS = 443
SPELLING = "Use NAMESPACE/NAME=https://HOST:PORT"


class Endpoint(NamedTuple):
    """The address of a webhook."""

    url: str
    """The URL in messages, and in the Host header."""
    host: str
    """The host to connect to."""
    port: int
    path: str
    server_name: str
    """The name in the server's certificate."""
    authorities: bytes
    """The trusted certificates, in PEM. Empty for those of the system."""
    problem: str = ""
    """The reason why no connection is possible."""


def services_of(given: Iterable[str]) -> dict[str, str]:
    """Return the URLs of Services by `NAMESPACE/NAME` from texts such as `default/hooks=https://127.0.0.1:9443`."""
    found: dict[str, str] = {}
    for one in given:
        service, _, url = one.partition("=")
        found[service] = url
    return checked_services(found)


def checked_services(services: Mapping[str, str]) -> dict[str, str]:
    """Return the URLs of Services by `NAMESPACE/NAME`. Raise BadRequest for an invalid one."""
    for service, url in services.items():
        namespace, _, name = service.partition("/")
        if not namespace or not name or "/" in name:
            raise BadRequest(f"service {service!r} is not a Service as NAMESPACE/NAME. {SPELLING}")
        try:
            parts = urlsplit(url)
            valid = parts.scheme == "https" and bool(parts.hostname) and (parts.port or HTTPS) > 0
        except ValueError:
            valid = False
        if not valid or parts.path not in ("", "/") or parts.query or parts.fragment or parts.username:
            raise BadRequest(f"service {service}: {url!r} is not a URL of a host and port with TLS. {SPELLING}")
    return dict(services)


def endpoint_of(config: Object, services: Mapping[str, str], find: Callable[[str, str], Object | None]) -> Endpoint:
    """Return the address in a `clientConfig`. `find` returns a Service by namespace and name."""
    try:
        authorities = base64.b64decode(as_text(config.get("caBundle")))
    except (binascii.Error, ValueError):
        raise CallError("could not get REST client: unable to load root certificates: illegal base64 data") from None
    if config.get("service") is not None:
        return _of_service(as_map(config["service"]), authorities, services, find)
    url = as_text(config.get("url"))
    parts = urlsplit(url)
    host, port, path = parts.hostname or "", parts.port or HTTPS, _cleaned(parts.path)
    return Endpoint(f"{parts.scheme}://{parts.netloc}{path}", host, port, path, host, authorities)


def _cleaned(path: str) -> str:
    """The path as Go's client sends it: decoded once, without repeated slashes, and without one at the end."""
    return quote(normpath(f"/{unquote(path).lstrip('/')}"), safe="$&+,/:;=@")


def _of_service(
    service: Object,
    authorities: bytes,
    services: Mapping[str, str],
    find: Callable[[str, str], Object | None],
) -> Endpoint:
    namespace, name = as_text(service.get("namespace")), as_text(service.get("name"))
    port, path = as_number(service.get("port")) or HTTPS, _cleaned(as_text(service.get("path")))
    server_name = f"{name}.{namespace}.svc"
    found = Endpoint(f"https://{server_name}:{port}{path}", "", int(port), path, server_name, authorities)
    mapped = services.get(f"{namespace}/{name}")
    if mapped is not None:
        parts = urlsplit(mapped)
        return found._replace(host=parts.hostname or "", port=parts.port or HTTPS)
    existing = find(namespace, name)
    if existing is None:
        return found._replace(problem=f'service "{name}" not found')
    spec = as_map(existing.get("spec"))
    if spec.get("type") == "ExternalName":
        return found._replace(host=as_text(spec.get("externalName")))
    served = [one for one in spec.get("ports") or () if isinstance(one, dict) and one.get("port") == port]
    if not served:
        return found._replace(problem=f'no service port {port} found for service "{name}"')
    why = f"no process on this machine is known for Service {namespace}/{name}"
    return found._replace(problem=f"{why}. Start the server with --service {namespace}/{name}=https://HOST:PORT")
