"""What `rollout restart`, `pause` and `resume` change in an object."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING

from engine import MergeError

from ...apiserver.unchecked import as_map, get_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...cluster import Object

RESTARTED_AT = "kubectl.kubernetes.io/restartedAt"
_DEPLOYMENTS = ("apps", "extensions")


class NoRollout(MergeError):
    """An object that is not rolled out, or not now."""


def restarted(live: Object) -> Object:
    """The object with a template that says when it was restarted, so that all Pods are replaced."""
    if not _is(live, "Deployment", "DaemonSet", "StatefulSet"):
        raise NoRollout("restarting is not supported")
    if live["kind"] == "Deployment" and get_path(live, "spec.paused"):
        raise NoRollout("can't restart paused deployment (run rollout resume first)")
    spec = as_map(live.get("spec"))
    template = as_map(spec.get("template"))
    metadata = as_map(template.get("metadata"))
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    annotations = {**as_map(metadata.get("annotations")), RESTARTED_AT: now}
    after = {**template, "metadata": {**metadata, "annotations": annotations}}
    return {**live, "spec": {**spec, "template": after}}


def paused(live: Object) -> Object:
    """A Deployment that does not act on changes."""
    if not _is(live, "Deployment"):
        raise NoRollout("pausing is not supported")
    if get_path(live, "spec.paused"):
        raise NoRollout("is already paused")
    return {**live, "spec": {**as_map(live.get("spec")), "paused": True}}


def resumed(live: Object) -> Object:
    """A Deployment that acts on changes again."""
    if not _is(live, "Deployment"):
        raise NoRollout("resuming is not supported")
    if not get_path(live, "spec.paused"):
        raise NoRollout("is not paused")
    return {**live, "spec": {key: value for key, value in live["spec"].items() if key != "paused"}}


def _is(live: Object, *kinds: str) -> bool:
    return live["kind"] in kinds and live["apiVersion"].rpartition("/")[0] in _DEPLOYMENTS


CHANGES: dict[str, Callable[[Object], Object]] = {"restarted": restarted, "paused": paused, "resumed": resumed}
"""The changes by what kubectl prints of them."""
