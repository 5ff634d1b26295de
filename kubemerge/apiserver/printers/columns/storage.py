"""Columns of configuration, storage and device kinds."""

from __future__ import annotations

from ..cells import storage as cells
from ..cells.shared import aged, at, flag, joined, marked_default, size
from .shared import AGE, CREATED, NAME, Columns, column, names, wide

_CLASS = (
    column("StorageClass", cells.storage_class),
    column("VolumeAttributesClass", at("spec.volumeAttributesClassName", "<unset>")),
)
_MODE = wide("VolumeMode", at("spec.volumeMode", "<unset>"))

STORAGE: Columns = {
    ("", "PersistentVolume"): (
        NAME,
        column("Capacity", at("spec.capacity.storage", "")),
        column("Access Modes", cells.access("spec.accessModes")),
        column("Reclaim Policy", at("spec.persistentVolumeReclaimPolicy", "")),
        column("Status", cells.phase),
        column("Claim", cells.claim),
        *_CLASS,
        column("Reason", at("status.reason", "")),
        AGE,
        _MODE,
    ),
    ("", "PersistentVolumeClaim"): (
        NAME,
        column("Status", cells.phase),
        column("Volume", at("spec.volumeName", "")),
        column("Capacity", cells.once_bound(at("status.capacity.storage", "0"))),
        column("Access Modes", cells.once_bound(cells.access("status.accessModes"))),
        *_CLASS,
        AGE,
        _MODE,
    ),
    ("resource.k8s.io", "DeviceTaintRule"): (
        NAME,
        column("Key", at("spec.taint.key", "")),
        column("Value", at("spec.taint.value", "")),
        column("Effect", at("spec.taint.effect", "")),
        column("TimeAdded", aged("spec.taint.timeAdded")),
        AGE,
    ),
    ("resource.k8s.io", "ResourceClaim"): (NAME, column("State", cells.claim_state), AGE),
    ("resource.k8s.io", "ResourceSlice"): (
        NAME,
        column("Node", at("spec.nodeName", "")),
        column("Driver", at("spec.driver", "")),
        column("Pool", at("spec.pool.name", "")),
        AGE,
    ),
    ("storage.k8s.io", "CSIDriver"): (
        NAME,
        column("AttachRequired", flag("spec.attachRequired", True), "boolean"),
        column("PodInfoOnMount", flag("spec.podInfoOnMount"), "boolean"),
        column("StorageCapacity", flag("spec.storageCapacity"), "boolean"),
        column("TokenRequests", cells.audiences),
        column("RequiresRepublish", flag("spec.requiresRepublish"), "boolean"),
        column("Modes", joined("spec.volumeLifecycleModes", "<none>")),
        AGE,
    ),
    ("storage.k8s.io", "CSINode"): (NAME, column("Drivers", size("spec.drivers"), "integer"), AGE),
    ("storage.k8s.io", "CSIStorageCapacity"): (NAME, CREATED),
    ("storage.k8s.io", "StorageClass"): (
        names(marked_default("storageclass.kubernetes.io/is-default-class")),
        column("Provisioner", "provisioner"),
        column("ReclaimPolicy", at("reclaimPolicy", "Delete")),
        column("VolumeBindingMode", at("volumeBindingMode", "Immediate")),
        column("AllowVolumeExpansion", flag("allowVolumeExpansion")),
        AGE,
    ),
    ("storage.k8s.io", "VolumeAttachment"): (
        NAME,
        column("Attacher", at("spec.attacher", ""))._replace(format="name"),
        column("PV", at("spec.source.persistentVolumeName", "")),
        column("Node", at("spec.nodeName", "")),
        column("Attached", flag("status.attached"), "boolean"),
        AGE,
    ),
    ("storage.k8s.io", "VolumeAttributesClass"): (NAME, column("DriverName", at("driverName", "")), AGE),
}
