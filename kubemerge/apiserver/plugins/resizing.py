"""PodResizeValidator: a resized Pod has to fit on its Node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.plain import same

from ..errors import Forbidden
from ..pod_resources import together
from ..unchecked import as_map, as_text, get_path
from ..validation.values.quantities import size

if TYPE_CHECKING:
    from ..protocol import Object
    from .context import AdmissionContext

SINCE = 36
SYSTEM = "kubernetes.io/os"
COMPARED = (("cpu", 1000), ("memory", 1))
"""The compared resources, with the factor of their unit in the message."""


def check_resize(content: Object, context: AdmissionContext) -> None:
    """Reject a resize that the Node of the Pod cannot provide."""
    name = as_text(get_path(content, "spec.nodeName"))
    if context.subresource != "resize" or not name or not context.is_complete or context.live is None:
        return
    if same(content.get("spec"), context.live.get("spec")):
        return
    node = next((one for one in context.of_kind("", "Node", None) if one["metadata"]["name"] == name), None)
    if node is None:
        raise _rejected(content, f'node "{name}" not found')
    system = as_map(node["metadata"].get("labels")).get(SYSTEM, "linux")
    if system != "linux":
        why = f'pod resize is only supported on linux nodes, node "{name}" is "{system}"'
        raise _rejected(content, why, "UnsupportedPlatform")
    requests, allocatable = together(content["spec"], "requests"), as_map(get_path(node, "status.allocatable"))
    requests |= as_map(get_path(content, "spec.resources.requests"))
    exceeded = []
    for resource, unit in COMPARED:
        asked, free = (size(one.get(resource, "0")) for one in (requests, allocatable))
        if asked > free:
            exceeded.append(f"{resource}, requested: {int(asked * unit)}, allocatable: {int(free * unit)}")
    if exceeded:
        why = f"node didn't have enough allocatable resources: {'; '.join(exceeded)}"
        raise _rejected(content, why, "NodeCapacity")


def _rejected(content: Object, why: str, cause: str = "") -> Forbidden:
    causes = ({"reason": cause},) if cause else ()
    return Forbidden("pods", content["metadata"].get("name", ""), why, causes)
