"""Status fields behind feature gates. A status update drops them while the gate is off, unless the object uses them.

The rows come from the functions `PrepareForUpdate` of upstream's status strategies.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .feature_gates import is_off, without

if TYPE_CHECKING:
    from ..unchecked import Object

    Path = tuple[str, ...]


class GatedStatus(NamedTuple):
    """A status field that is behind a feature gate."""

    kind: str
    gate: str
    field: str
    """The path below the status. `*` stands for every element."""
    used: tuple[str, ...] = ()
    """The paths in the old object that keep the field. Without any, it is the field itself."""


def _of_containers(gate: str, field: str, *used: str) -> tuple[GatedStatus, ...]:
    lists = ("containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses")
    everywhere = used or tuple(f"status.{one}.*.{field}" for one in lists)
    return tuple(GatedStatus("Pod", gate, f"{one}.*.{field}", everywhere) for one in lists)


def _of_claim(gate: str, *fields: str) -> tuple[GatedStatus, ...]:
    used = tuple(f"status.{one}" for one in fields)
    return tuple(GatedStatus("ResourceClaim", gate, one, used) for one in fields)


_RESIZED = ("spec.containers.*.resizePolicy", "spec.initContainers.*.resizePolicy")
_GROUPS = "spec.securityContext.supplementalGroupsPolicy"
_READ_ONLY = tuple(
    f"spec.{one}.*.volumeMounts.*.recursiveReadOnly" for one in ("containers", "initContainers", "ephemeralContainers")
)
_RESULTS = "allocation.devices.results.*"
_BOUND = (f"{_RESULTS}.bindingConditions", f"{_RESULTS}.bindingFailureConditions", "allocation.allocationTimestamp")
_SHARED = (f"{_RESULTS}.consumedCapacity", f"{_RESULTS}.shareID")
STATUS_FIELDS = (
    GatedStatus("Deployment", "DeploymentReplicaSetTerminatingReplicas", "terminatingReplicas"),
    GatedStatus("Node", "DynamicKubeletConfig", "config"),
    GatedStatus("Node", "KubeletInUserNamespace", "nodeInfo.runningInUserNamespace"),
    GatedStatus("PersistentVolume", "PersistentVolumeLastPhaseTransitionTime", "lastPhaseTransitionTime"),
    GatedStatus("PersistentVolumeClaim", "CSIVolumeHealth", "healthStatus"),
    GatedStatus("PersistentVolumeClaim", "RecoverVolumeExpansionFailure", "allocatedResourceStatuses"),
    GatedStatus("PersistentVolumeClaim", "RecoverVolumeExpansionFailure", "allocatedResources"),
    GatedStatus("PersistentVolumeClaim", "RecoverVolumeExpansionFailure", "resizeStatus"),
    GatedStatus("PersistentVolumeClaim", "VolumeAttributesClass", "currentVolumeAttributesClassName"),
    GatedStatus("PersistentVolumeClaim", "VolumeAttributesClass", "modifyVolumeStatus"),
    GatedStatus("Pod", "CSIVolumeHealth", "volumeHealth"),
    GatedStatus("Pod", "DRAExtendedResource", "extendedResourceClaimStatus"),
    GatedStatus("Pod", "DRANodeAllocatableResources", "nodeAllocatableResourceClaimStatuses"),
    GatedStatus("Pod", "DynamicResourceAllocation", "resourceClaimStatuses", ("spec.resourceClaims",)),
    GatedStatus("Pod", "InPlacePodLevelResourcesVerticalScaling", "allocatedResources"),
    GatedStatus("Pod", "InPlacePodLevelResourcesVerticalScaling", "resources"),
    GatedStatus("Pod", "InPlacePodVerticalScaling", "resize", _RESIZED),
    GatedStatus("Pod", "PodObservedGenerationTracking", "conditions.*.observedGeneration"),
    GatedStatus("Pod", "PodObservedGenerationTracking", "observedGeneration"),
    *_of_containers("ImageVolumeWithDigest", "volumeMounts.*.volumeStatus"),
    *_of_containers("InPlacePodVerticalScaling", "allocatedResources", *_RESIZED),
    *_of_containers("InPlacePodVerticalScaling", "resources", *_RESIZED),
    *_of_containers("RecursiveReadOnlyMounts", "volumeMounts", *_READ_ONLY),
    *_of_containers("ResourceHealthStatus", "allocatedResourcesStatus"),
    *_of_containers("SupplementalGroupsPolicy", "user", _GROUPS),
    GatedStatus("ReplicaSet", "DeploymentReplicaSetTerminatingReplicas", "terminatingReplicas"),
    *_of_claim("DRADeviceBindingConditions", *_BOUND),
    *_of_claim("DRAConsumableCapacity", *_SHARED),
    GatedStatus("Service", "LoadBalancerIPMode", "loadBalancer.ingress.*.ipMode"),
)
POD_STATUS_DROPPED_SINCE = 33
"""The first minor release whose updates of the status of a Pod drop fields. Those of other kinds always did."""


@cache
def _rows(kind: str) -> tuple[tuple[str, Path, tuple[Path, ...]], ...]:
    """The gates of a kind, each with the path of its field and the paths that keep it."""
    found = []
    for one in STATUS_FIELDS:
        if one.kind == kind:
            path = f"status.{one.field}"
            found.append((one.gate, _steps(path), tuple(map(_steps, one.used or (path,)))))
    return tuple(found)


def _steps(path: str) -> Path:
    return tuple(path.split("."))


def drop_disabled_status(content: Object, before: Object, minor: int) -> Object:
    """Return an object after an update of its status, without the fields whose gates are off."""
    kind = str(content.get("kind"))
    for gate, path, used in () if kind == "Pod" and minor < POD_STATUS_DROPPED_SINCE else _rows(kind):
        if _holds(content, path) and is_off(gate, minor) and not any(_holds(before, one) for one in used):
            content = without(content, path)
    return content


def _holds(value: Any, path: Path) -> bool:
    if not path:
        return value is not None
    if path[0] == "*":
        return isinstance(value, list) and any(_holds(one, path[1:]) for one in value)
    return isinstance(value, dict) and _holds(value.get(path[0]), path[1:])
