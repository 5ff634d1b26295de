"""The status of new objects, as a server's strategies set and print it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.plain import copied

from ..decoding.always_printed import always_printed_fields, minor_of
from ..unchecked import as_map, find_condition, maps
from .feature_gates import is_on
from .qos import qos_class
from .strategy import VOLUME_KEPT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine import Schema

    from ..protocol import Object, Resource

_BALANCED: Any = {"loadBalancer": {}}
_PENDING: Any = {"phase": "Pending"}
_NODE_INFO = (
    "architecture",
    "bootID",
    "containerRuntimeVersion",
    "kernelVersion",
    "kubeProxyVersion",
    "kubeletVersion",
    "machineID",
    "operatingSystem",
    "osImage",
    "systemUUID",
)
_NODE: Any = {"daemonEndpoints": {"kubeletEndpoint": {"Port": 0}}, "nodeInfo": dict.fromkeys(_NODE_INFO, "")}
STATUSES: dict[tuple[str, str], Any] = {
    ("", "Namespace"): {"phase": "Active"},
    ("", "Node"): _NODE,
    ("", "PersistentVolume"): _PENDING,
    ("", "PersistentVolumeClaim"): _PENDING,
    ("", "Pod"): _PENDING,
    ("", "ReplicationController"): {"replicas": 0},
    ("", "Service"): _BALANCED,
    ("apps", "DaemonSet"): dict.fromkeys(
        ("currentNumberScheduled", "desiredNumberScheduled", "numberMisscheduled", "numberReady"), 0
    ),
    ("apps", "ReplicaSet"): {"replicas": 0},
    ("apps", "StatefulSet"): {"replicas": 0},
    ("autoscaling", "HorizontalPodAutoscaler"): {"currentMetrics": None, "desiredReplicas": 0},
    ("networking.k8s.io", "Ingress"): _BALANCED,
    ("policy", "PodDisruptionBudget"): dict.fromkeys(
        ("currentHealthy", "desiredHealthy", "disruptionsAllowed", "expectedPods"), 0
    ),
    ("storage.k8s.io", "VolumeAttachment"): {"attached": False},
}
"""The printed status where it differs from `status: {}`. Fields missing in a release are left out."""
VOLUME = ("", "PersistentVolume")
GATES_TIMED_SINCE = 31
"""The first minor release in which the condition of a Pod with scheduling gates has a time."""
LOCAL_API = ("apiregistration.k8s.io", "APIService")
ALWAYS_AVAILABLE = {
    "message": "Local APIServices are always available",
    "reason": "Local",
    "status": "True",
    "type": "Available",
}
"""The condition of an APIService without another server."""
EMPTY = frozenset(
    {
        ("", "ResourceQuota"),
        ("admissionregistration.k8s.io", "ValidatingAdmissionPolicy"),
        ("apiregistration.k8s.io", "APIService"),
        ("apps", "Deployment"),
        ("batch", "CronJob"),
        ("batch", "Job"),
        ("certificates.k8s.io", "CertificateSigningRequest"),
        ("certificates.k8s.io", "PodCertificateRequest"),
        ("flowcontrol.apiserver.k8s.io", "FlowSchema"),
        ("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"),
        ("networking.k8s.io", "NetworkPolicy"),
        ("networking.k8s.io", "ServiceCIDR"),
        ("resource.k8s.io", "DeviceTaintRule"),
        ("resource.k8s.io", "ResourceClaim"),
        ("storage.k8s.io", "CSINode"),
        ("storagemigration.k8s.io", "StorageVersionMigration"),
    }
)
"""The kinds whose new objects are printed with an empty status."""


def _always(schema: Schema) -> Iterator[tuple[str, Any]]:
    """The status fields that are always printed, with their zeros."""
    rule: Any = schema.rule("status")  # every kind with a status has the field
    owner = str(rule.of)
    fields = schema.types[owner].fields if owner in schema.types else {}
    printed = always_printed_fields(owner, minor_of(schema.types))
    return ((field, zero) for field, zero in printed if field in fields and zero not in ({}, None))


def with_status(content: Object, resource: Resource, schema: Schema, now: str, minor: int) -> Object:
    """Return a new object with its initial status."""
    if not resource.has_status or not resource.built_in:
        return content
    kind = (resource.group, resource.kind)
    status = STATUSES.get(kind) or ({} if kind in EMPTY else None)
    if isinstance(content.get("status"), dict) and (
        kind != VOLUME or minor == VOLUME_KEPT
    ):  # of the kinds that may be created with one
        return {**content, "status": {**copied(status or {}), **content["status"]}}
    if status is None:
        return content
    made = {field: copied(value) for field, value in status.items() if schema.rule(f"status.{field}") is not None}
    made |= {field: copied(zero) for field, zero in _always(schema) if field not in made}
    if kind == ("", "Pod"):
        gated_since = now if minor >= GATES_TIMED_SINCE else None
        made |= _of_pod(as_map(content.get("spec")), schema, gated_since)
    if kind == LOCAL_API and as_map(content.get("spec")).get("service") is None:
        made["conditions"] = [{"lastTransitionTime": now, **ALWAYS_AVAILABLE}]
    if kind == VOLUME and is_on("PersistentVolumeLastPhaseTransitionTime", minor):
        made["lastPhaseTransitionTime"] = now
    return {**content, "status": made}


BLOCKED = "Scheduling is blocked due to non-empty scheduling gates"


def _of_pod(spec: Object, schema: Schema, now: str | None) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if any(maps(spec, "schedulingGates")):
        times = {"lastProbeTime": None, "lastTransitionTime": now}
        said = {"message": BLOCKED, "reason": "SchedulingGated", "status": "False", "type": "PodScheduled"}
        made["conditions"] = [{**times, **said}]
    if schema.rule("status.qosClass") is not None:
        made["qosClass"] = qos_class(spec)
    return made


def with_times(content: Object, live: Object, now: str) -> Object:
    """Return an object after an update of its status, with the times that the server sets."""
    noted = TIMES.get((content["apiVersion"], content["kind"]))
    return noted(content, live, now) if noted else content


def _of_phase(content: Object, live: Object, now: str) -> Object:
    """Set the time of the last phase transition of a PersistentVolume. A decoded null is the zero time of Go."""
    status, before = as_map(content.get("status")), as_map(live.get("status"))
    since = before.get(SINCE) if status.get("phase") == before.get("phase") else now
    if SINCE not in before or (SINCE in status and status[SINCE] != before[SINCE]):
        return content
    return {**content, "status": {**status, SINCE: since}}


def _of_conditions(content: Object, live: Object, now: str) -> Object:
    """Set missing times of conditions of a CertificateSigningRequest."""
    status, before = as_map(content.get("status")), as_map(live.get("status"))
    if not status.get("conditions"):
        return content
    since = {
        (one.get("type"), one.get("status")): one["lastTransitionTime"]
        for _, one in maps(before, "conditions")
        if one.get("lastTransitionTime")
    }
    conditions = [
        {
            **one,
            "lastUpdateTime": one.get("lastUpdateTime") or now,
            "lastTransitionTime": one.get("lastTransitionTime") or since.get((one.get("type"), one.get("status")), now),
        }
        for _, one in maps(status, "conditions")
    ]
    return {**content, "status": {**status, "conditions": conditions}}


TIMES = {
    ("v1", "PersistentVolume"): _of_phase,
    ("certificates.k8s.io/v1", "CertificateSigningRequest"): _of_conditions,
}
"""The functions that set times, by kind."""
SINCE = "lastPhaseTransitionTime"


DISRUPTION_TARGET, TARGETS_SINCE = "DisruptionTarget", 26
"""The condition of an evicted Pod, and the first minor release that sets it."""


def disrupted(pod: Object, now: str, minor: int) -> Object:
    """Return a Pod with the condition that it is evicted."""
    if minor < TARGETS_SINCE:
        return pod
    new = {"lastProbeTime": None, "reason": "EvictionByEvictionAPI", "message": "Eviction API: evicting"}
    return {**pod, "status": with_condition(pod.get("status"), DISRUPTION_TARGET, "True", now, **new)}


def with_condition(status: Any, type_: str, value: str, now: str, **others: Any) -> Object:
    """Return a status with a condition of this type. If the value is the same as before, its time stays."""
    found = [one for _, one in maps(as_map(status), "conditions")]
    before = find_condition(found, type_)
    place = found.index(before) if before else len(found)
    since = before.get("lastTransitionTime") if before.get("status") == value else now
    new = {"type": type_, "status": value, "lastTransitionTime": since, **others}
    return {**as_map(status), "conditions": [*found[:place], new, *found[place + 1 :]]}
