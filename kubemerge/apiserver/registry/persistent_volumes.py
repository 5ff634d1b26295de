"""PersistentVolume."""

from __future__ import annotations

from posixpath import normpath
from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount, canonical

from ..defaulting.rules import NIL, Default, Group, TypePosition
from ..problems import Printed, Problem, forbidden, immutable, invalid, named, required, unsupported
from ..unchecked import as_map, as_text
from ..validation import eras, names
from ..validation.claims import POSITIVE, access_modes, class_name, disabled_class, removed_class
from ..validation.declarative import by_table
from ..validation.pod_spec import files, volumes
from ..validation.pod_spec.internal_form import difference, in_each_era, on_one_line
from ..validation.pod_spec.scheduling import node_selector
from ..validation.values import quantities
from .record import KindRecord, LazyModule, after_create_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

STABLE_LABELS = {
    "beta.kubernetes.io/arch": "kubernetes.io/arch",
    "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
    "beta.kubernetes.io/os": "kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
}
"""Stable labels of nodes by their beta names."""
RULES = """
PersistentVolumeSpec persistentVolumeReclaimPolicy string optional enum=Delete|Recycle|Retain
PersistentVolumeSpec volumeMode *string optional enum=Block|Filesystem
"""
"""The checks of one field."""
REFERENCES = ("controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef")
ORDER = (
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "flexVolume",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi",
)
"""The volume sources in the order of the server's checks."""


def volume(content: Object) -> Iterator[Problem]:
    """Validate a PersistentVolume."""
    spec = as_map(content.get("spec"))
    yield from _volume_spec(spec, as_text(as_map(content.get("metadata")).get("name")))
    mounted = OPTIONS in as_map(as_map(content.get("metadata")).get("annotations"))
    if mounted and not any(spec.get(field) is not None for field in MOUNTABLE):
        yield forbidden(f"metadata.annotations.{OPTIONS}", "may not specify mount options for this volume type")


OPTIONS = "volume.beta.kubernetes.io/mount-options"
MOUNTABLE = (
    *("gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "nfs", "rbd", "quobyte", "iscsi", "cinder", "cephfs"),
    *("azureFile", "vsphereVolume", "azureDisk", "photonPersistentDisk"),
)
"""The volume sources with mount options in an annotation."""


def _volume_spec(spec: Object, name: str) -> Iterator[Problem]:
    if not spec.get("accessModes"):
        yield required("spec.accessModes")
    yield from access_modes("spec.accessModes", spec.get("accessModes"))
    yield from _capacity(spec)
    yield from by_table(RULES, "PersistentVolumeSpec", "spec", spec, "persistentVolumeReclaimPolicy")
    affinity = spec.get("nodeAffinity")
    if isinstance(affinity, dict):
        if isinstance(affinity.get("required"), dict):
            yield from node_selector("spec.nodeAffinity.required", affinity["required"])
        else:
            yield required("spec.nodeAffinity.required", "must specify required node constraints")
    yield from sources_of(spec, name)
    if spec.get("persistentVolumeReclaimPolicy") == "Recycle" and _is_root(spec):
        why = "may not be 'recycle' for a hostPath mount of '/'"
        yield forbidden("spec.persistentVolumeReclaimPolicy", why)
    yield from class_name("spec.storageClassName", spec.get("storageClassName"))
    yield from by_table(RULES, "PersistentVolumeSpec", "spec", spec, "volumeMode")
    yield from eras.VOLUME_ATTRIBUTES.limit(_attributes(spec))


def _attributes(spec: Object) -> Iterator[Problem]:
    at, name = "spec.volumeAttributesClassName", spec.get("volumeAttributesClassName")
    if name is None:
        return
    if not name:
        yield required(at, "an empty string is disallowed")
    yield from class_name(at, name)
    if spec.get("csi") is None:
        yield required("spec.csi", "has to be specified when using volumeAttributesClassName")


def _is_root(spec: Object) -> bool:
    path = as_text(as_map(spec.get("hostPath")).get("path"))
    return bool(path) and normpath(path) == "/"


def _capacity(spec: Object) -> Iterator[Problem]:
    capacity = as_map(spec.get("capacity"))
    if not capacity:
        yield required("spec.capacity")
    if capacity.keys() != {"storage"}:
        printed = quantities.printed_amounts(capacity) if capacity else spec.get("capacity")
        yield unsupported("spec.capacity", printed, ("storage",))
    for name, value in capacity.items():
        found = amount(value)
        if found is not None and found < 0:
            yield invalid(f"spec.capacity[{name}]", int(found), "must be a valid resource quantity")
        if found is not None and found <= 0:
            yield invalid(f"spec.capacity[{name}]", canonical(value), POSITIVE)


def sources_of(spec: Object, name: str = "") -> Iterator[Problem]:
    """Validate the volume source. `name` is the name of the volume, if it has one."""
    given = [field for field in ORDER if spec.get(field) is not None]
    for index, field in enumerate(given):
        source = as_map(spec[field])
        if index and field != "flexVolume":
            yield forbidden(f"spec.{volumes.NAMED.get(field, field)}", "may not specify more than 1 volume type")
            continue
        yield from _of_volumes(field, source, spec, name)
    if not given:
        yield required("spec", "must specify a volume type")


def _of_volumes(field: str, source: Object, spec: Object, name: str) -> Iterator[Problem]:
    """Validate one volume source. Some have more fields than in a Pod."""
    at = f"spec.{volumes.PLACED.get(field, field)}"
    if field == "csi":
        yield from _csi(at, source)
    elif field == "local":
        yield from _local(at, source)
        if spec.get("nodeAffinity") is None:
            yield required("spec.nodeAffinity", "Local volume requires node affinity")
    elif field == "iscsi":
        yield from volumes.iscsi(at, source, name)
    else:
        yield from volumes.SHARED[field](at, source)
    secret = source.get("secretRef")
    if field in ("cinder", "storageos") and isinstance(secret, dict) and not secret.get("namespace"):
        yield required(f"{at}.secretRef.namespace")
    if field == "glusterfs" and source.get("endpointsNamespace") is not None:
        yield from _namespace(f"{at}.endpointsNamespace", as_text(source["endpointsNamespace"]))
    if field == "azureFile" and source.get("secretNamespace") == "":
        yield required(f"{at}.secretNamespace")


def _namespace(at: str, name: str) -> Iterator[Problem]:
    if not name:
        yield invalid(at, name, "if the endpointnamespace is set, it must be a valid namespace name")
    else:
        yield from (invalid(at, name, why) for why in names.label(name))


def _local(at: str, source: Object) -> Iterator[Problem]:
    path = as_text(source.get("path"))
    if not path:
        yield required(f"{at}.path")
    yield from files.backsteps(f"{at}.path", path)


def _csi(at: str, source: Object) -> Iterator[Problem]:
    yield from volumes.driver(f"{at}.driver", as_text(source.get("driver")))
    if not source.get("volumeHandle"):
        yield required(f"{at}.volumeHandle")
    for field in REFERENCES:
        secret = source.get(field)
        if not isinstance(secret, dict):
            continue
        for one, check in (("name", names.subdomain), ("namespace", names.label)):
            value, place = as_text(secret.get(one)), f"{at}.{field}.{one}"
            if not value:
                yield required(place)
            else:
                yield from (invalid(place, value, why) for why in check(value))


def volume_update(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a PersistentVolume."""
    spec, former = as_map(content.get("spec")), as_map(before.get("spec"))
    if _sources(spec, former) != _sources(former, former):
        yield from in_each_era(lambda minor: _changed_source(_sources(former, former), _sources(spec, former), minor))
    if spec.get("volumeMode") != former.get("volumeMode"):
        yield immutable("volumeMode", named(spec.get("volumeMode")))
    if former.get("nodeAffinity") is not None:
        yield from _affinity_update(spec.get("nodeAffinity"), former["nodeAffinity"])
    at, old, new = "spec.volumeAttributesClassName", *(one.get("volumeAttributesClassName") for one in (former, spec))
    yield from disabled_class(at) if new != old else ()
    if old is not None and new is None:
        yield removed_class(at)


def _changed_source(old: Object, new: Object, minor: int) -> Problem:
    changes = difference("PersistentVolumeSource", old, new, minor)
    why = f"spec.persistentvolumesource is immutable after creation\n{changes}"
    return forbidden("spec.persistentvolumesource", why)


def _affinity_update(affinity: Any, former: Any) -> Iterator[Problem]:
    shown = None if affinity is None else Printed(on_one_line("VolumeNodeAffinity", affinity))
    if affinity != former:
        yield from eras.NODE_AFFINITY_BEFORE.limit([immutable("nodeAffinity", shown)])
    if affinity != _with_stable_labels(former, affinity):
        why = "field is immutable, except for updating from beta label to GA"
        yield from eras.NODE_AFFINITY.limit([invalid("nodeAffinity", shown, why)])


def _with_stable_labels(former: Any, new: Any) -> Any:
    """The former value with the new keys of labels that became stable."""
    if isinstance(former, list) and isinstance(new, list) and len(former) == len(new):
        return [_with_stable_labels(*pair) for pair in zip(former, new, strict=True)]
    if not isinstance(former, dict) or not isinstance(new, dict):
        return former
    changed = {field: _with_stable_labels(value, new.get(field)) for field, value in former.items()}
    is_stable = "key" in former and STABLE_LABELS.get(former["key"]) == new.get("key")
    return {**changed, "key": new["key"]} if is_stable else changed


def _sources(spec: Object, former: Object) -> dict[str, Any]:
    """The volume sources. The Secret for expansion may be added later."""
    found = {field: spec[field] for field in ORDER if spec.get(field) is not None}
    csi, old = as_map(found.get("csi")), as_map(former.get("csi"))
    if csi and old and old.get("controllerExpandSecretRef") is None:
        found["csi"] = {name: one for name, one in csi.items() if name != "controllerExpandSecretRef"}
    return found


PLACES = {
    "PersistentVolume": (
        TypePosition("spec.hostPath?", "HostPathVolumeSource"),
        TypePosition("spec.iscsi?", "ISCSIVolumeSource"),
        TypePosition("spec.rbd?", "RBDVolumeSource"),
        TypePosition("spec.azureDisk?", "AzureDiskVolumeSource"),
        TypePosition("spec.scaleIO?", "ScaleIOVolumeSource"),
    ),
}
warned = LazyModule("warnings.kinds")
RECORDS = (
    KindRecord(
        group="",
        kind="PersistentVolume",
        versions=("v1",),
        places=PLACES,
        nulls=False,
        named_again=True,
        defaults=(
            Group(
                ("PersistentVolume",),
                "core/v1/defaults.go SetDefaults_PersistentVolume",
                (
                    Default("status.phase", "Pending"),
                    Default("spec.persistentVolumeReclaimPolicy", "Retain"),
                    Default("spec.volumeMode", "Filesystem", since="1.13", unset=NIL),
                ),
            ),
        ),
        check=volume,
        check_update=after_create_check(volume, volume_update),
        warnings=warned.volume,
    ),
)
