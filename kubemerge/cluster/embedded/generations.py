"""Which objects count their generations, and what raises one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.plain import same

if TYPE_CHECKING:
    from ..protocol import Object, Resource

COUNTED_SINCE = {
    "CronJob": 7,
    "CustomResourceDefinition": 7,
    "DaemonSet": 7,
    "Deployment": 7,
    "DeviceClass": 7,
    "DeviceTaintRule": 7,
    "EndpointSlice": 7,
    "FlowSchema": 7,
    "HorizontalPodAutoscaler": 37,
    "Ingress": 7,
    "IngressClass": 7,
    "Job": 7,
    "MutatingAdmissionPolicy": 7,
    "MutatingAdmissionPolicyBinding": 7,
    "MutatingWebhookConfiguration": 7,
    "NetworkPolicy": 7,
    "Pod": 34,
    "PodDisruptionBudget": 7,
    "PodTemplate": 18,
    "PriorityClass": 7,
    "PriorityLevelConfiguration": 7,
    "ReplicaSet": 7,
    "ReplicationController": 7,
    "ResourceSlice": 7,
    "StatefulSet": 7,
    "ValidatingAdmissionPolicy": 7,
    "ValidatingAdmissionPolicyBinding": 7,
    "ValidatingWebhookConfiguration": 7,
}
"""Built-in kinds whose objects begin with generation 1, with the minor since which; custom resources all do."""

COUNTED_LATER = frozenset({"CSIDriver"})
"""Kinds whose objects begin without a generation, and get one with their first change."""

NEVER_RAISED = frozenset({"PriorityClass"})
"""Kinds whose objects keep the generation that they begin with."""

COUNTING_METADATA = {"Deployment": "annotations", "EndpointSlice": "labels"}
"""What of the metadata counts besides: a Deployment copies its annotations to its ReplicaSets."""

NOT_RAISED_BY_DELETION = frozenset({"CustomResourceDefinition", "Namespace"})
"""Kinds whose generation stays when an object is marked to go; that of all others goes up, if they have one."""


def counts(resource: Resource, release: str) -> bool:
    """Whether objects of the kind begin with a generation."""
    since = COUNTED_SINCE.get(resource.kind) if resource.built_in else 0
    return since is not None and int(release.partition(".")[2]) >= since


def begun(metadata: Object, resource: Resource, release: str) -> Object:
    """The metadata of a new object with its generation; a kind that does not count them keeps what it was sent."""
    if counts(resource, release):
        return {**metadata, "generation": 1}
    return metadata


def raised(content: Object, live: Object, resource: Resource, release: str) -> Object:
    """The object with a new generation, if it asks for something else than before; so far it has that of live."""
    counted = counts(resource, release) or (resource.built_in and resource.kind in COUNTED_LATER)
    if not counted or not _asks_for_more(content, live, resource):
        return content
    return {**content, "metadata": _following(content["metadata"])}


def marked(metadata: Object, kind: str) -> Object:
    """The metadata of an object that was marked to go."""
    if kind in NOT_RAISED_BY_DELETION or not isinstance(metadata.get("generation"), int):
        return metadata
    return _following(metadata)


def _following(metadata: Object) -> Object:
    generation = metadata.get("generation")
    return {**metadata, "generation": generation + 1 if isinstance(generation, int) else 1}


def _asks_for_more(content: Object, live: Object, resource: Resource) -> bool:
    if resource.built_in and resource.kind in NEVER_RAISED:
        return False
    field = COUNTING_METADATA.get(resource.kind) if resource.built_in else None
    if field and (content["metadata"].get(field) or {}) != (live["metadata"].get(field) or {}):
        return True
    apart = {"apiVersion", "kind", "metadata", *(["status"] if resource.has_status else [])}
    before, after = ({key: value for key, value in one.items() if key not in apart} for one in (live, content))
    return not same(before, after)
