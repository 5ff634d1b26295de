"""Bindings of Pods to Nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import Conflict, UnknownReason, storage_error
from .plugins import topology
from .problems import aggregate_text, required, unsupported
from .registry.feature_gates import CLEARED_AFTER_BINDING, is_on
from .registry.statuses import with_condition
from .unchecked import as_map

if TYPE_CHECKING:
    from .identity import ObjectId
    from .protocol import Object
    from .storage.changes import Changes


def check_binding(binding: Object) -> None:
    """Reject a Binding to another kind of object, or without a name."""
    target = as_map(binding.get("target"))
    problems = []
    if target.get("kind") not in (None, "", "Node"):
        problems.append(unsupported("target.kind", target["kind"], ["Node", "<empty>"]))
    if not target.get("name"):
        problems.append(required("target.name"))
    if problems:
        raise UnknownReason(aggregate_text(problems))


def bind(changes: Changes, key: ObjectId, pod: Object, binding: Object) -> Object:
    """Bind a Pod to the Node named by a Binding, with its labels and annotations. managedFields do not change."""
    check_binding(binding)
    target, sent = as_map(binding.get("target")), as_map(binding.get("metadata"))
    _check_preconditions(changes, key, pod["metadata"], sent)
    spec, there = as_map(pod.get("spec")), as_map(pod.get("spec")).get("nodeName")
    if "deletionTimestamp" in pod["metadata"]:
        raise Conflict(BINDING, key.name, f"pod {key.name} is being deleted, cannot be assigned to a host")
    if there:
        raise Conflict(BINDING, key.name, f'pod {key.name} is already assigned to node "{there}"')
    if spec.get("schedulingGates"):
        raise Conflict(BINDING, key.name, f"pod {key.name} has non-empty .spec.schedulingGates")
    status = with_condition(pod.get("status"), "PodScheduled", "True", changes.origins.now(), lastProbeTime=None)
    if is_on(CLEARED_AFTER_BINDING, changes.kinds.minor):
        status = {field: value for field, value in status.items() if field != "nominatedNodeName"}
    pod = _with_metadata(pod, "annotations", sent)
    if is_on(topology.GATE, changes.kinds.minor):
        pod = _with_metadata(pod, "labels", sent)
        pod = topology.with_labels_of_node(pod, target["name"], changes.store.of_kind("", "Node"))
    return changes.save(key, {**pod, "spec": {**spec, "nodeName": target["name"]}, "status": status}, pod)


BINDING = "pods/binding"


def _check_preconditions(changes: Changes, key: ObjectId, found: Object, sent: Object) -> None:
    """Reject a Binding with another uid or resourceVersion than the Pod has."""
    for field, name in (("uid", "UID"), ("resourceVersion", "ResourceVersion")):
        if sent.get(field) not in (None, "", found.get(field)):
            at = f"{'' if changes.dry_run else '/registry'}/pods/{key.namespace}/{key.name}"
            why = f"{name} in precondition: {sent[field]}, {name} in object meta: {found.get(field)}"
            said = storage_error("invalid object", 4, at, f"Precondition failed: {why}")
            raise Conflict("pods", key.name, said)


def _with_metadata(pod: Object, field: str, sent: Object) -> Object:
    """Return a Pod with the labels or annotations of a Binding."""
    added = as_map(sent.get(field))
    if not added:
        return pod
    metadata = pod["metadata"]
    return {**pod, "metadata": {**metadata, field: {**as_map(metadata.get(field)), **added}}}
