"""Conditions set by the server: of FlowSchemas by their priority level, and of APIServices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..managed_fields import ManagedFieldsRecorder
from ..resources import key_in_store
from ..unchecked import as_map, as_number, as_text, condition_of, get_path, maps
from .bootstrap import SERVER
from .flow_control import APPLIED_SINCE, CONSUMER, LEVEL, SCHEMA, dangling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..protocol import Object
    from ..storage.changes import Changes, StoreEvent

API_SERVICE = ("apiregistration.k8s.io", "APIService")
SERVICE, SLICE = ("", "Service"), ("discovery.k8s.io", "EndpointSlice")
OF_SERVICE = "kubernetes.io/service-name"
LEVELS = frozenset(
    ("catch-all", "exempt", "global-default", "leader-election", "node-high", "system", "workload-high", "workload-low")
)
"""The mandatory priority levels."""


def on_event(changes: Changes, event: StoreEvent) -> None:
    """Update the conditions of a changed object, and of objects that reference it."""
    concerned = _CONCERNED.get(event.key.group_kind)
    if concerned is None:
        return
    for live in list(concerned(changes, event)):
        if "deletionTimestamp" not in live["metadata"]:
            (_note_level if live["kind"] == SCHEMA[1] else _note_answer)(changes, live)


def _itself(_: Changes, event: StoreEvent) -> Iterator[Object]:
    if event.after is not None:
        yield event.after


def _of_level(changes: Changes, event: StoreEvent) -> Iterator[Object]:
    if event.before is None or event.after is None:
        named = (one for one in changes.store.of_kind(*SCHEMA) if _level(one) == event.key.name)
        yield from named


def _of_service(changes: Changes, event: StoreEvent) -> Iterator[Object]:
    one = event.after or event.before or {"metadata": {}}
    name = one["metadata"].get("name")
    if event.key.group_kind == SLICE:
        name = as_map(one["metadata"].get("labels")).get(OF_SERVICE)
    for live in changes.store.of_kind(*API_SERVICE):
        service = as_map(get_path(live, "spec.service"))
        if (service.get("namespace"), service.get("name")) == (event.key.namespace, name):
            yield live


_CONCERNED: dict[tuple[str, str], Callable[[Changes, StoreEvent], Iterator[Object]]] = {
    SCHEMA: _itself,
    LEVEL: _of_level,
    API_SERVICE: _itself,
    SERVICE: _of_service,
    SLICE: _of_service,
}


# ---- levels ----------------------------------------------------------------------------------------------------------


def _level(schema: Object) -> str:
    return as_text(get_path(schema, "spec.priorityLevelConfiguration.name"))


def _note_level(changes: Changes, live: Object) -> None:
    name = _level(live)
    is_there = name in LEVELS or any(one["metadata"]["name"] == name for one in changes.store.of_kind(*LEVEL))
    condition = _changed(changes, live, dangling(name, exists=is_there))
    if condition is None:
        return
    status = {"conditions": [condition]}
    by = ManagedFieldsRecorder(CONSUMER, changes.kinds, changes.origins, force=True)
    if changes.kinds.minor >= APPLIED_SINCE:
        head = {"apiVersion": live["apiVersion"], "kind": live["kind"], "metadata": {"name": live["metadata"]["name"]}}
        content = by.applied({**head, "status": status}, {"status": {}, **live}, changes.resource(live), "status")
    else:
        content = by.updated(live, {**live, "status": status}, changes.resource(live), "status")
    changes.save(key_in_store(live), content, live)


# ---- services --------------------------------------------------------------------------------------------------------


def _note_answer(changes: Changes, live: Object) -> None:
    is_so, reason, message = _answer(changes, live)
    made = {"type": "Available", "status": is_so, "reason": reason, "message": message}
    condition = _changed(changes, live, made)
    if condition is None:
        return
    status = as_map(live.get("status"))
    others = [one for _, one in maps(status, "conditions") if one.get("type") != "Available"]
    content = {**live, "status": {**status, "conditions": [*others, condition]}}
    booked = ManagedFieldsRecorder(SERVER, changes.kinds, changes.origins).updated(
        live, content, changes.resource(live), "status"
    )
    changes.save(key_in_store(live), booked, live)


def _answer(changes: Changes, live: Object) -> tuple[str, str, str]:
    """The availability of an APIService, with reason and message. No extension server runs here."""
    given = get_path(live, "spec.service")
    if not isinstance(given, dict):
        return "True", "Local", "Local APIServices are always available"
    namespace, name, port = (
        as_text(given.get("namespace")),
        as_text(given.get("name")),
        as_number(given.get("port")) or 443,
    )
    about = f'service/{name} in "{namespace}"'
    service = next((one for one in changes.store.of_kind(*SERVICE, namespace) if one["metadata"]["name"] == name), None)
    if service is None:
        return "False", "ServiceNotFound", f"{about} is not present"
    spec = as_map(service.get("spec"))
    if spec.get("type") == "ClusterIP":
        named = next((one for _, one in maps(spec, "ports") if one.get("port") == port), None)
        if named is None:
            return "False", "ServicePortError", f"{about} is not listening on port {port}"
        labels = ((one, as_map(one["metadata"].get("labels"))) for one in changes.store.of_kind(*SLICE, namespace))
        slices = [one for one, its in labels if its.get(OF_SERVICE) == name]
        if not slices:
            return "False", "EndpointsNotFound", f"cannot find endpointslices for {about}"
        port_name = as_text(named.get("name"))
        if not any(_has_address(one, port_name) for one in slices):
            why = f'endpointslices for {about} have no addresses with port name "{port_name}"'
            return "False", "MissingEndpoints", why
    spec = as_map(live.get("spec"))
    url = f"https://{name}.{namespace}.svc:{port}/apis/{as_text(spec.get('group'))}/{as_text(spec.get('version'))}"
    return "False", "FailedDiscoveryCheck", f"failing or missing response from {url}"


def _has_address(one: Object, port_name: str) -> bool:
    if not any(as_text(port.get("name")) == port_name for _, port in maps(one, "ports")):
        return False
    ends = (end for _, end in maps(one, "endpoints") if end.get("addresses"))
    return any(as_map(end.get("conditions")).get("ready") is not False for end in ends)


# ---- conditions ------------------------------------------------------------------------------------------------------


def _changed(changes: Changes, live: Object, made: Object) -> dict[str, Any] | None:
    """The condition with the time of its last transition. None if it is unchanged."""
    before = condition_of(live, made["type"])
    if all(before.get(field) == value for field, value in made.items()):
        return None
    same = before.get("status") == made["status"]
    since = before.get("lastTransitionTime") if same else None
    return {**made, "lastTransitionTime": since or changes.origins.now()}
