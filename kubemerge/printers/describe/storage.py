"""Describe volumes, claims and their classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...apiserver.unchecked import as_list, as_map, get_path
from .page import NONE, UNSET
from .parts import events, go, joined, marks, status_of, time, truth
from .volumes import claim, class_of, modes, source

if TYPE_CHECKING:
    from ...cluster import Object
    from .page import Page
    from .parts import ClusterView

_NO_SOURCES = {
    "capacity",
    "accessModes",
    "claimRef",
    "persistentVolumeReclaimPolicy",
    "storageClassName",
    "mountOptions",
}


def volume(page: Page, one: Object, around: ClusterView) -> None:
    """A PersistentVolume."""
    spec = as_map(one.get("spec"))
    page.field("Name", one["metadata"]["name"])
    marks(page, one)
    page.field("Finalizers", go(as_list(one["metadata"].get("finalizers"))))
    page.field("StorageClass", class_of(one))
    page.field("Status", status_of(one))
    bound = spec.get("claimRef")
    page.field("Claim", f"{bound.get('namespace', '')}/{bound.get('name', '')}" if bound else "")
    page.field("Reclaim Policy", spec.get("persistentVolumeReclaimPolicy", ""))
    page.field("Access Modes", modes(spec.get("accessModes")))
    page.fields(0, {"VolumeMode": spec.get("volumeMode")})
    page.field("Capacity", as_map(spec.get("capacity")).get("storage", "0"))
    _affinity(page, get_path(spec, "nodeAffinity.required"))
    page.field("Message", get_path(one, "status.message") or "")
    page.line(0, "Source:")
    source(
        page,
        {
            key: value
            for key, value in spec.items()
            if isinstance(value, dict) and key not in _NO_SOURCES | {"nodeAffinity"}
        },
        persistent=True,
    )
    events(page, around.events(one))


def _affinity(page: Page, required: Any) -> None:
    page.add(0, "Node Affinity:\t")
    if required is None:
        page.line(0, NONE)
        return
    page.line(0)
    terms = as_list(required.get("nodeSelectorTerms"))
    page.line(1, "Required Terms:\t" if terms else f"Required Terms:\t{NONE}")
    for index, term in enumerate(terms):
        _term(page, 2, index, as_list(term.get("matchExpressions")))


def _term(page: Page, level: int, index: int, rules: list[Object]) -> None:
    page.add(level, f"Term {index}:\t")
    if not rules:
        page.line(0, NONE)
    for at, rule in enumerate(rules):
        page.add(level if at else 0, "\t" if at else "")
        values = f" [{', '.join(rule['values'])}]" if rule.get("values") else ""
        page.line(0, f"{rule.get('key', '')} {str(rule.get('operator', 'in')).lower()}{values}")


# ---- claims ----------------------------------------------------------------------------------------------------------


def persistent_claim(page: Page, one: Object, around: ClusterView) -> None:
    """A PersistentVolumeClaim."""
    claim(page, one)
    page.several("Used By", _users(one, around))
    known = as_list(get_path(one, "status.conditions"))
    if known:
        page.line(0, "Conditions:")
        page.line(1, "Type\tStatus\tLastProbeTime\tLastTransitionTime\tReason\tMessage")
        page.line(1, "----\t------\t-----------------\t------------------\t------\t-------")
        for each in known:
            times = f"{time(each.get('lastProbeTime'))} \t{time(each.get('lastTransitionTime'))}"
            details = f"{each.get('reason', '')} \t{each.get('message', '')}"
            page.line(1, f"{each.get('type')} \t{each.get('status')} \t{times} \t{details}")
    events(page, around.events(one))


def _users(one: Object, around: ClusterView) -> list[str]:
    name = one["metadata"]["name"]
    found_names = []
    for pod in around.all("v1", "Pod", one["metadata"].get("namespace")):
        claims = (get_path(each, "persistentVolumeClaim.claimName") for each in as_list(get_path(pod, "spec.volumes")))
        if name in claims:
            found_names.append(str(pod["metadata"]["name"]))
    return sorted(found_names)


# ---- classes ---------------------------------------------------------------------------------------------------------

_DEFAULTS = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")


def storage_class(page: Page, one: Object, around: ClusterView) -> None:
    """A StorageClass."""
    annotations = as_map(one["metadata"].get("annotations"))
    page.field("Name", one["metadata"]["name"])
    page.field("IsDefaultClass", "Yes" if any(annotations.get(name) == "true" for name in _DEFAULTS) else "No")
    page.field("Annotations", joined(annotations))
    page.field("Provisioner", one.get("provisioner", ""))
    page.field("Parameters", joined(one.get("parameters")))
    grows = one.get("allowVolumeExpansion")
    page.field("AllowVolumeExpansion", UNSET if grows is None else truth(grows))
    options = as_list(one.get("mountOptions"))
    page.line(0, "MountOptions:" if options else f"MountOptions:\t{NONE}")
    for option in options:
        page.line(1, option)
    page.fields(0, {"ReclaimPolicy": one.get("reclaimPolicy"), "VolumeBindingMode": one.get("volumeBindingMode")})
    topologies = one.get("allowedTopologies")
    if topologies is not None:
        page.line(0, "AllowedTopologies:\t" if topologies else f"AllowedTopologies:\t{NONE}")
        for index, term in enumerate(as_list(topologies)):
            _term(page, 1, index, as_list(term.get("matchLabelExpressions")))
    events(page, around.events(one))


def attributes_class(page: Page, one: Object, around: ClusterView) -> None:
    """A VolumeAttributesClass."""
    page.field("Name", one["metadata"]["name"])
    page.field("Annotations", joined(one["metadata"].get("annotations")))
    page.field("DriverName", one.get("driverName", ""))
    page.field("Parameters", joined(one.get("parameters")))
    events(page, around.events(one))
