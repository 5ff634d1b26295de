"""The order in which Argo CD syncs objects: phases, waves, kinds and names; and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..metadata import texts_of
from .settings import SYNC_OPTIONS

if TYPE_CHECKING:
    Object = dict[str, Any]

HOOK, WAVE = "argocd.argoproj.io/hook", "argocd.argoproj.io/sync-wave"
HELM_HOOK, HELM_WEIGHT = "helm.sh/hook", "helm.sh/hook-weight"
PHASES = {"PreSync": -1, "Sync": 0, "PostSync": 1}
OTHER_HOOKS = ("SyncFail", "PostDelete", "PreDelete", "Skip")
_OF_HELM = {"pre-install": "PreSync", "pre-upgrade": "PreSync", "post-install": "PostSync", "post-upgrade": "PostSync"}
KINDS = [
    "Namespace",
    "NetworkPolicy",
    "ResourceQuota",
    "LimitRange",
    "PodSecurityPolicy",
    "PodDisruptionBudget",
    "ServiceAccount",
    "Secret",
    "SecretList",
    "ConfigMap",
    "StorageClass",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "CustomResourceDefinition",
    "ClusterRole",
    "ClusterRoleList",
    "ClusterRoleBinding",
    "ClusterRoleBindingList",
    "Role",
    "RoleList",
    "RoleBinding",
    "RoleBindingList",
    "Service",
    "DaemonSet",
    "Pod",
    "ReplicationController",
    "ReplicaSet",
    "Deployment",
    "HorizontalPodAutoscaler",
    "StatefulSet",
    "Job",
    "CronJob",
    "IngressClass",
    "Ingress",
    "APIService",
]
_PLACES = {kind: at - len(KINDS) for at, kind in enumerate(KINDS)}


def annotation(content: Object | None, name: str) -> str:
    """An annotation's text; empty if there is none."""
    if content is None:
        return ""
    value = texts_of(content, "annotations").get(name)
    return value if isinstance(value, str) else ""


def listed(content: Object | None, name: str) -> list[str]:
    """The values of an annotation that is a comma-separated list."""
    return [part.strip() for part in annotation(content, name).split(",") if part.strip()]


def has_option(content: Object | None, option: str) -> bool:
    """Whether the annotation of an object sets a sync option."""
    return option in listed(content, SYNC_OPTIONS)


def hooks_of(content: Object) -> list[str]:
    """The hook types of an object; empty if it is not a hook."""
    found = [one for one in listed(content, HOOK) if one in PHASES or one in OTHER_HOOKS]
    if not found:
        found = [_OF_HELM[one] for one in listed(content, HELM_HOOK) if one in _OF_HELM]
    return [*dict.fromkeys(found)]


def wave_of(content: Object) -> int:
    """The sync wave of an object."""
    for name in (WAVE, HELM_WEIGHT):
        text = annotation(content, name)
        if text.lstrip("+-").isdigit() and text.isascii():
            return int(text)
    return 0


def step_of(content: Object) -> tuple[int, int]:
    """The phase and the wave of an object. All objects of a step are synced together."""
    phases = [PHASES[one] for one in hooks_of(content) if one in PHASES]
    return (phases[0] if phases else 0), wave_of(content)


def sort_key(content: Object) -> tuple[int, str]:
    """The place of an object in its step."""
    return _PLACES.get(content["kind"], 0), content["metadata"].get("name") or ""
