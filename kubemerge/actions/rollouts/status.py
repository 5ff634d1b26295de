"""How far a rollout is, as the status of the object says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...apiserver.unchecked import as_list, as_map, get_path
from .changes import NoRollout
from .history import REVISION

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...cluster import Object, Resource

    Said = tuple[str, bool]
    """A line, and whether the rollout is done."""


def status(live: Object, resource: Resource, revision: int) -> Said:
    """What kubectl says about a rollout."""
    view = _VIEWS.get(resource.kind) if resource.group in ("apps", "extensions") else None
    if view is None:
        raise NoRollout(f"no status viewer has been implemented for {resource.title}")
    return view(live, revision)


def _number(live: Object, path: str) -> int:
    value = get_path(live, path)
    return value if isinstance(value, int) else 0


def _deployment(live: Object, revision: int) -> Said:
    name = live["metadata"]["name"]
    running = int(as_map(live["metadata"].get("annotations")).get(REVISION) or 0)
    if revision > 0 and revision != running:
        raise NoRollout(f"desired revision ({revision}) is different from the running revision ({running})")
    if _number(live, "metadata.generation") > _number(live, "status.observedGeneration"):
        return "Waiting for deployment spec update to be observed...", False
    for condition in as_list(get_path(live, "status.conditions")):
        if condition.get("type") == "Progressing" and condition.get("reason") == "ProgressDeadlineExceeded":
            raise NoRollout(f'deployment "{name}" exceeded its progress deadline')
    wanted, there = get_path(live, "spec.replicas"), _number(live, "status.replicas")
    updated, available = _number(live, "status.updatedReplicas"), _number(live, "status.availableReplicas")
    waiting = f'Waiting for deployment "{name}" rollout to finish:'
    if isinstance(wanted, int) and updated < wanted:
        return f"{waiting} {updated} out of {wanted} new replicas have been updated...", False
    if there > updated:
        return f"{waiting} {there - updated} old replicas are pending termination...", False
    if available < updated:
        return f"{waiting} {available} of {updated} updated replicas are available...", False
    return f'deployment "{name}" successfully rolled out', True


_ONLY_ROLLING = "rollout status is only available for RollingUpdate strategy type"


def _daemon_set(live: Object, _: int) -> Said:
    name = live["metadata"]["name"]
    if get_path(live, "spec.updateStrategy.type") != "RollingUpdate":
        raise NoRollout(_ONLY_ROLLING)
    if _number(live, "metadata.generation") > _number(live, "status.observedGeneration"):
        return "Waiting for daemon set spec update to be observed...", False
    wanted = _number(live, "status.desiredNumberScheduled")
    updated, available = _number(live, "status.updatedNumberScheduled"), _number(live, "status.numberAvailable")
    waiting = f'Waiting for daemon set "{name}" rollout to finish:'
    if updated < wanted:
        return f"{waiting} {updated} out of {wanted} new pods have been updated...", False
    if available < wanted:
        return f"{waiting} {available} of {wanted} updated pods are available...", False
    return f'daemon set "{name}" successfully rolled out', True


def _stateful_set(live: Object, _: int) -> Said:
    if get_path(live, "spec.updateStrategy.type") != "RollingUpdate":
        raise NoRollout(_ONLY_ROLLING)
    observed = _number(live, "status.observedGeneration")
    if not observed or _number(live, "metadata.generation") > observed:
        return "Waiting for statefulset spec update to be observed...", False
    wanted: Any = get_path(live, "spec.replicas")
    ready, updated = _number(live, "status.readyReplicas"), _number(live, "status.updatedReplicas")
    if isinstance(wanted, int) and ready < wanted:
        return f"Waiting for {wanted - ready} pods to be ready...", False
    if get_path(live, "spec.updateStrategy.rollingUpdate") is not None:
        partition = get_path(live, "spec.updateStrategy.rollingUpdate.partition")
        if isinstance(wanted, int) and isinstance(partition, int) and updated < wanted - partition:
            rest = f"{updated} out of {wanted - partition} new pods have been updated..."
            return f"Waiting for partitioned roll out to finish: {rest}", False
        return f"partitioned roll out complete: {updated} new pods have been updated...", True
    newest, current = (get_path(live, f"status.{field}") or "" for field in ("updateRevision", "currentRevision"))
    if newest != current:
        return f"waiting for statefulset rolling update to complete {updated} pods at revision {newest}...", False
    count = _number(live, "status.currentReplicas")
    return f"statefulset rolling update complete {count} pods at revision {current}...", True


_VIEWS: dict[str, Callable[[Object, int], Said]] = {
    "Deployment": _deployment,
    "DaemonSet": _daemon_set,
    "StatefulSet": _stateful_set,
}
