"""Describe Pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...apiserver.printers.ages import age
from ...apiserver.unchecked import as_list, as_map, get_path
from .parts import controlled, events, marks, time
from .templates import containers, resources, spread, tolerations
from .volumes import volumes

if TYPE_CHECKING:
    from ...cluster import Object
    from .page import Page
    from .parts import ClusterView


def pod(page: Page, one: Object, around: ClusterView) -> None:
    """A Pod."""
    spec, status = as_map(one.get("spec")), as_map(one.get("status"))
    _place(page, one, spec, status)
    marks(page, one)
    _status(page, one, spec, status)
    if spec.get("resources") is not None:
        page.line(0, "Resources:")
        resources(page, spec["resources"], 1)
    _containers(page, one, spec, status)
    _conditions(page, spec, status)
    volumes(page, spec.get("volumes"), "")
    page.field("QoS Class", status.get("qosClass") or quality(spec))
    page.labels("Node-Selectors", spec.get("nodeSelector"))
    tolerations(page, "Tolerations", spec.get("tolerations"))
    spread(page, spec, "")
    events(page, around.events(one))


def _place(page: Page, one: Object, spec: Object, status: Object) -> None:
    page.field("Name", one["metadata"]["name"])
    page.field("Namespace", one["metadata"].get("namespace", ""))
    known = {
        "Priority": spec.get("priority"),
        "Priority Class Name": spec.get("priorityClassName"),
        "Runtime Class Name": spec.get("runtimeClassName"),
        "Service Account": spec.get("serviceAccountName"),
    }
    page.fields(0, known)
    node = spec.get("nodeName")
    page.field("Node", f"{node}/{status.get('hostIP', '')}" if node else "<none>")
    if status.get("startTime"):
        page.field("Start Time", time(status["startTime"]))


def _status(page: Page, one: Object, spec: Object, status: Object) -> None:
    gone = one["metadata"].get("deletionTimestamp")
    if gone and status.get("phase") not in ("Failed", "Succeeded"):
        page.field("Status", f"Terminating (lasts {age(gone)})")
        page.field("Termination Grace Period", f"{one['metadata'].get('deletionGracePeriodSeconds', 0)}s")
    else:
        page.field("Status", status.get("phase", ""))
    page.fields(0, {"Reason": status.get("reason"), "Message": status.get("message")})
    profile = get_path(spec, "securityContext.seccompProfile")
    if profile:
        page.field("SeccompProfile", profile.get("type", ""))
        if profile.get("type") == "Localhost":
            page.field("LocalhostProfile", profile.get("localhostProfile", ""))
    page.field("IP", status.get("podIP", ""))
    addresses = as_list(status.get("podIPs"))
    page.line(0, "IPs:" if addresses else "IPs:\t<none>")
    for address in addresses:
        page.field("IP", address.get("ip", ""), 1)
    controlled(page, one)
    page.fields(0, {"NominatedNodeName": status.get("nominatedNodeName")})


def _containers(page: Page, one: Object, spec: Object, status: Object) -> None:
    def resolved(variable: Object) -> str:
        return field_of(one, variable["valueFrom"]["fieldRef"].get("fieldPath", ""))

    for title, field, states in (
        ("Init Containers", "initContainers", "initContainerStatuses"),
        ("Containers", "containers", "containerStatuses"),
        ("Ephemeral Containers", "ephemeralContainers", "ephemeralContainerStatuses"),
    ):
        if spec.get(field) or field == "containers":
            containers(page, title, spec.get(field), status.get(states), resolved)


def field_of(one: Object, path: str) -> str:
    """The value at a path in the downward API's format."""
    for field in ("labels", "annotations"):
        start = f"metadata.{field}['"
        if path.startswith(start) and path.endswith("']"):
            return str(as_map(one["metadata"].get(field)).get(path[len(start) : -2], ""))
    value: Any = get_path(one, path)
    if isinstance(value, dict):
        return "\n".join(f'{key}="{text}"' for key, text in sorted(value.items()))
    return "" if value is None else str(value)


def _conditions(page: Page, spec: Object, status: Object) -> None:
    known = as_list(status.get("conditions"))
    gates = as_list(spec.get("readinessGates"))
    if gates:
        page.line(0, "Readiness Gates:\n  Type\tStatus")
        by_type = {one.get("type"): one.get("status") for one in known}
        for gate in gates:
            page.line(1, f"{gate['conditionType']} \t{by_type.get(gate['conditionType'], '<none>')} ")
    if known:
        page.line(0, "Conditions:\n  Type\tStatus")
        for one in known:
            page.line(1, f"{one.get('type')} \t{one.get('status')} ")


def quality(spec: Object) -> str:
    """The quality of service class that results from requests and limits."""
    every = [
        as_map(one.get("resources")) for field in ("containers", "initContainers") for one in as_list(spec.get(field))
    ]
    asked = [
        {key: value for part in ("requests", "limits") for key, value in as_map(one.get(part)).items()} for one in every
    ]
    if not any({"cpu", "memory"} & one.keys() for one in asked):
        return "BestEffort"
    same = all(
        {"cpu", "memory"} <= as_map(one.get("limits")).keys()
        and all(as_map(one.get("requests")).get(key, value) == value for key, value in one["limits"].items())
        for one in every
    )
    return "Guaranteed" if same else "Burstable"
