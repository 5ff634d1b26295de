"""The addresses and ports of Services, and the range of addresses."""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import TYPE_CHECKING

from ..unchecked import maps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..protocol import Object

IP_RANGE = IPv4Network("10.0.0.0/16")
NONE = "None"
"""The cluster IP of a headless Service."""
IP_ADDRESS = ("networking.k8s.io", "IPAddress")
IP_ADDRESSES_SINCE = 33
"""The first minor release that stores each allocated address as an IPAddress."""


def addresses_of(spec: Object) -> set[str]:
    """Return the cluster IPs of a Service."""
    given = [*(spec.get("clusterIPs") or ()), spec.get("clusterIP")]
    return {str(one) for one in given if one not in (None, "", NONE)}


def numbers_of(spec: Object) -> Iterator[str]:
    """Yield the addresses and ports of a Service."""
    yield from addresses_of(spec)
    yield from {str(port["nodePort"]) for _, port in maps(spec, "ports") if port.get("nodePort")}
    if spec.get("healthCheckNodePort"):
        yield str(spec["healthCheckNodePort"])
