"""PodTopologyLabels: labels of Nodes on the Pods that are bound to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry.feature_gates import is_on
from ..unchecked import as_map, as_text, get_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..protocol import Object
    from .context import AdmissionContext

GATE = "PodTopologyLabelsAdmission"
LABELS = ("topology.kubernetes.io/zone", "topology.kubernetes.io/region")
SINCE = 33


def copy_labels(content: Object, context: AdmissionContext) -> Object:
    """Copy the labels of the Node to a new Pod that is bound to it."""
    name = as_text(get_path(content, "spec.nodeName"))
    if not name or context.live is not None or not is_on(GATE, context.minor):
        return content
    return with_labels_of_node(content, name, context.of_kind("", "Node", None))


def with_labels_of_node(pod: Object, name: str, nodes: Iterable[Object]) -> Object:
    """Return a Pod with the labels of its Node, if the Node exists."""
    node = next((one for one in nodes if one["metadata"]["name"] == name), None)
    labels = as_map(get_path(node, "metadata.labels"))
    copied = {key: labels[key] for key in LABELS if key in labels}
    if not copied:
        return pod
    metadata = pod["metadata"]
    return {**pod, "metadata": {**metadata, "labels": {**as_map(metadata.get("labels")), **copied}}}
