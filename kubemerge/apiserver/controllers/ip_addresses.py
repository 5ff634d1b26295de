"""The IPAddress of each cluster IP, and the default ServiceCIDR.

A server creates and deletes an IPAddress together with the allocation of the address. Two of its controllers create
missing objects again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..identity import ObjectId
from ..registry.service_addresses import IP_ADDRESS, IP_ADDRESSES_SINCE, IP_RANGE, addresses_of
from ..unchecked import as_map, as_text, get_path
from . import server_objects
from .server_objects import FieldsOwner, owned

if TYPE_CHECKING:
    from ..protocol import Object
    from ..storage.changes import Changes, StoreEvent

SERVICE, SERVICE_CIDR = ("", "Service"), ("networking.k8s.io", "ServiceCIDR")
DEFAULT_CIDR = "kubernetes"
"""The name of the ServiceCIDR with the range of the server."""
CIDR_CONTROLLER = "kubernetes-service-cidr-controller"
FAMILY, MANAGED_BY = "ipaddress.kubernetes.io/ip-family", "ipaddress.kubernetes.io/managed-by"
_ADDRESS_OWNED = FieldsOwner(
    {
        "f:metadata": {"f:labels": owned(FAMILY, MANAGED_BY)},
        "f:spec": {"f:parentRef": owned("name", "namespace", "resource")},
    }
)
_READY: Any = {
    "message": "Kubernetes default Service CIDR is ready",
    "reason": "",
    "status": "True",
    "type": "Ready",
}
_OWNED_CONDITION = owned("lastTransitionTime", "message", "status", "type")
_CIDR_OWNED = (
    FieldsOwner(
        {"f:status": {"f:conditions": {'k:{"type":"Ready"}': _OWNED_CONDITION}}}, CIDR_CONTROLLER, "Apply", "status"
    ),
    FieldsOwner({"f:spec": {"f:cidrs": {}}}),
)


def on_event(changes: Changes, event: StoreEvent) -> None:
    """Create and delete the IPAddresses of a Service, and create deleted objects again."""
    kind = event.key.group_kind
    if kind not in (SERVICE, IP_ADDRESS, SERVICE_CIDR) or changes.kinds.minor < IP_ADDRESSES_SINCE:
        return
    if kind == SERVICE:
        before, after = _addresses(event.before), _addresses(event.after)
        for address in before - after:
            _release(changes, event.key, address)
        for address in sorted(after - before):
            _create_address(changes, event.key, address)
    elif event.after is None and kind == IP_ADDRESS:
        service = _parent(event.before)
        if event.key.name in _addresses(changes.get(service)):
            _create_address(changes, service, event.key.name)
    elif event.after is None and event.key.name == DEFAULT_CIDR:
        _create_cidr(changes)


def ensure_objects(changes: Changes) -> None:
    """Create the default ServiceCIDR, and the missing IPAddresses of Services."""
    if changes.kinds.minor < IP_ADDRESSES_SINCE:
        return
    _create_cidr(changes)
    for service in list(changes.store.of_kind(*SERVICE)):
        for address in sorted(_addresses(service)):
            _create_address(changes, ObjectId.of(service), address)


def _addresses(service: Object | None) -> set[str]:
    return set(addresses_of(as_map(as_map(service).get("spec"))))


def _parent(address: Object | None) -> ObjectId:
    """The Service that an IPAddress belongs to."""
    parent = as_map(get_path(as_map(address), "spec.parentRef"))
    return ObjectId(*SERVICE, as_text(parent.get("namespace")), as_text(parent.get("name")))


def _create_address(changes: Changes, service: ObjectId, address: str) -> None:
    made = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": IP_ADDRESS[1],
        "metadata": {
            "name": address,
            "labels": {FAMILY: "IPv6" if ":" in address else "IPv4", MANAGED_BY: "ipallocator.k8s.io"},
        },
        "spec": {"parentRef": {"name": service.name, "namespace": service.namespace, "resource": "services"}},
    }
    server_objects.create(changes, made, _ADDRESS_OWNED)


def _release(changes: Changes, service: ObjectId, address: str) -> None:
    """Delete the IPAddress of a released address, unless it belongs to another Service."""
    key = ObjectId(*IP_ADDRESS, "", address)
    live = changes.get(key)
    if live is not None and _parent(live) == service:
        changes.remove(key, live)


def _create_cidr(changes: Changes) -> None:
    made = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": SERVICE_CIDR[1],
        "metadata": {"name": DEFAULT_CIDR},
        "spec": {"cidrs": [str(IP_RANGE)]},
        "status": {"conditions": [{"lastTransitionTime": changes.origins.now(), **_READY}]},
    }
    server_objects.create(changes, made, *_CIDR_OWNED)
