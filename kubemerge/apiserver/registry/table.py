"""The table of records: the modules of this package by group, imported on first use."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..kinds.builtin_kinds import stored_in

if TYPE_CHECKING:
    from .record import KindRecord

MODULES: dict[str, tuple[str, ...]] = {
    "": (
        *("core", "workloads", "quotas", "endpoints"),
        *("events", "nodes", "pod_templates", "persistent_volumes"),
    ),
    "admissionregistration.k8s.io": ("admission_policies", "webhooks"),
    "apiextensions.k8s.io": ("definitions",),
    "apiregistration.k8s.io": ("api_services",),
    "apps": ("workloads", "pod_templates"),
    "autoscaling": ("autoscalers",),
    "batch": ("workloads",),
    "certificates.k8s.io": ("certificates", "pod_certificates"),
    "coordination.k8s.io": ("priority_classes",),
    "discovery.k8s.io": ("endpoints",),
    "flowcontrol.apiserver.k8s.io": ("flow_control",),
    "networking.k8s.io": ("ip_addresses", "ingresses", "network_policies"),
    "node.k8s.io": ("priority_classes",),
    "policy": ("disruption_budgets", "pod_security_policies"),
    "rbac.authorization.k8s.io": ("roles",),
    "resource.k8s.io": ("resource_claims", "resource_claim_status", "resource_slices", "device_taints"),
    "scheduling.k8s.io": ("priority_classes",),
    "storage.k8s.io": ("storage_classes", "csi_drivers"),
    "storagemigration.k8s.io": ("storage_migrations",),
}
"""The modules of each group. Each has `RECORDS`."""


def find(api_version: Any, kind: Any) -> KindRecord | None:
    """Return the record of a kind in this apiVersion, or None."""
    if not (isinstance(api_version, str) and isinstance(kind, str)):
        return None
    return _find(api_version, kind)


@lru_cache(maxsize=512)
def _find(api_version: str, kind: str) -> KindRecord | None:
    group = stored_in(api_version.rpartition("/")[0], kind)
    for module in MODULES.get(group, ()):
        for record in records_in(module):
            if (record.group, record.kind) == (group, kind) and api_version in record.versions:
                return record
    return None


def records_in(module: str) -> tuple[KindRecord, ...]:
    """Return the records of one module."""
    found: tuple[KindRecord, ...] = import_module(f".{module}", __package__).RECORDS
    return found


def all_records() -> tuple[KindRecord, ...]:
    """Return every record, module by module."""
    modules = dict.fromkeys(module for modules in MODULES.values() for module in modules)
    return tuple(record for module in modules for record in records_in(module))
