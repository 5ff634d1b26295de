"""Admission of claims and volumes: protection finalizers, the default StorageClass, and resizing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.quantities import amount

from ..errors import Forbidden
from ..unchecked import as_map, get_path

if TYPE_CHECKING:
    from ..protocol import Object
    from .context import AdmissionContext

CLAIM, VOLUME = "kubernetes.io/pvc-protection", "kubernetes.io/pv-protection"
DEFAULT = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")
BETA = "volume.beta.kubernetes.io/storage-class"
CLASSES = ("storage.k8s.io", "StorageClass")


def protect_claim(content: Object, context: AdmissionContext) -> Object:
    """Add a finalizer to a new claim, which protects it while a Pod uses it."""
    return content if context.live is not None else _with_finalizer(content, CLAIM)


def protect_volume(content: Object, context: AdmissionContext) -> Object:
    """Add a finalizer to a new volume, which protects it while it is bound."""
    return content if context.live is not None else _with_finalizer(content, VOLUME)


def _with_finalizer(content: Object, finalizer: str) -> Object:
    given = content["metadata"].get("finalizers") or []
    if finalizer in given:
        return content
    return {**content, "metadata": {**content["metadata"], "finalizers": [*given, finalizer]}}


def set_default_class(content: Object, context: AdmissionContext) -> Object:
    """Set the default class of a new claim without one. Of several, the newest."""
    spec = as_map(content.get("spec"))
    named = spec.get("storageClassName") is not None or BETA in as_map(content["metadata"].get("annotations"))
    if context.live is not None or named:
        return content
    every = [one for one in context.of_kind(*CLASSES, None) if _is_default(one)]
    every.sort(key=lambda one: one["metadata"]["name"])
    every.sort(key=lambda one: str(one["metadata"].get("creationTimestamp")), reverse=True)
    return {**content, "spec": {**spec, "storageClassName": every[0]["metadata"]["name"]}} if every else content


def _is_default(one: Object) -> bool:
    annotations = as_map(one["metadata"].get("annotations"))
    return any(annotations.get(name) == "true" for name in DEFAULT)


def check_resize(content: Object, context: AdmissionContext) -> None:
    """Reject a larger request if its class does not allow expansion."""
    if context.live is None:
        return
    path = "spec.resources.requests.storage"
    now, before = (amount(get_path(one, path) or 0) or 0 for one in (content, context.live))
    if now <= before or get_path(context.live, "status.phase") != "Bound":
        return
    name = get_path(content, "spec.storageClassName")
    known = next((one for one in context.of_kind(*CLASSES, None) if one["metadata"]["name"] == name), None)
    if as_map(known).get("allowVolumeExpansion") is True or (known is None and not context.is_complete):
        return
    needed = "the storageclass that provisions the pvc must support resize"
    why = f"only dynamically provisioned pvc can be resized and {needed}"
    raise Forbidden("persistentvolumeclaims", content["metadata"].get("name", ""), why)
