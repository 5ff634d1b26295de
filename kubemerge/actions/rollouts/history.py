"""The earlier states of an object: ReplicaSets of a Deployment, ControllerRevisions of the others; and going back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import engine
from engine.directives import ANNOTATION

from ...apiserver.unchecked import as_list, as_map, as_number, get_path
from ...cluster import Reference
from ..requests import uid_of
from ..serverside.managers import KUBECTL
from .changes import NoRollout

if TYPE_CHECKING:
    from ...cluster import Cluster, Object, Resource

REVISION = "deployment.kubernetes.io/revision"
CHANGE_CAUSE = "kubernetes.io/change-cause"
_HASH = "pod-template-hash"
_KEPT = {
    ANNOTATION,
    REVISION,
    "deployment.kubernetes.io/revision-history",
    "deployment.kubernetes.io/desired-replicas",
    "deployment.kubernetes.io/max-replicas",
    "deprecated.deployment.rollback.to",
}
"""Annotations that a Deployment keeps when it goes back."""
_KNOWN = ("Deployment", "DaemonSet", "StatefulSet")
_OTHERS = ("ReplicaSet", "ReplicationController", "Pod", "Job", "CronJob")


@dataclass(frozen=True)
class State:
    """An earlier state: its number, the object that holds it, and the template of its Pods."""

    revision: int
    holder: Object
    template: Object

    @property
    def cause(self) -> str:
        """Why it came, if somebody noted that."""
        marks = (
            self.holder["metadata"].get("annotations") or {},
            as_map(get_path(self.template, "metadata.annotations")),
        )
        return next((str(one[CHANGE_CAUSE]) for one in marks if one.get(CHANGE_CAUSE)), "<none>")


def states(cluster: Cluster, live: Object, resource: Resource, what: str) -> list[State]:
    """The earlier states and the present one, oldest first; `what` is how kubectl calls what it needs for that."""
    if resource.group not in ("apps", "extensions") or resource.kind not in _KNOWN:
        if resource.kind in _OTHERS:
            raise NoRollout(f'no {what} has been implemented for "{resource.title}"')
        short = what.removesuffix(" viewer")
        kind = f"{{{resource.group} {resource.kind}}}"
        raise NoRollout(f'error retrieving {short} for "{resource.title}", no visitor method exists for {kind}')
    kind = "ReplicaSet" if resource.kind == "Deployment" else "ControllerRevision"
    namespace = live["metadata"].get("namespace")
    all_of = cluster.list("apps/v1", kind, namespace=namespace)
    own = [one for one in all_of if _is_controlled(one, live) and _is_selected(one, live)]
    make = _of_replica_set if kind == "ReplicaSet" else _of_revision(cluster, live)
    by_revision = {state.revision: state for state in map(make, own)}
    return [by_revision[revision] for revision in sorted(by_revision)]


def _is_controlled(one: Object, live: Object) -> bool:
    owners = as_list(one["metadata"].get("ownerReferences"))
    return any(owner.get("controller") and owner.get("uid") == uid_of(live) for owner in owners)


def _is_selected(one: Object, live: Object) -> bool:
    labels = one["metadata"].get("labels") or {}
    wanted = as_map(get_path(live, "spec.selector.matchLabels"))
    return all(labels.get(key) == value for key, value in wanted.items())


def _of_replica_set(one: Object) -> State:
    number = str(as_map(one["metadata"].get("annotations")).get(REVISION) or "0")
    return State(int(number) if number.isdecimal() else 0, one, _template(one))


def _of_revision(cluster: Cluster, live: Object) -> Any:
    schema = cluster.schema(live["apiVersion"], live["kind"])

    def of(one: Object) -> State:
        whole = engine.apply_patch(live, as_map(one.get("data")), schema)
        return State(as_number(one.get("revision")) or 0, one, _template(whole))

    return of


def _template(one: Object) -> Object:
    """The template of an object's Pods; empty where a server left it out."""
    return as_map(get_path(one, "spec.template"))


def state_of(known: list[State], revision: int) -> State:
    """The state with this number."""
    state = next((one for one in known if one.revision == revision), None)
    if state is None:
        raise NoRollout("unable to find the specified revision")
    return state


# ---- going back ------------------------------------------------------------------------------------------------------


def target(live: Object, known: list[State], revision: int) -> State:
    """The state to go back to: that of a revision, or the one before the present."""
    if revision < 0 or (revision and all(one.revision != revision for one in known)):
        raise NoRollout(f"unable to find specified revision {revision} in history")
    if revision:
        return state_of(known, revision)
    if len(known) < 2:
        name = live["metadata"]["name"]
        is_deployment = live["kind"] == "Deployment"
        missing = f'no rollout history found for deployment "{name}"'
        raise NoRollout(missing if is_deployment else "no last revision to roll back to")
    return known[-2]


def rolled_back(cluster: Cluster, live: Object, state: State, revision: int, *, dry_run: bool) -> str:
    """Go back to a state; what kubectl says of it."""
    if live["kind"] == "Deployment" and get_path(live, "spec.paused"):
        raise NoRollout(
            "you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again"
        )
    if _without_hash(state.template) == _without_hash(_template(live)):
        return f"skipped rollback (current template already matches revision {revision})"
    try:
        if live["kind"] == "Deployment":
            patch = _patch(live, state)
            cluster.patch(Reference.of(live), patch, "json", manager=KUBECTL, dry_run=dry_run)
        else:
            data = state.holder.get("data") or {}
            cluster.patch(Reference.of(live), data, "strategic", manager=KUBECTL, dry_run=dry_run)
    except engine.MergeError as error:
        raise NoRollout(f"failed restoring revision {revision}: {error}") from None
    return "rolled back"


def _without_hash(template: Object) -> Object:
    metadata = as_map(template.get("metadata"))
    labels = {key: value for key, value in as_map(metadata.get("labels")).items() if key != _HASH}
    return {**template, "metadata": {**metadata, "labels": labels}}


def _patch(live: Object, state: State) -> list[Object]:
    now = live["metadata"].get("annotations") or {}
    then = state.holder["metadata"].get("annotations") or {}
    kept = {key: value for key, value in now.items() if key in _KEPT}
    restored = {key: value for key, value in then.items() if key not in _KEPT}
    return [
        {"op": "replace", "path": "/spec/template", "value": _without_hash(state.template)},
        {"op": "replace", "path": "/metadata/annotations", "value": {**kept, **restored}},
    ]
