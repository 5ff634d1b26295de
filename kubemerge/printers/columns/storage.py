"""Columns of the kinds for configuration and storage, and of the devices that pods claim."""

from __future__ import annotations

from ..cells import storage as cells
from ..cells.shared import aged, at, flag, joined, marked_default, size
from .shared import AGE, CREATED, NAME, Columns, column, wide

_CLASS = (
    column("STORAGECLASS", cells.storage_class),
    column("VOLUMEATTRIBUTESCLASS", at("spec.volumeAttributesClassName", "<unset>")),
)
_MODE = wide("VOLUMEMODE", at("spec.volumeMode", "<unset>"))

STORAGE: Columns = {
    ("", "PersistentVolume"): (
        NAME,
        column("CAPACITY", at("spec.capacity.storage", "")),
        column("ACCESS MODES", cells.access("spec.accessModes")),
        column("RECLAIM POLICY", at("spec.persistentVolumeReclaimPolicy", "")),
        column("STATUS", cells.phase),
        column("CLAIM", cells.claim),
        *_CLASS,
        column("REASON", at("status.reason", "")),
        AGE,
        _MODE,
    ),
    ("", "PersistentVolumeClaim"): (
        NAME,
        column("STATUS", cells.phase),
        column("VOLUME", at("spec.volumeName", "")),
        column("CAPACITY", cells.once_bound(at("status.capacity.storage", "0"))),
        column("ACCESS MODES", cells.once_bound(cells.access("status.accessModes"))),
        *_CLASS,
        AGE,
        _MODE,
    ),
    ("resource.k8s.io", "DeviceTaintRule"): (
        NAME,
        column("KEY", at("spec.taint.key", "")),
        column("VALUE", at("spec.taint.value", "")),
        column("EFFECT", at("spec.taint.effect", "")),
        column("TIMEADDED", aged("spec.taint.timeAdded")),
        AGE,
    ),
    ("resource.k8s.io", "ResourceClaim"): (NAME, column("STATE", cells.claim_state), AGE),
    ("resource.k8s.io", "ResourceSlice"): (
        NAME,
        column("NODE", at("spec.nodeName", "")),
        column("DRIVER", at("spec.driver", "")),
        column("POOL", at("spec.pool.name", "")),
        AGE,
    ),
    ("storage.k8s.io", "CSIDriver"): (
        NAME,
        column("ATTACHREQUIRED", flag("spec.attachRequired", True)),
        column("PODINFOONMOUNT", flag("spec.podInfoOnMount")),
        column("STORAGECAPACITY", flag("spec.storageCapacity")),
        column("TOKENREQUESTS", cells.audiences),
        column("REQUIRESREPUBLISH", flag("spec.requiresRepublish")),
        column("MODES", joined("spec.volumeLifecycleModes", "<none>")),
        AGE,
    ),
    ("storage.k8s.io", "CSINode"): (NAME, column("DRIVERS", size("spec.drivers")), AGE),
    ("storage.k8s.io", "CSIStorageCapacity"): (NAME, CREATED),
    ("storage.k8s.io", "StorageClass"): (
        column("NAME", marked_default("storageclass.kubernetes.io/is-default-class")),
        column("PROVISIONER", "provisioner"),
        column("RECLAIMPOLICY", at("reclaimPolicy", "Delete")),
        column("VOLUMEBINDINGMODE", at("volumeBindingMode", "Immediate")),
        column("ALLOWVOLUMEEXPANSION", flag("allowVolumeExpansion")),
        AGE,
    ),
    ("storage.k8s.io", "VolumeAttachment"): (
        NAME,
        column("ATTACHER", at("spec.attacher", "")),
        column("PV", at("spec.source.persistentVolumeName", "")),
        column("NODE", at("spec.nodeName", "")),
        column("ATTACHED", flag("status.attached")),
        AGE,
    ),
    ("storage.k8s.io", "VolumeAttributesClass"): (NAME, column("DRIVERNAME", at("driverName", "")), AGE),
}
