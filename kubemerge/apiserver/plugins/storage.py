"""Admission of claims and volumes: protection finalizers, the default StorageClass, and resizing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.quantities import amount

from ..errors import Forbidden
from ..unchecked import as_map, get_path

if TYPE_CHECKING:
    from ..protocol import Object
    from .around import Around

CLAIM, VOLUME = "kubernetes.io/pvc-protection", "kubernetes.io/pv-protection"
DEFAULT = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")
BETA = "volume.beta.kubernetes.io/storage-class"
CLASSES = ("storage.k8s.io", "StorageClass")


def claim_protected(content: Object, around: Around) -> Object:
    """Add a finalizer to a new claim, which protects it while a Pod uses it."""
    return content if around.live is not None else _with_finalizer(content, CLAIM)


def volume_protected(content: Object, around: Around) -> Object:
    """Add a finalizer to a new volume, which protects it while it is bound."""
    return content if around.live is not None else _with_finalizer(content, VOLUME)


def _with_finalizer(content: Object, finalizer: str) -> Object:
    given = content["metadata"].get("finalizers") or []
    if finalizer in given:
        return content
    return {**content, "metadata": {**content["metadata"], "finalizers": [*given, finalizer]}}


def default_class(content: Object, around: Around) -> Object:
    """Set the default class of a new claim without one. Of several, the newest."""
    spec = as_map(content.get("spec"))
    named = spec.get("storageClassName") is not None or BETA in as_map(content["metadata"].get("annotations"))
    if around.live is not None or named:
        return content
    every = [one for one in around.of_kind(*CLASSES, None) if _is_default(one)]
    every.sort(key=lambda one: one["metadata"]["name"])
    every.sort(key=lambda one: str(one["metadata"].get("creationTimestamp")), reverse=True)
    return {**content, "spec": {**spec, "storageClassName": every[0]["metadata"]["name"]}} if every else content


def _is_default(one: Object) -> bool:
    annotations = as_map(one["metadata"].get("annotations"))
    return any(annotations.get(name) == "true" for name in DEFAULT)


def resized(content: Object, around: Around) -> Object:
    """Reject a larger request if its class does not allow expansion."""
    if around.live is None:
        return content
    path = "spec.resources.requests.storage"
    now, before = (amount(get_path(one, path) or 0) or 0 for one in (content, around.live))
    if now <= before or get_path(around.live, "status.phase") != "Bound":
        return content
    name = get_path(content, "spec.storageClassName")
    known = next((one for one in around.of_kind(*CLASSES, None) if one["metadata"]["name"] == name), None)
    if as_map(known).get("allowVolumeExpansion") is True or (known is None and not around.is_whole):
        return content
    needed = "the storageclass that provisions the pvc must support resize"
    why = f"only dynamically provisioned pvc can be resized and {needed}"
    raise Forbidden("persistentvolumeclaims", content["metadata"].get("name", ""), why)
