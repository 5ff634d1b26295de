"""What kinds are called besides their names: short names, plurals, and which version of several comes first."""

from __future__ import annotations

import re

SHORT_NAMES = {
    "cj": "CronJob",
    "cm": "ConfigMap",
    "crd": "CustomResourceDefinition",
    "cs": "ComponentStatus",
    "csr": "CertificateSigningRequest",
    "deploy": "Deployment",
    "ds": "DaemonSet",
    "ep": "Endpoints",
    "ev": "Event",
    "hpa": "HorizontalPodAutoscaler",
    "ing": "Ingress",
    "limits": "LimitRange",
    "netpol": "NetworkPolicy",
    "no": "Node",
    "ns": "Namespace",
    "pc": "PriorityClass",
    "pdb": "PodDisruptionBudget",
    "po": "Pod",
    "pv": "PersistentVolume",
    "pvc": "PersistentVolumeClaim",
    "quota": "ResourceQuota",
    "rc": "ReplicationController",
    "rs": "ReplicaSet",
    "sa": "ServiceAccount",
    "sc": "StorageClass",
    "sts": "StatefulSet",
    "svc": "Service",
}
"""The short names that kubectl's users type, with the kind each means."""

_MATURITY = re.compile(r"v(\d+)(?:(alpha|beta)(\d+))?\Z")
_MOVED_AWAY = frozenset({"extensions", "events.k8s.io"})
"""Groups whose kinds also live in another group, which is the one that is meant."""


def plural(kind: str) -> str:
    """The plural by which kubectl's resources are called."""
    name = kind.lower()
    if name.endswith(("s", "x", "ch")):
        return name if name == "endpoints" else f"{name}es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"


def rank(api_version: str) -> tuple[bool, int, int, int]:
    """Stable before beta before alpha, a later version before an earlier one."""
    group, _, version = api_version.rpartition("/")
    found = _MATURITY.match(version)
    if not found:
        return False, 0, 0, 0
    stage = {None: 2, "beta": 1, "alpha": 0}[found[2]]
    return group not in _MOVED_AWAY, stage, int(found[1]), int(found[3] or 0)
