"""Functions of IP addresses, networks and URLs."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote_plus

from ...text import net_url, netip
from ...text.go_text import quoted
from ..values import CelError, NoOverload

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...text.netip import Address


@dataclass(frozen=True)
class Ip:
    """An IP address."""

    address: Address
    kind = "net.IP"

    def as_text(self) -> str:
        """The address in its shortest form."""
        return str(self.address)

    def size(self) -> int:
        """The length in bytes."""
        return self.address.max_prefixlen // 8


@dataclass(frozen=True)
class Cidr:
    """An address with the length of its network."""

    address: Address
    length: int
    kind = "net.CIDR"

    def as_text(self) -> str:
        """The network as it was written."""
        return f"{self.address}/{self.length}"

    def size(self) -> int:
        """The size of the prefix in bytes."""
        return -(-self.length // 8)

    def network(self) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
        """The network without host bits."""
        return ipaddress.ip_network(self.as_text(), strict=False)


@dataclass(frozen=True)
class Url:
    """A URL."""

    text: str
    kind = "kubernetes.URL"


class Parts(NamedTuple):
    """The parts of a URL."""

    scheme: str
    host: str
    path: str
    query: str


NO_NETWORK = "network address parse error during conversion from string"


def _address(text: Any) -> Address:
    if not isinstance(text, str):
        raise NoOverload
    try:
        found = netip.address(text)
    except netip.BadAddress as error:
        raise CelError(f"IP Address {quoted(text)} parse error during conversion from string: {error}") from None
    if "%" in text:
        raise CelError(f"IP address {quoted(text)} with zone value is not allowed")
    if getattr(found, "ipv4_mapped", None) is not None:
        raise CelError(f"IPv4-mapped IPv6 address {quoted(text)} is not allowed")
    return found


def _cidr(value: Any) -> Cidr:
    if isinstance(value, Cidr):
        return value
    if not isinstance(value, str):
        raise NoOverload
    try:
        found, length = netip.prefix(value)
    except netip.BadAddress as error:
        raise CelError(f"{NO_NETWORK}: {NO_NETWORK}: {error}") from None
    if getattr(found, "ipv4_mapped", None) is not None:
        raise CelError(f"{NO_NETWORK}: IPv4-mapped IPv6 address {quoted(value)} is not allowed")
    return Cidr(found, length)


def _of_text(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def call(value: Any) -> Any:
        if not isinstance(value, str):
            raise NoOverload
        return make(value)

    return call


def _is(make: Callable[[Any], Any]) -> Callable[[Any], bool]:
    def call(value: Any) -> bool:
        try:
            make(value)
        except CelError:
            return False
        return True

    return call


def _ip(value: Any) -> Ip:
    if isinstance(value, Cidr):
        return Ip(value.address)
    return value if isinstance(value, Ip) else Ip(_address(value))


def _of_ip(test: Callable[[Address], Any]) -> Callable[[Any], Any]:
    def call(value: Any) -> Any:
        if not isinstance(value, Ip):
            raise NoOverload
        return test(value.address)

    return call


def _is_global(address: Address) -> bool:
    special = address.is_unspecified or address.is_loopback or address.is_multicast or address.is_link_local
    return not special and str(address) != "255.255.255.255"


def _is_link_local_multicast(address: Address) -> bool:
    if address.version == 4:
        return address in ipaddress.ip_network("224.0.0.0/24")
    packed = address.packed
    return packed[0] == 0xFF and packed[1] & 0x0F == 2


def _contains_ip(network: Any, value: Any) -> bool:
    if not isinstance(network, Cidr):
        raise NoOverload
    if isinstance(value, Cidr):
        raise NoOverload
    try:
        address = _ip(value).address
    except CelError as error:  # a server gives no reason here
        raise (error if isinstance(error, NoOverload) else CelError("no such overload")) from None
    return address.version == network.address.version and address in network.network()


def _contains_cidr(network: Any, value: Any) -> bool:
    if not isinstance(network, Cidr):
        raise NoOverload
    inner = _cidr(value)
    same = inner.address.version == network.address.version
    return same and network.length <= inner.length and inner.address in network.network()


def _masked(value: Any) -> Cidr:
    if not isinstance(value, Cidr):
        raise NoOverload
    return Cidr(value.network().network_address, value.length)


# ---- URLs ------------------------------------------------------------------------------------------------------------


def _url(value: Any) -> Url:
    if not isinstance(value, str):
        raise NoOverload
    try:
        net_url.parse_request(value)
    except net_url.BadUrl as error:
        raise CelError(f"URL parse error during conversion from string: {error}") from None
    return Url(value)


def _of_url(part: Callable[[Parts], Any]) -> Callable[[Any], Any]:
    def call(value: Any) -> Any:
        if not isinstance(value, Url):
            raise NoOverload
        text = value.text.partition("#")[0]
        rest, _, query = text.partition("?")
        scheme, colon, after = rest.partition(":")
        if not colon or rest.startswith("/"):
            scheme, after = "", rest
        host, path = "", after
        if after.startswith("//"):
            host, slash, path = after[2:].partition("/")
            path = slash + path
        elif not after.startswith("/") and rest != "*":
            path = ""
        return part(Parts(scheme.lower(), host.rpartition("@")[2], path, query))

    return call


def _hostname(host: str) -> str:
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _port(host: str) -> str:
    return (host.rpartition("]")[2] if host.startswith("[") else host).partition(":")[2]


def _query(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in text.split("&") if text else ():
        name, _, value = one.partition("=")
        if one and ";" not in one:
            found.setdefault(unquote_plus(name), []).append(unquote_plus(value))
    return found


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "cidr": _of_text(_cidr),
    "ip": _of_text(_ip),
    "ip.isCanonical": lambda value: str(_address(value)) == value,
    "isCIDR": _is(_cidr),
    "isIP": _is(_address),
    "isURL": _is(_url),
    "url": _url,
}
METHODS: dict[str, Callable[..., Any]] = {
    "containsCIDR": _contains_cidr,
    "containsIP": _contains_ip,
    "family": _of_ip(lambda address: address.version),
    "getEscapedPath": _of_url(lambda url: url.path),
    "getHost": _of_url(lambda url: url.host),
    "getHostname": _of_url(lambda url: _hostname(url.host)),
    "getPort": _of_url(lambda url: _port(url.host)),
    "getQuery": _of_url(lambda url: _query(url.query)),
    "getScheme": _of_url(lambda url: url.scheme),
    "ip": _ip,
    "isGlobalUnicast": _of_ip(_is_global),
    "isLinkLocalMulticast": _of_ip(_is_link_local_multicast),
    "isLinkLocalUnicast": _of_ip(lambda address: address.is_link_local),
    "isLoopback": _of_ip(lambda address: address.is_loopback),
    "isUnspecified": _of_ip(lambda address: address.is_unspecified),
    "masked": _masked,
    "prefixLength": lambda value: value.length,
}
