"""Live objects with managedFields, as a sequence of writes makes them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import engine

from ..objects import deployment

DEPLOYMENT = engine.load("1.37").schema("apps/v1", "Deployment")
CONFIG_MAP = engine.load("1.37").schema("v1", "ConfigMap")
SECRET = engine.load("1.37").schema("v1", "Secret")


def at(minute: int) -> str:
    """A time."""
    return f"2026-11-22T08:{minute:02}:00Z"


def created(config: dict[str, Any], schema: Any, manager: str = "kubectl-client-side-apply") -> dict[str, Any]:
    """An object that a manager has created, with a uid."""
    live = engine.record_update(None, config, schema, manager=manager, time=at(0))
    live["metadata"]["uid"] = "u"
    return live


def web() -> dict[str, Any]:
    """A Deployment of client-side apply, scaled, with another manager's image and a default value without owner."""
    config = deployment("web", {"name": "web", "image": "web:1", "args": ["--a", "b: # c"]}, replicas=3)
    live = created(config, DEPLOYMENT)
    live["spec"]["revisionHistoryLimit"] = 10
    live = updated(live, DEPLOYMENT, "kube-controller-manager", 1, "scale", replicas=5)
    new = deepcopy(live)
    new["spec"]["template"]["spec"]["containers"][0]["image"] = "web:2"
    return engine.record_update(live, new, DEPLOYMENT, manager="kubectl-set", time=at(2))


def updated(
    live: dict[str, Any], schema: Any, manager: str, minute: int, subresource: str | None = None, **spec: Any
) -> dict[str, Any]:
    """The object after an update of its spec."""
    new = {**live, "spec": {**live["spec"], **spec}}
    return engine.record_update(live, new, schema, manager=manager, subresource=subresource, time=at(minute))
