"""Admission of new Nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..unchecked import as_map, maps

if TYPE_CHECKING:
    from ..protocol import Object
    from .context import AdmissionContext

NOT_READY = {"effect": "NoSchedule", "key": "node.kubernetes.io/not-ready"}


def taint_not_ready(content: Object, context: AdmissionContext) -> Object:
    """Taint a new Node, so that nothing is scheduled to it until it is ready."""
    spec = as_map(content.get("spec"))
    taints = [one for _, one in maps(spec, "taints")]
    if context.live is not None or any(all(one.get(key) == NOT_READY[key] for key in NOT_READY) for one in taints):
        return content
    return {**content, "spec": {**spec, "taints": [*taints, dict(NOT_READY)]}}
