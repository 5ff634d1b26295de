"""Changes between releases that no specification shows, one row for each, with a reference.

Examples are a removed plugin, an annotation that is no longer read, or a stricter check. The object is stored as
before, or rejected, and its specification has not changed.

Removed versions are in `deprecated`. Server warnings come from the checks of the embedded cluster.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ..apiserver.kinds.deprecated import lifecycle
from ..apiserver.unchecked import as_map

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Object = dict[str, Any]
    Here = tuple[str, Any]
    """A place and the value there."""

POD_SPECS = {
    "Pod": "spec",
    "PodTemplate": "template.spec",
    "CronJob": "spec.jobTemplate.spec.template.spec",
    **dict.fromkeys(
        ("DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet"), "spec.template.spec"
    ),
}
"""The path of the pod spec in each kind."""


class Hazard(NamedTuple):
    """One change: its release, the affected objects, and its effect."""

    since: str
    """The first release with the change."""
    sort: str
    """The effect: inert, `refused`, changed or deprecated."""
    severity: str
    kinds: tuple[str, ...]
    path: str
    """The field. `*` is every element, and `pod:` the pod spec, wherever the kind has it."""
    holds: Callable[[Any, Object], bool]
    """Whether a value at the path is affected. The object is the second argument."""
    text: str
    advice: str
    source: str


def _is_there(value: Any, _: Object) -> bool:
    return value is not None


def _is(*values: Any) -> Callable[[Any, Object], bool]:
    return lambda value, _: value in values


def _tolerates_old_only(value: Any, _: Object) -> bool:
    """Whether a list of tolerations contains the old control-plane taint, but not the new one."""
    keys = [one.get("key") for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    return _MASTER in keys and not any(one in keys for one in (_CONTROL_PLANE, None, ""))


def _scales_what_is_gone(value: Any, _: Object) -> bool:
    target = as_map(value)
    found = lifecycle(str(target.get("apiVersion", "")), str(target.get("kind", "")))
    return found is not None and found.gone == "1.16"


def _is_about(group: str, *resources: str) -> Callable[[Any, Object], bool]:
    """Whether an RBAC rule names these resources of a group, and no other group."""

    def holds(value: Any, _: Object) -> bool:
        rule = as_map(value)
        named = rule.get("resources")
        return rule.get("apiGroups") == [group] and isinstance(named, list) and any(one in named for one in resources)

    return holds


_MASTER, _CONTROL_PLANE = "node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane"
_PODS = tuple(POD_SPECS)


class _Driver(NamedTuple):
    """An in-tree plugin whose volumes a CSI driver handles now."""

    field: str
    """The field of the volume source."""
    provisioner: str
    """The suffix of `kubernetes.io/...`, the provisioner of a StorageClass."""
    driver: str
    gate: str
    migrated: str
    """The first release in which the gate is on by default, so the CSI driver replaces the plugin."""
    removed: str
    """The first release without the plugin, by `pkg/volume` in the source code."""


_DRIVERS = (
    _Driver("awsElasticBlockStore", "aws-ebs", "ebs.csi.aws.com", "AWS", "1.23", "1.27"),
    _Driver("azureDisk", "azure-disk", "disk.csi.azure.com", "AzureDisk", "1.23", "1.27"),
    _Driver("azureFile", "azure-file", "file.csi.azure.com", "AzureFile", "1.24", "1.30"),
    _Driver("cinder", "cinder", "cinder.csi.openstack.org", "OpenStack", "1.18", "1.26"),
    _Driver("gcePersistentDisk", "gce-pd", "pd.csi.storage.gke.io", "GCE", "1.23", "1.28"),
    _Driver("portworxVolume", "portworx-volume", "pxd.portworx.com", "Portworx", "1.31", "1.36"),
    _Driver("vsphereVolume", "vsphere-volume", "csi.vsphere.vmware.com", "vSphere", "1.25", "1.30"),
)
_PROVISIONERS = (
    ("cephfs", "1.31", "changelog of 1.28 and API server warning of 1.31"),
    ("glusterfs", "1.26", "changelog of 1.26"),
    ("flocker", "1.25", "changelog of 1.25"),
    ("quobyte", "1.25", "changelog of 1.25"),
    ("rbd", "1.31", "changelog of 1.28 and API server warning of 1.31"),
    ("scaleio", "1.22", "changelog of 1.22"),
    ("storageos", "1.25", "changelog of 1.25"),
)


def _plugins() -> Iterator[Hazard]:
    for one in _DRIVERS:
        gate = f"CSIMigration{one.gate}"
        before = f"1.{int(one.removed.partition('.')[2]) - 1}"
        changes = (
            (
                one.migrated,
                "changed",
                f"the CSI driver {one.driver} handles the volume instead of the in-tree plugin",
                f"gate {gate}, on by default since {one.migrated}",
            ),
            (
                one.removed,
                "inert",
                f"the in-tree plugin was removed, so the volume requires the CSI driver {one.driver}",
                f"source code of {before} and {one.removed}",
            ),
        )
        places = (
            (_PODS, f"pod:volumes.*.{one.field}", _is_there),
            (("PersistentVolume",), f"spec.{one.field}", _is_there),
            (("StorageClass",), "provisioner", _is(f"kubernetes.io/{one.provisioner}")),
        )
        for since, sort, text, source in changes:
            for kinds, path, holds in places:
                advice = f"install the CSI driver {one.driver} before the upgrade"
                yield Hazard(since, sort, "notable", kinds, path, holds, text, advice, source)
    for name, since, source in _PROVISIONERS:
        yield Hazard(
            since,
            "inert",
            "breaking",
            ("StorageClass",),
            "provisioner",
            _is(f"kubernetes.io/{name}"),
            "the in-tree plugin was removed, so no volume is provisioned",
            "use the StorageClass of a CSI driver",
            source,
        )


HAZARDS = (
    *_plugins(),
    Hazard(
        "1.24",
        "inert",
        "notable",
        _PODS,
        "pod:tolerations",
        _tolerates_old_only,
        f"since 1.24, control plane nodes of kubeadm have the taint {_CONTROL_PLANE}, and since 1.25 no "
        f"longer {_MASTER}, so these Pods are not scheduled there",
        f"also tolerate {_CONTROL_PLANE}",
        "changelogs of 1.24 and 1.25",
    ),
    Hazard(
        "1.24",
        "inert",
        "notable",
        _PODS,
        f"pod:nodeSelector.{_MASTER}",
        _is_there,
        "kubeadm no longer sets this label, so no node matches",
        f"select {_CONTROL_PLANE}",
        "changelog of 1.24",
    ),
    Hazard(
        "1.22",
        "changed",
        "notable",
        _PODS,
        "pod:terminationGracePeriodSeconds",
        lambda value, _: isinstance(value, int) and value < 0,
        "a negative value counts as one second",
        "set a positive number of seconds",
        "changelog of 1.22",
    ),
    Hazard(
        "1.24",
        "inert",
        "breaking",
        ("Service", "Endpoints"),
        "metadata.annotations.service.alpha.kubernetes.io/tolerate-unready-endpoints",
        _is("true"),
        "the annotation is ignored, so Pods that are not ready are left out",
        "set spec.publishNotReadyAddresses",
        "changelog of 1.24",
    ),
    Hazard(
        "1.27",
        "deprecated",
        "notable",
        ("Service",),
        "metadata.annotations.service.kubernetes.io/topology-aware-hints",
        _is_there,
        "the annotation is deprecated",
        "use service.kubernetes.io/topology-mode",
        "changelog of 1.27",
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
        "changelog of 1.24",
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
        "KEP 5707, and the warning of the server",
    ),
    Hazard(
        "1.18",
        "deprecated",
        "info",
        ("Ingress",),
        "metadata.annotations.kubernetes.io/ingress.class",
        _is_there,
        "the annotation is deprecated",
        "set spec.ingressClassName",
        "changelog of 1.18",
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
        "deprecation guide, 1.16",
    ),
    Hazard(
        "1.25",
        "inert",
        "notable",
        ("Role", "ClusterRole"),
        "rules.*",
        _is_about("policy", "podsecuritypolicies"),
        "PodSecurityPolicy was removed, so the rule has no effect",
        "remove the rule, and label the namespaces for Pod Security Admission",
        "deprecation guide, 1.25",
    ),
    Hazard(
        "1.16",
        "inert",
        "notable",
        ("Role", "ClusterRole"),
        "rules.*",
        _is_about("extensions", "daemonsets", "deployments", "replicasets", "networkpolicies", "podsecuritypolicies"),
        "the group extensions no longer has these resources, so the rule grants nothing there",
        "use the groups apps, networking.k8s.io and policy",
        "deprecation guide, 1.16",
    ),
    Hazard(
        "1.22",
        "inert",
        "notable",
        ("Role", "ClusterRole"),
        "rules.*",
        _is_about("extensions", "ingresses", "ingresses/status"),
        "the group extensions no longer has Ingress, so the rule grants nothing there",
        "use the group networking.k8s.io",
        "deprecation guide, 1.22",
    ),
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


def hazards_of(content: Object) -> Iterator[tuple[Hazard, str]]:
    """The hazards of an object in any release, each with its place."""
    kind = str(content.get("kind"))
    for hazard in HAZARDS:
        if kind in hazard.kinds:
            for place, value in _at(content, hazard.path.replace("pod:", f"{POD_SPECS.get(kind, '')}.")):
                if hazard.holds(value, content):
                    yield hazard, place


def _at(content: Object, path: str) -> Iterator[Here]:
    """The places that a path matches, with their values. The key of an annotation or label is one step."""
    steps = _steps(path)
    found: list[Here] = [("", content)]
    for step in steps:
        found = [
            (f"{place}{one}" if one.startswith("[") else f"{place}.{one}".removeprefix("."), inner)
            for place, value in found
            for one, inner in _inside(value, step)
        ]
    return iter(found)


def _steps(path: str) -> list[str]:
    for map_of_keys in ("metadata.annotations.", "nodeSelector."):
        before, found, key = path.partition(map_of_keys)
        if found:
            return [*filter(None, before.split(".")), *filter(None, map_of_keys.split(".")), key]
    return path.split(".")


def _inside(value: Any, step: str) -> Iterator[Here]:
    if step == "*" and isinstance(value, list):
        for index, inner in enumerate(value):
            yield f"[{index}]", inner
    elif isinstance(value, dict) and step in value:
        yield (step if "." not in step else f"[{step}]"), value[step]
