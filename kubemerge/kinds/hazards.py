"""Changes between releases that no specification shows, one row for each, with a reference.

Examples are a removed plugin, an annotation that is no longer read, or a stricter check. The object is stored as
before, or rejected, and its specification has not changed.

Removed versions are in `deprecated`. Server warnings come from the checks of the embedded cluster.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from ..apiserver.kinds.deprecated import lifecycle
from ..apiserver.unchecked import as_map
from .hazard import POD_SPECS, PODS, Hazard, concerns, is_set
from .removed_annotations import ANNOTATIONS
from .removed_plugins import plugins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .hazard import Object

    Here = tuple[str, Any]
    """A place and the value there."""


def _scales_what_is_gone(value: Any, _: Object) -> bool:
    target = as_map(value)
    found = lifecycle(str(target.get("apiVersion", "")), str(target.get("kind", "")))
    return found is not None and found.gone == "1.16"


_RULES = (
    ("1.16", "extensions", ("daemonsets", "deployments", "replicasets"), "apps", "pkg/master/master.go of 1.16"),
    ("1.16", "extensions", ("networkpolicies",), "networking.k8s.io", "pkg/master/master.go of 1.16"),
    ("1.16", "extensions", ("podsecuritypolicies",), "policy", "pkg/master/master.go of 1.16"),
    ("1.19", "auditregistration.k8s.io", ("auditsinks",), "", "pkg/apis/auditregistration, gone in 1.19"),
    ("1.20", "settings.k8s.io", ("podpresets",), "", "pkg/apis/settings, gone in 1.20"),
    (
        *("1.22", "extensions", ("ingresses", "ingresses/status"), "networking.k8s.io"),
        "pkg/controlplane/instance.go of 1.22",
    ),
    ("1.25", "policy", ("podsecuritypolicies",), "", "pkg/security/podsecuritypolicy, gone in 1.25"),
    ("1.27", "resource.k8s.io", ("podschedulings",), "", "pkg/registry/resource/podscheduling, gone in 1.27"),
    ("1.29", "networking.k8s.io", ("clustercidrs",), "", "pkg/registry/networking/clustercidr, gone in 1.29"),
    (
        *("1.31", "resource.k8s.io", ("resourceclaimparameters", "resourceclasses", "resourceclassparameters"), ""),
        "pkg/registry/resource/resourceclass, gone in 1.31",
    ),
    (
        *("1.32", "resource.k8s.io", ("podschedulingcontexts",), ""),
        "pkg/registry/resource/podschedulingcontext, gone in 1.32",
    ),
)
"""Resources that a group no longer has: the release, group, resources, group that has them now, and the source."""


def _rules() -> Iterator[Hazard]:
    """Rules of RBAC and of webhooks that name resources that were removed, and no other group."""
    for since, group, resources, successor, source in _RULES:
        text = f"the group {group} no longer has {' or '.join(resources)}, so the rule has no effect there"
        advice = f"use the group {successor}" if successor else "remove the resource from the rule"
        places = (
            (("Role", "ClusterRole"), "rules.*"),
            (("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"), "webhooks.*.rules.*"),
        )
        for kinds, path in places:
            holds = concerns(group, *resources)
            yield Hazard(since, "inert", "notable", kinds, path, holds, text, advice, source)


HAZARDS = (
    *plugins(),
    *ANNOTATIONS,
    Hazard(
        "1.22",
        "changed",
        "notable",
        PODS,
        "pod:terminationGracePeriodSeconds",
        lambda value, _: isinstance(value, int) and value < 0,
        "a negative value counts as one second",
        "set a positive number of seconds",
        "pkg/kubelet/pod_workers.go of 1.22",
    ),
    Hazard(
        "1.24",
        "deprecated",
        "info",
        ("Service",),
        "spec.loadBalancerIP",
        lambda value, _: bool(value),
        "the field is deprecated",
        "use the annotation of the load balancer implementation",
        "k8s.io/api/core/v1/types.go of 1.24",
    ),
    Hazard(
        "1.36",
        "deprecated",
        "notable",
        ("Service",),
        "spec.externalIPs",
        lambda value, _: bool(value),
        "the field is deprecated, and some clusters may no longer implement it",
        "use a Service of type LoadBalancer, or the Gateway API",
        "pkg/api/service/warnings.go of 1.36",
    ),
    Hazard(
        "1.16",
        "inert",
        "breaking",
        ("HorizontalPodAutoscaler",),
        "spec.scaleTargetRef",
        _scales_what_is_gone,
        "the scale target has an apiVersion that was removed, so the object is not scaled",
        "set its apiVersion to apps/v1",
        "pkg/master/master.go of 1.16",
    ),
    Hazard(
        "1.24",
        "changed",
        "notable",
        PODS,
        "pod:volumes.*.hostPath.path",
        lambda value, _: value in ("/var/run/docker.sock", "/run/docker.sock"),
        "the kubelet no longer runs containers with Docker, so nodes need not have the socket",
        "use the API of Kubernetes, or the socket of the container runtime, instead of the socket of Docker",
        "pkg/kubelet/dockershim, gone in 1.24",
    ),
    Hazard(
        "1.24",
        "inert",
        "notable",
        ("Node",),
        "spec.configSource",
        is_set,
        "dynamic kubelet configuration was removed, so the kubelet ignores the field",
        "remove the field, and write the configuration to a file on the node",
        "pkg/features/kube_features.go of 1.24: gate DynamicKubeletConfig is off for good",
    ),
    Hazard(
        "1.36",
        "inert",
        "notable",
        PODS,
        "pod:volumes.*.gitRepo",
        is_set,
        "the feature gate GitRepoVolumeDriver is off for good, so no cluster mounts the volume",
        "use an init container that clones into an emptyDir",
        "pkg/features/kube_features.go of 1.36",
    ),
    Hazard(
        "1.32",
        "deprecated",
        "info",
        PODS,
        "pod:volumes.*.flexVolume",
        is_set,
        "the volume plugin is deprecated",
        "use the CSI driver of the storage",
        "k8s.io/api/core/v1/types.go of 1.32",
    ),
    Hazard(
        "1.32",
        "deprecated",
        "info",
        ("PersistentVolume",),
        "spec.flexVolume",
        is_set,
        "the volume plugin is deprecated",
        "use the CSI driver of the storage",
        "k8s.io/api/core/v1/types.go of 1.32",
    ),
    *_rules(),
)


_INSTEAD = {
    "spec.ipFamily": "use spec.ipFamilies and spec.ipFamilyPolicy",
    "spec.topologyKeys": "use spec.trafficDistribution, or the annotation service.kubernetes.io/topology-mode",
    "metadata.clusterName": "remove the field, which API servers ignore",
    "metadata.initializers": "remove the field, and use an admission webhook",
    "resourceClaims.source": "set resourceClaimName or resourceClaimTemplateName beside the name",
    "ephemeral.readOnly": "set readOnly in the volume mount",
    "workloadRef": "use schedulingGroup",
}
"""The replacements of removed fields, by the end of their path."""


def instead_of(place: str) -> str:
    """The fix for a removed field."""
    plain = re.sub(r"\[[^]]*\]", "", place)
    found = next((way for end, way in _INSTEAD.items() if f".{plain}".endswith(f".{end}")), None)
    return found or "remove the field"


@cache
def _of_kind(kind: str) -> tuple[tuple[Hazard, tuple[str, ...]], ...]:
    """The hazards of a kind, each with the steps of its path."""
    spec = POD_SPECS.get(kind, "")
    meta = f"{spec.removesuffix('spec')}metadata"
    return tuple(
        (one, tuple(_steps(one.path.replace("podmeta:", f"{meta}.").replace("pod:", f"{spec}."))))
        for one in HAZARDS
        if kind in one.kinds
    )


def hazards_of(content: Object) -> Iterator[tuple[Hazard, str]]:
    """The hazards of an object in any release, each with its place."""
    for hazard, steps in _of_kind(str(content.get("kind"))):
        for place, value in _at(content, steps):
            if hazard.holds(value, content):
                yield hazard, place


def _at(content: Object, steps: tuple[str, ...]) -> Iterator[Here]:
    """The places that a path matches, with their values."""
    found: list[Here] = [("", content)]
    for step in steps:
        found = [
            (f"{place}{one}" if one.startswith("[") else f"{place}.{one}".removeprefix("."), inner)
            for place, value in found
            for one, inner in _inside(value, step)
        ]
    return iter(found)


def _steps(path: str) -> list[str]:
    """The steps of a path. The key of an annotation or label is one step."""
    for map_of_keys in ("metadata.annotations.", "metadata.labels.", "nodeSelector."):
        before, found, key = path.partition(map_of_keys)
        if found:
            return [*filter(None, before.split(".")), *filter(None, map_of_keys.split(".")), key]
    return path.split(".")


def _inside(value: Any, step: str) -> Iterator[Here]:
    if step == "*" and isinstance(value, list):
        for index, inner in enumerate(value):
            yield f"[{index}]", inner
    elif step.endswith("*") and isinstance(value, dict):
        for key in value:
            if isinstance(key, str) and key.startswith(step[:-1]):
                yield f"[{key}]", value[key]
    elif isinstance(value, dict) and step in value:
        yield (step if "." not in step else f"[{step}]"), value[step]
