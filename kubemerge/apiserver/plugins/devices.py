"""Timestamps of device taints, and admin access to devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..problems import Problem, forbidden
from ..unchecked import as_map, get_path, maps

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..protocol import Object
    from .context import AdmissionContext

SINCE = "timeAdded"
ADMIN_ACCESS = "resource.kubernetes.io/admin-access"
NO_ADMIN_ACCESS = f"admin access to devices requires the `{ADMIN_ACCESS}: true` label on the containing namespace"


def of_slice(content: Object, context: AdmissionContext) -> Object:
    """Set missing timestamps in the taints of a ResourceSlice."""
    spec = as_map(content.get("spec"))
    devices = spec.get("devices")
    if not isinstance(devices, list) or not any(as_map(one).get("taints") for one in devices):
        return content
    return {**content, "spec": {**spec, "devices": [_device(one, context) for one in devices]}}


def _device(device: Any, context: AdmissionContext) -> Any:
    taints = as_map(device).get("taints")
    if not isinstance(taints, list):
        return device
    return {**device, "taints": [_taint(one, context) for one in taints]}


def _taint(taint: Any, context: AdmissionContext) -> Any:
    """Set the missing timestamp of a taint. A decoded null is the zero time of Go, which stays."""
    if not isinstance(taint, dict) or SINCE in taint:
        return taint
    return {**taint, SINCE: context.now()}


def of_rule(content: Object, context: AdmissionContext) -> Object:
    """Set the timestamp of a DeviceTaintRule: its creation, or the last change of its effect."""
    taint, before = get_path(content, "spec.taint"), as_map(get_path(context.live or {}, "spec.taint"))
    if not isinstance(taint, dict):
        return content
    again = before and taint.get("effect") != before.get("effect") and taint.get(SINCE) == before.get(SINCE)
    made = _taint({name: one for name, one in taint.items() if name != SINCE} if again else taint, context)
    return {**content, "spec": {**content["spec"], "taint": made}}


def admin_access(content: Object, context: AdmissionContext) -> Iterator[Problem]:
    """Validate a new claim with admin access: its namespace needs the label for it."""
    at = "spec.spec.devices" if content["kind"] == "ResourceClaimTemplate" else "spec.devices"
    for index, request in maps(as_map(get_path(content, at)), "requests"):
        if as_map(request.get("exactly")).get("adminAccess") is not True:
            continue
        yield from _without_label(f"spec.devices.requests[{index}].adminAccess", content, context)
        return


def admin_access_in_status(content: Object, context: AdmissionContext) -> Iterator[Problem]:
    """Validate a changed status of a claim, which may grant admin access only in a namespace with the label for it."""
    if _granted(context.live) is None and (index := _granted(content)) is not None:
        yield from _without_label(f"status.allocation.devices.results[{index}].adminAccess", content, context)


def _granted(claim: Object | None) -> int | None:
    """The index of the first result with admin access."""
    results = maps(as_map(get_path(claim, "status.allocation.devices")), "results")
    return next((index for index, one in results if one.get("adminAccess") is True), None)


def _without_label(at: str, content: Object, context: AdmissionContext) -> Iterator[Problem]:
    namespace = context.namespace(content["metadata"]["namespace"])
    if namespace is None and not context.is_complete:
        return
    if as_map(get_path(namespace, "metadata.labels")).get(ADMIN_ACCESS) != "true":
        yield forbidden(at, NO_ADMIN_ACCESS)
