"""Describe ConfigMaps, Secrets, service accounts, namespaces and their limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...apiserver.unchecked import as_list, as_map, get_path
from .page import NONE
from .parts import events, head, marks, time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...cluster import Object
    from .page import Page
    from .parts import ClusterView


def config_map(page: Page, one: Object, around: ClusterView) -> None:
    """A ConfigMap, with its data."""
    head(page, one)
    page.line(0, "\nData\n====")
    for key, value in sorted(as_map(one.get("data")).items()):
        page.line(0, f"{key}:\n----")
        page.line(0, value)
        page.line(0)
    page.line(0, "\nBinaryData\n====")
    for key, value in sorted(as_map(one.get("binaryData")).items()):
        page.line(0, f"{key}: {_length(value)} bytes")
    page.line(0)
    events(page, around.events(one))


def secret(page: Page, one: Object, _: ClusterView) -> None:
    """A Secret, with the length of its data only."""
    head(page, one)
    page.line(0, f"\nType:\t{one.get('type', '')}")
    page.line(0, "\nData\n====")
    for key, value in sorted(as_map(one.get("data")).items()):
        page.line(0, f"{key}:\t{_length(value)} bytes")


def _length(encoded: Any) -> int:
    text = str(encoded)
    return len(text) * 3 // 4 - text[-2:].count("=")


def service_account(page: Page, one: Object, around: ClusterView) -> None:
    """A ServiceAccount."""
    head(page, one)
    names = [str(each.get("name", "")) for each in as_list(one.get("imagePullSecrets"))] or [NONE]
    for index, name in enumerate(names):
        page.line(0, f"{' ' * len('Image pull secrets:') if index else 'Image pull secrets:'}\t{name}")
    events(page, around.events(one))


# ---- namespaces ------------------------------------------------------------------------------------------------------


def namespace(page: Page, one: Object, around: ClusterView) -> None:
    """A Namespace, with its quotas and limits."""
    name = one["metadata"]["name"]
    page.field("Name", name)
    marks(page, one)
    page.field("Status", get_path(one, "status.phase") or "")
    known = as_list(get_path(one, "status.conditions"))
    if known:
        page.line(0, "Conditions:")
        titles = ("Type", "Status", "LastTransitionTime", "Reason", "Message")
        page.table(1, titles, (_condition(each) for each in known))
    page.line(0)
    _quotas(page, sorted(around.all("v1", "ResourceQuota", name), key=lambda each: str(each["metadata"]["name"])))
    page.line(0)
    _limit_ranges(page, list(around.all("v1", "LimitRange", name)))


def _condition(each: Object) -> Sequence[str]:
    return (
        str(each.get("type")),
        str(each.get("status")),
        time(each.get("lastTransitionTime")),
        str(each.get("reason", "")),
        str(each.get("message", "")),
    )


_MATCHES = "Matches all pods that"
_SCOPES = {
    "Terminating": f"{_MATCHES} have an active deadline. These pods have a limited lifespan on a node before being "
    "actively terminated by the system.",
    "NotTerminating": f"{_MATCHES} do not have an active deadline. These pods usually include long running pods whose "
    "container command is not expected to terminate.",
    "BestEffort": f"{_MATCHES} do not have resource requirements set. "
    "These pods have a best effort quality of service.",
    "NotBestEffort": f"{_MATCHES} have at least one resource requirement set. "
    "These pods have a burstable or guaranteed quality of service.",
}


def _scopes(page: Page, one: Object, level: int, mark: str) -> None:
    scopes = sorted(as_list(get_path(one, "spec.scopes")))
    if scopes:
        page.field("Scopes", ", ".join(scopes), level)
    for scope in scopes:
        if scope in _SCOPES:
            page.line(level, f"{mark}{_SCOPES[scope]}")


def _quotas(page: Page, quotas: Sequence[Object]) -> None:
    if not quotas:
        page.line(0, "No resource quota.")
        return
    page.line(0, "Resource Quotas")
    for one in quotas:
        page.field("Name", one["metadata"]["name"], 1)
        _scopes(page, one, 1, "* ")
        page.line(1, "Resource\tUsed\tHard")
        page.line(1, "--------\t---\t---")
        _used(page, one, 1)


def quota(page: Page, one: Object, _: ClusterView) -> None:
    """A ResourceQuota."""
    page.field("Name", one["metadata"]["name"])
    page.field("Namespace", one["metadata"].get("namespace", ""))
    _scopes(page, one, 0, " * ")
    page.line(0, "Resource\tUsed\tHard")
    page.line(0, "--------\t----\t----")
    _used(page, one, 0)


def _used(page: Page, one: Object, level: int) -> None:
    used = as_map(get_path(one, "status.used"))
    for name, hard in sorted(as_map(get_path(one, "status.hard")).items()):
        page.line(level, f"{name}\t{used.get(name, '0')}\t{hard}")


_LIMITS = ("Type", "Resource", "Min", "Max", "Default Request", "Default Limit", "Max Limit/Request Ratio")
_FIELDS = ("min", "max", "defaultRequest", "default", "maxLimitRequestRatio")


def limit_range(page: Page, one: Object, _: ClusterView) -> None:
    """A LimitRange."""
    page.field("Name", one["metadata"]["name"])
    page.field("Namespace", one["metadata"].get("namespace", ""))
    page.table(0, _LIMITS, _limits(one))


def _limit_ranges(page: Page, ranges: Sequence[Object]) -> None:
    if not ranges:
        page.line(0, "No LimitRange resource.")
        return
    page.line(0, "Resource Limits")
    rows = (row for one in ranges for row in _limits(one))
    titles = [f" {title}" if title == "Type" else title for title in _LIMITS]
    page.line(0, "\t".join(titles))
    page.line(0, "\t".join(f" {'-' * 4}" if title == " Type" else "-" * len(title) for title in titles))
    for row in rows:
        page.line(0, " " + "\t".join(row))


def _limits(one: Object) -> Sequence[Sequence[str]]:
    rows = []
    for item in as_list(get_path(one, "spec.limits")):
        names = sorted({name for field in _FIELDS for name in as_map(item.get(field))})
        for name in names:
            values = (str(as_map(item.get(field)).get(name, "-")) for field in _FIELDS)
            rows.append((str(item.get("type", "")), name, *values))
    return rows
