"""The description of each kind, and a generic one for all others."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .page import Page
from .parts import events, go

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...cluster import Object, Resource
    from .parts import ClusterView

_OF: dict[tuple[str, str], str] = {
    ("", "ConfigMap"): "configs.config_map",
    ("", "Endpoints"): "network.endpoints",
    ("", "LimitRange"): "configs.limit_range",
    ("", "Namespace"): "configs.namespace",
    ("", "Node"): "nodes.node",
    ("", "PersistentVolume"): "storage.volume",
    ("", "PersistentVolumeClaim"): "storage.persistent_claim",
    ("", "Pod"): "pods.pod",
    ("", "ReplicationController"): "workloads.replication_controller",
    ("", "ResourceQuota"): "configs.quota",
    ("", "Secret"): "configs.secret",
    ("", "Service"): "network.service",
    ("", "ServiceAccount"): "configs.service_account",
    ("apps", "DaemonSet"): "workloads.daemon_set",
    ("apps", "Deployment"): "workloads.deployment",
    ("apps", "ReplicaSet"): "workloads.replica_set",
    ("apps", "StatefulSet"): "workloads.stateful_set",
    ("autoscaling", "HorizontalPodAutoscaler"): "policies.autoscaler",
    ("batch", "CronJob"): "workloads.cron_job",
    ("batch", "Job"): "workloads.job",
    ("discovery.k8s.io", "EndpointSlice"): "network.endpoint_slice",
    ("networking.k8s.io", "IPAddress"): "network.ip_address",
    ("networking.k8s.io", "Ingress"): "network.ingress",
    ("networking.k8s.io", "IngressClass"): "network.ingress_class",
    ("networking.k8s.io", "NetworkPolicy"): "policies.network_policy",
    ("networking.k8s.io", "ServiceCIDR"): "network.service_cidr",
    ("policy", "PodDisruptionBudget"): "policies.disruption_budget",
    ("rbac.authorization.k8s.io", "ClusterRole"): "access.role",
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"): "access.binding",
    ("rbac.authorization.k8s.io", "Role"): "access.role",
    ("rbac.authorization.k8s.io", "RoleBinding"): "access.binding",
    ("scheduling.k8s.io", "PriorityClass"): "policies.priority_class",
    ("storage.k8s.io", "StorageClass"): "storage.storage_class",
    ("storage.k8s.io", "VolumeAttributesClass"): "storage.attributes_class",
}
"""Kinds with their own description, each with its module and function."""


def described(one: Object, resource: Resource, around: ClusterView) -> str:
    """The description of an object."""
    place = _OF.get((resource.group, resource.kind)) if resource.built_in else None
    if place is None:
        return _written(anything, one, around)
    module, _, name = place.partition(".")
    try:
        return _written(getattr(import_module(f"{__package__}.{module}"), name), one, around)
    except (AttributeError, KeyError, TypeError, ValueError):  # an imported object need not have the form of its kind
        return _written(anything, {key: value for key, value in one.items() if key not in _VALUES}, around)


_VALUES = ("data", "stringData")
"""Fields that are left out for an object that does not have the form of its kind: it may be a Secret."""


def _written(write: Callable[[Page, Object, ClusterView], None], one: Object, around: ClusterView) -> str:
    page = Page()
    write(page, one, around)
    return page.text()


# ---- any object ------------------------------------------------------------------------------------------------------

_PRINTED_ELSEWHERE = {f".metadata.{field}" for field in ("managedFields", "name", "namespace", "labels", "annotations")}
_ACRONYMS = {"API", "URL", "UID", "GUID"}


def anything(page: Page, one: Object, around: ClusterView) -> None:
    """Describe any object: its metadata, and then all of its fields."""
    metadata = one["metadata"]
    page.field("Name", metadata["name"])
    page.field("Namespace", metadata.get("namespace", ""))
    page.labels("Labels", metadata.get("labels"))
    page.annotations("Annotations", metadata.get("annotations"))
    _fields(page, 0, one, "")
    events(page, around.events(one))


def _fields(page: Page, level: int, content: Object, place: str) -> None:
    for field in sorted(content):
        at, value = f"{place}.{field}", content[field]
        if at in _PRINTED_ELSEWHERE:
            continue
        title = title_of(field)
        if isinstance(value, dict):
            page.line(level, f"{title}:")
            _fields(page, level + 1, value, at)
        elif isinstance(value, list):
            page.line(level, f"{title}:")
            for item in value:
                _item(page, level + 1, item, at)
        else:
            page.field(title, go(value), level)


def _item(page: Page, level: int, item: Any, place: str) -> None:
    if isinstance(item, dict):
        _fields(page, level, item, place)
    else:
        page.line(level, go(item))


_RUN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[^A-Za-z]+")


def title_of(field: str) -> str:
    """The name of a field as a title: `apiVersion` is `API Version`."""
    if not all(one.isalpha() or one == "-" for one in field):
        return field
    words = _RUN.findall(field)
    merged: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        behind = words[at + 1] if at + 1 < len(words) else ""
        if len(word) >= 2 and word.isupper() and behind[:1].isupper():
            merged.append(word + behind)
            at += 2
            continue
        merged.append(word)
        at += 1
    return " ".join(map(_word, merged))


def _word(word: str) -> str:
    if word.upper() in _ACRONYMS:
        return word.upper()
    return word.capitalize() if word.islower() else word
