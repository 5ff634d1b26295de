"""Cells of network kinds: Services, Ingresses, endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...unchecked import as_map, get_path, maps
from .shared import MOST, NONE, UNSET, in_group, items, joined, some

if TYPE_CHECKING:
    from ...protocol import Object


def ports(one: Object) -> str:
    """The ports of a Service: `80:30080/TCP`."""
    return ",".join(map(_port, items(one, "spec.ports"))) or NONE


def _port(port: Object) -> str:
    on_nodes = f":{port['nodePort']}" if port.get("nodePort") else ""
    return f"{port.get('port')}{on_nodes}/{port.get('protocol', 'TCP')}"


def external(one: Object) -> str:
    """The external addresses of a Service."""
    if get_path(one, "spec.type") == "ExternalName":
        return str(get_path(one, "spec.externalName"))
    balanced = get_path(one, "spec.type") == "LoadBalancer"
    given = [*(_balanced(one) if balanced else ()), *map(str, _list(one, "spec.externalIPs"))]
    return ",".join(given) or ("<pending>" if balanced else NONE)


def _list(one: Object, path: str) -> list[object]:
    values = get_path(one, path)
    return values if isinstance(values, list) else []


def _balanced(one: Object) -> list[str]:
    entries = items(one, "status.loadBalancer.ingress")
    return sorted({str(where) for entry in entries if (where := entry.get("ip") or entry.get("hostname"))})


def address(one: Object) -> str:
    """The addresses of an Ingress."""
    return ",".join(_balanced(one))


def hosts(one: Object) -> str:
    """The hosts of an Ingress. `*` means any."""
    rules = items(one, "spec.rules")
    named = [index for index, rule in enumerate(rules) if rule.get("host")]
    shown = ",".join(str(rules[index]["host"]) for index in named[:MOST]) or "*"
    more = len(named) >= MOST and named[MOST - 1] < len(rules) - 1
    return f"{shown} + {len(rules) - MOST} more..." if more else shown


def ingress_ports(one: Object) -> str:
    """The ports of an Ingress."""
    return "80, 443" if get_path(one, "spec.tls") else "80"


def endpoints(one: Object) -> str:
    """The addresses behind a Service."""
    known = []
    for subset in items(one, "subsets"):
        behind = [f":{port.get('port')}" for _, port in maps(subset, "ports")] if subset.get("ports") else [""]
        known += [f"{entry.get('ip')}{port}" for port in behind for _, entry in maps(subset, "addresses")]
    return some(known, "" if one.get("subsets") else NONE)


def slice_ports(one: Object) -> str:
    """The ports of an EndpointSlice, or their names."""
    return some([str(port.get("port") or port.get("name") or "") for port in items(one, "ports")], UNSET)


def slice_addresses(one: Object) -> str:
    """The addresses of an EndpointSlice."""
    return some([str(value) for end in items(one, "endpoints") for value in _list(end, "addresses")], UNSET)


def parameters(one: Object) -> str:
    """The parameters of an IngressClass: `Params.example.com/x`."""
    reference = as_map(get_path(one, "spec.parameters"))
    kind = in_group(str(reference.get("kind")), reference.get("apiGroup"))
    return f"{kind}/{reference.get('name')}" if reference else NONE


def parent(one: Object) -> str:
    """The parent of an IPAddress: `services/shop/web`."""
    reference = as_map(get_path(one, "spec.parentRef"))
    kind = in_group(str(reference.get("resource")), reference.get("group"))
    names = (kind, reference.get("namespace"), reference.get("name"))
    return "/".join(str(name) for name in names if name) if reference else NONE


ranges = joined("spec.cidrs", "")
"""The address ranges of a ServiceCIDR."""
