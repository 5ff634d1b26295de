"""Describe Nodes."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from engine.values.quantities import amount, canonical

from ...apiserver.printers.ages import age
from ...apiserver.unchecked import as_list, as_map, get_path
from .page import NONE, UNSET
from .parts import events, go, marks, time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...cluster import Object
    from .page import Page
    from .parts import ClusterView

_ROLE = "node-role.kubernetes.io/"
_ENDED = ("Succeeded", "Failed")
_USUAL = {"cpu", "memory", "ephemeral-storage", "pods"}


def node(page: Page, one: Object, around: ClusterView) -> None:
    """A Node."""
    status = as_map(one.get("status"))
    page.field("Name", one["metadata"]["name"])
    page.field("Roles", ",".join(_roles(as_map(one["metadata"].get("labels")))) or NONE)
    marks(page, one)
    page.field("CreationTimestamp", time(one["metadata"].get("creationTimestamp")))
    taints = sorted(as_list(get_path(one, "spec.taints")), key=lambda each: f"{each.get('effect')},{each.get('key')}")
    page.several("Taints", map(_taint, taints))
    page.field("Unschedulable", go(bool(get_path(one, "spec.unschedulable"))))
    _lease(page, one, around)
    _conditions(page, as_list(status.get("conditions")))
    page.line(0, "Addresses:")
    for each in as_list(status.get("addresses")):
        page.field(each.get("type", ""), each.get("address", ""), 1)
    for field, title in (("capacity", "Capacity"), ("allocatable", "Allocatable")):
        if status.get(field):
            page.line(0, f"{title}:")
            for name, value in sorted(status[field].items()):
                page.field(name, value, 1)
    _system(page, one, as_map(status.get("nodeInfo")))
    _pods(page, one, around)
    events(page, around.events(one))


def _roles(labels: Mapping[str, str]) -> list[str]:
    found_roles = {key.removeprefix(_ROLE) for key in labels if key.startswith(_ROLE)}
    found_roles.add(labels.get("kubernetes.io/role", ""))
    return sorted(filter(None, found_roles))


def _taint(each: Object) -> str:
    key, value, effect = (each.get(field) or "" for field in ("key", "value", "effect"))
    if not effect:
        return f"{key}={value}:" if value else str(key)
    return f"{key}={value}:{effect}" if value else f"{key}:{effect}"


def _lease(page: Page, one: Object, around: ClusterView) -> None:
    name = one["metadata"]["name"]
    lease = around.get("coordination.k8s.io/v1", "Lease", "kube-node-lease", name)
    if lease is None:
        page.field("Lease", f'Failed to get lease: leases.coordination.k8s.io "{name}" not found')
        return
    spec = as_map(lease.get("spec"))
    page.line(0, "Lease:")
    page.field("HolderIdentity", spec.get("holderIdentity", UNSET), 1)
    for field, title in (("acquireTime", "AcquireTime"), ("renewTime", "RenewTime")):
        page.field(title, time(spec[field]) if spec.get(field) else UNSET, 1)


def _conditions(page: Page, known: list[Object]) -> None:
    if not known:
        return
    page.line(0, "Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage")
    page.line(1, "----\t------\t-----------------\t------------------\t------\t-------")
    for each in known:
        times = f"{time(each.get('lastHeartbeatTime'))} \t{time(each.get('lastTransitionTime'))}"
        details = f"{each.get('reason', '')} \t{each.get('message', '')}"
        page.line(1, f"{each.get('type')} \t{each.get('status')} \t{times} \t{details}")


def _system(page: Page, one: Object, info: Object) -> None:
    page.line(0, "System Info:")
    for field, title in (
        ("machineID", "Machine ID"),
        ("systemUUID", "System UUID"),
        ("bootID", "Boot ID"),
        ("kernelVersion", "Kernel Version"),
        ("osImage", "OS Image"),
        ("operatingSystem", "Operating System"),
        ("architecture", "Architecture"),
        ("containerRuntimeVersion", "Container Runtime Version"),
        ("kubeletVersion", "Kubelet Version"),
    ):
        page.field(title, info.get(field, ""), 1)
    spec = as_map(one.get("spec"))
    addresses = ",".join(as_list(spec.get("podCIDRs")))
    page.fields(0, {"PodCIDR": spec.get("podCIDR"), "PodCIDRs": addresses, "ProviderID": spec.get("providerID")})


# ---- resource requests of its Pods -----------------------------------------------------------------------------------


def _pods(page: Page, one: Object, around: ClusterView) -> None:
    name = one["metadata"]["name"]
    own = [
        pod
        for pod in around.all("v1", "Pod", None)
        if get_path(pod, "spec.nodeName") == name and get_path(pod, "status.phase") not in _ENDED
    ]
    there = as_map(get_path(one, "status.allocatable")) or as_map(get_path(one, "status.capacity"))
    page.field("Non-terminated Pods", f"({len(own)} in total)")
    page.line(1, "Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge")
    page.line(1, "---------\t----\t\t------------\t----------\t---------------\t-------------\t---")
    total: dict[str, dict[str, Decimal]] = {"requests": {}, "limits": {}}
    for pod in own:
        sums = {field: _sum(pod, field) for field in total}
        for field, amounts in sums.items():
            for key, value in amounts.items():
                total[field][key] = total[field].get(key, Decimal(0)) + value
        cells = [_cell(sums[field], key, there) for key in ("cpu", "memory") for field in ("requests", "limits")]
        metadata = pod["metadata"]
        row = [metadata.get("namespace", ""), metadata["name"], "", *cells, age(metadata.get("creationTimestamp"))]
        page.line(1, "\t".join(row))
    _total(page, total, there)


def _sum(pod: Object, field: str) -> dict[str, Decimal]:
    result: dict[str, Decimal] = {}
    for each in as_list(get_path(pod, "spec.containers")):
        for key, value in as_map(get_path(each, f"resources.{field}")).items():
            result[key] = result.get(key, Decimal(0)) + (amount(value) or Decimal(0))
    return result


def _cell(amounts: Mapping[str, Decimal], key: str, there: Object) -> str:
    value = amounts.get(key, Decimal(0))
    whole = amount(there.get(key, 0)) or Decimal(0)
    return f"{_text(key, value)} ({int(value / whole * 100) if whole else 0}%)"


def _text(key: str, value: Decimal) -> str:
    if not value:
        return "0"
    if key != "cpu" and value % 1024 == 0:
        return canonical(f"{int(value) // 1024}Ki")
    return canonical(f"{value:f}")


def _total(page: Page, total: Mapping[str, Mapping[str, Decimal]], there: Object) -> None:
    page.line(0, "Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)")
    page.line(1, "Resource\tRequests\tLimits")
    page.line(1, "--------\t--------\t------")
    huge = sorted(key for key in there if key.startswith("hugepages-"))
    for key in ("cpu", "memory", "ephemeral-storage", *huge):
        page.line(1, f"{key}\t{_cell(total['requests'], key, there)}\t{_cell(total['limits'], key, there)}")
    for key in sorted(key for key in there if key not in _USUAL and key not in huge):
        values = (_text(key, total[field].get(key, Decimal(0))) for field in ("requests", "limits"))
        page.line(1, "\t".join((key, *values)))
