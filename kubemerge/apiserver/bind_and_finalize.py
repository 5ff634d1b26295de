"""Writes that are not updates: binding a Pod to a Node, finalizing a Namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import Conflict, Invalid
from .plugins import topology
from .problems import required, unsupported
from .registry.feature_gates import is_on
from .registry.statuses import with_condition
from .unchecked import as_map

if TYPE_CHECKING:
    from .identity import ObjectId
    from .protocol import Object
    from .storage.changes import Changes


def bind(changes: Changes, key: ObjectId, pod: Object, target: Object) -> Object:
    """Bind a Pod to the Node named by a Binding. managedFields do not change."""
    problems = []
    if target.get("kind") not in (None, "", "Node"):
        problems.append(unsupported("target.kind", target["kind"], ["Node", "<empty>"]))
    if not target.get("name"):
        problems.append(required("target.name"))
    if problems:
        raise Invalid.of("Binding", key.name, problems)
    spec, there = as_map(pod.get("spec")), as_map(pod.get("spec")).get("nodeName")
    if "deletionTimestamp" in pod["metadata"]:
        raise Conflict(BINDING, key.name, f"pod {key.name} is being deleted, cannot be assigned to a host")
    if there:
        raise Conflict(BINDING, key.name, f'pod {key.name} is already assigned to node "{there}"')
    if spec.get("schedulingGates"):
        raise Conflict(BINDING, key.name, f"pod {key.name} has non-empty .spec.schedulingGates")
    status = with_condition(pod.get("status"), "PodScheduled", "True", changes.origins.now(), lastProbeTime=None)
    if is_on(topology.GATE, changes.kinds.minor):
        pod = topology.with_labels_of_node(pod, target["name"], changes.store.of_kind("", "Node"))
    return changes.save(key, {**pod, "spec": {**spec, "nodeName": target["name"]}, "status": status}, pod)


BINDING = "pods/binding"


def finalize(changes: Changes, key: ObjectId, namespace: Object, wanted: Object) -> Object:
    """Set the finalizers in the spec of a Namespace. A terminating Namespace without any is removed."""
    finalizers = as_map(wanted.get("spec")).get("finalizers") or []
    spec = {name: value for name, value in as_map(namespace.get("spec")).items() if name != "finalizers"}
    after = {**namespace, "spec": {**spec, **({"finalizers": finalizers} if finalizers else {})}}
    if not finalizers and "deletionTimestamp" in namespace["metadata"] and not namespace["metadata"].get("finalizers"):
        changes.remove(key, namespace)
        return after
    return changes.save(key, after, namespace)
