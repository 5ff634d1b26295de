"""Finding the kind that somebody typed: `deployment`, `Deployments`, `deploy`, or with an apiVersion."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine import UnknownKind

if TYPE_CHECKING:
    from engine import Schema, Tables

SHORT_NAMES = {
    "cj": "CronJob",
    "cm": "ConfigMap",
    "crd": "CustomResourceDefinition",
    "deploy": "Deployment",
    "ds": "DaemonSet",
    "ep": "Endpoints",
    "hpa": "HorizontalPodAutoscaler",
    "ing": "Ingress",
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


def find(tables: Tables, word: str, api_version: str | None = None) -> Schema:
    """The schema of a kind as people type it; of several apiVersions the most stable one."""
    wanted = {word.lower(), SHORT_NAMES.get(word.lower(), word).lower()}
    found = [
        key for key in tables.kinds() if wanted & {key[1].lower(), plural(key[1])} and api_version in (None, key[0])
    ]
    if found:
        return tables.schema(*max(found, key=lambda key: (_rank(key[0]), key)))
    if api_version:
        return tables.schema(api_version, word)
    near = sorted({key for key in tables.kinds() if key[1].lower().startswith(word.lower())})[:3]
    raise UnknownKind("any", word, release=tables.release, near=near)


def plural(kind: str) -> str:
    """The plural by which kubectl's resources are called."""
    name = kind.lower()
    if name.endswith(("s", "x", "ch")):
        return name if name == "endpoints" else f"{name}es"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}s"


def _rank(api_version: str) -> tuple[bool, int, int, int]:
    """Stable before beta before alpha, a later version before an earlier one."""
    group, _, version = api_version.rpartition("/")
    found = _MATURITY.match(version)
    if not found:
        return False, 0, 0, 0
    stage = {None: 2, "beta": 1, "alpha": 0}[found[2]]
    return group not in _MOVED_AWAY, stage, int(found[1]), int(found[3] or 0)
