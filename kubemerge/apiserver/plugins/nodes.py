"""Admission of new Nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..unchecked import as_map, maps

if TYPE_CHECKING:
    from ..protocol import Object
    from .around import Around

NOT_READY = {"effect": "NoSchedule", "key": "node.kubernetes.io/not-ready"}


def not_ready(content: Object, around: Around) -> Object:
    """Taint a new Node, so that nothing is scheduled to it until it is ready."""
    spec = as_map(content.get("spec"))
    taints = [one for _, one in maps(spec, "taints")]
    if around.live is not None or any(all(one.get(key) == NOT_READY[key] for key in NOT_READY) for one in taints):
        return content
    return {**content, "spec": {**spec, "taints": [*taints, dict(NOT_READY)]}}
