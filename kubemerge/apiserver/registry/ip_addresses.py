"""IPAddress and ServiceCIDR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..problems import Problem, declarative, immutable, invalid, required
from ..unchecked import as_text, get_path
from ..validation import names
from ..validation.object_names import path_segment
from ..validation.values import addresses, formats
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object


def ip_address(content: Object) -> Iterator[Problem]:
    """Validate an IPAddress and its parent."""
    at, parent = "spec.parentRef", get_path(content, "spec.parentRef")
    if not isinstance(parent, dict):
        return
    for field in ("group", "resource", "name", "namespace"):
        if parent.get(field):
            rule = names.subdomain if field == "group" else path_segment
            yield from formats.each(f"{at}.{field}", parent[field], rule)
        elif field in ("resource", "name"):
            yield declarative(required(f"{at}.{field}"))


def _cidrs(content: Object) -> list[str]:
    listed = get_path(content, "spec.cidrs")
    return [as_text(one) for one in listed] if isinstance(listed, list) else []


def service_cidr(content: Object) -> Iterator[Problem]:
    """Validate a ServiceCIDR."""
    at, listed = "spec.cidrs", _cidrs(content)
    if not listed:
        yield required(at, "at least one CIDR required")
        return
    if len(listed) > 2:
        yield invalid(at, {"CIDRs": listed}, "may only hold up to 2 values")
        return
    for index, cidr in enumerate(listed):
        yield from addresses.network(f"{at}[{index}]", cidr, canonical=True)
    networks = [addresses.read_network(cidr) for cidr in listed]
    versions = [network.version for network in networks if network is not None]
    if len(versions) == 2 and versions[0] == versions[1]:
        why = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"
        yield invalid(at, listed, why)


def changed_cidr(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a ServiceCIDR. Its range is immutable, but one of the other family may be added."""
    now, then = _cidrs(content), _cidrs(before)
    if len(now) == len(then) or (len(then), len(now)) == (1, 2):
        changed = [index for index, cidr in enumerate(then) if cidr != now[index]]
        yield from (immutable(f"spec.cidrs[{index}]", now[index]) for index in changed)
        if len(now) != len(then):
            yield from service_cidr(content)
    else:
        yield immutable("spec.cidrs", get_path(content, "spec.cidrs"))


RECORDS = (
    KindRecord(
        group="networking.k8s.io",
        kind="IPAddress",
        versions=("networking.k8s.io/v1", "networking.k8s.io/v1beta1"),
        named_again=True,
        check=ip_address,
    ),
    KindRecord(
        group="networking.k8s.io",
        kind="ServiceCIDR",
        versions=("networking.k8s.io/v1", "networking.k8s.io/v1beta1"),
        check=service_cidr,
        check_update=changed_cidr,
    ),
)
