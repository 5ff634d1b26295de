"""The order in which Flux applies objects: stages, and kinds within a stage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    Object = dict[str, Any]

FIRST = [
    "CustomResourceDefinition",
    "Namespace",
    "ClusterRole",
    "ClusterClass",
    "RuntimeClass",
    "PriorityClass",
    "StorageClass",
    "VolumeSnapshotClass",
    "IngressClass",
    "GatewayClass",
    "ClusterRoleBinding",
    "ResourceQuota",
    "ServiceAccount",
    "Role",
    "RoleBinding",
    "ConfigMap",
    "Secret",
    "Service",
    "LimitRange",
    "Deployment",
    "StatefulSet",
    "CronJob",
    "PodDisruptionBudget",
]
LAST = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]
_PLACES = {kind: at - len(FIRST) for at, kind in enumerate(FIRST)} | {kind: at for at, kind in enumerate(LAST, 1)}
DEFINITIONS = frozenset(
    {
        ("apiextensions.k8s.io", "customresourcedefinition"),
        ("", "namespace"),
        ("rbac.authorization.k8s.io", "clusterrole"),
    }
)


def stage_of(content: Object) -> int:
    """The number of an object's stage: cluster definitions, class definitions, then everything else."""
    group = content["apiVersion"].rpartition("/")[0]
    kind = content["kind"]
    if (group, kind.lower()) in DEFINITIONS:
        return 0
    return 1 if kind.endswith("Class") else 2


def sort_key(content: Object) -> tuple[int, str, str, str, str]:
    """The place of an object in its stage."""
    metadata = content["metadata"]
    group, kind = content["apiVersion"].rpartition("/")[0], content["kind"]
    return _PLACES.get(kind, 0), group, kind, metadata.get("namespace") or "", metadata.get("name") or ""
