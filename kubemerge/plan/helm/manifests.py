"""Rendered manifests as Helm sorts them: objects in install order, and hooks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...manifests.objects import Manifest, manifests_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .release import Hook, Release

    Object = dict[str, Any]

INSTALL_ORDER = (
    *("PriorityClass", "Namespace", "NetworkPolicy", "ResourceQuota", "LimitRange", "PodSecurityPolicy"),
    *("PodDisruptionBudget", "ServiceAccount", "Secret", "SecretList", "ConfigMap", "StorageClass"),
    *("PersistentVolume", "PersistentVolumeClaim", "CustomResourceDefinition", "ClusterRole", "ClusterRoleList"),
    *("ClusterRoleBinding", "ClusterRoleBindingList", "Role", "RoleList", "RoleBinding", "RoleBindingList"),
    *("Service", "DaemonSet", "Pod", "ReplicationController", "ReplicaSet", "Deployment", "HorizontalPodAutoscaler"),
    *("StatefulSet", "Job", "CronJob", "IngressClass", "Ingress", "APIService", "MutatingWebhookConfiguration"),
    "ValidatingWebhookConfiguration",
)
"""The order in which Helm sends kinds. Other kinds follow in alphabetical order."""
HOOK, WEIGHT, POLICY = "helm.sh/hook", "helm.sh/hook-weight", "helm.sh/hook-delete-policy"
EVENTS = (
    *("pre-install", "post-install", "pre-delete", "post-delete", "pre-upgrade", "post-upgrade"),
    *("pre-rollback", "post-rollback", "test"),
)
BEFORE_CREATION, SUCCEEDED = "before-hook-creation", "hook-succeeded"
_PLACES = {kind: place for place, kind in enumerate(INSTALL_ORDER)}
_INTEGER = re.compile(r"[+-]?[0-9]+")


class HookObject:
    """A hook: its object, its events, its weight, and the policies that delete it."""

    def __init__(self, manifest: Manifest, events: Sequence[str], weight: int, policies: Sequence[str]) -> None:
        self.manifest, self.events, self.weight = manifest, tuple(events), weight
        self.policies = tuple(policies) or (BEFORE_CREATION,)


def in_install_order(manifests: Iterable[Manifest]) -> list[Manifest]:
    """The manifests in the order in which Helm sends them."""
    return sorted(manifests, key=lambda one: _place(one.content["kind"]))


def _place(kind: str) -> tuple[int, str]:
    known = _PLACES.get(kind)
    return (len(_PLACES), kind) if known is None else (known, "")


def split(manifests: Iterable[Manifest]) -> tuple[list[Manifest], list[HookObject]]:
    """The objects and the hooks of rendered manifests. Objects with an unknown hook are left out, as Helm does."""
    objects, hooks = [], []
    for one in manifests:
        annotations = texts_of(one.content, "annotations")
        kinds = annotations.get(HOOK)
        if kinds is None:
            objects.append(one)
            continue
        events = [_event(name) for name in str(kinds).split(",")]
        if all(name in EVENTS for name in events):
            hooks.append(HookObject(one, events, _weight(annotations), _policies(annotations)))
    hooks.sort(key=lambda hook: _place(hook.manifest.content["kind"]))
    return in_install_order(objects), hooks


def _event(text: str) -> str:
    name = text.strip().lower()
    return "test" if name == "test-success" else name


def _weight(annotations: Object) -> int:
    text = str(annotations.get(WEIGHT, ""))
    return int(text) if _INTEGER.fullmatch(text) and len(text) < 19 else 0


def _policies(annotations: Object) -> list[str]:
    text = annotations.get(POLICY)
    return [] if text is None else [one.strip().lower() for one in str(text).split(",")]


def objects_of(release: Release) -> list[Manifest]:
    """The objects of a release in its order."""
    return [*manifests_in(release.manifest.encode(), release.place)]


def hooks_of(release: Release) -> list[HookObject]:
    """The hooks of a release in its order."""
    return [one for hook in release.hooks for one in _stored(hook, release)]


def _stored(hook: Hook, release: Release) -> Iterator[HookObject]:
    for manifest in manifests_in(hook.manifest.encode(), release.place):
        yield HookObject(manifest, hook.events, hook.weight, hook.policies)


def hooks_for_event(hooks: Iterable[HookObject], event: str) -> list[HookObject]:
    """The hooks of an event in the order in which Helm runs them."""
    found = [one for one in hooks if event in one.events]
    return sorted(found, key=lambda one: (one.weight, one.manifest.content["metadata"].get("name") or ""))


def texts_of(content: Object, field: str) -> Object:
    """The `labels` or `annotations` of an object. Empty if they are missing or not a map."""
    metadata = content.get("metadata")
    found = metadata.get(field) if isinstance(metadata, dict) else None
    return found if isinstance(found, dict) else {}


def is_definition(content: Object) -> bool:
    """Whether an object is a CustomResourceDefinition."""
    return bool(content["kind"] == "CustomResourceDefinition")


def kind_of(definition: Object) -> tuple[Any, Any]:
    """The group and kind that a CustomResourceDefinition defines."""
    spec = definition.get("spec")
    known = spec if isinstance(spec, dict) else {}
    names = known.get("names")
    return known.get("group"), names.get("kind") if isinstance(names, dict) else None
