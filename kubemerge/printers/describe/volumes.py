"""Volume sources: a row for each, with its texts and printed fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ...apiserver.unchecked import as_list, as_map, get_path
from .page import NONE, UNSET
from .parts import go, status_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...cluster import Object
    from .page import Page


class FieldLine(NamedTuple):
    """A field of a source: its title, its path, and the text for a missing value."""

    title: str
    field: str
    otherwise: str = ""


class Source(NamedTuple):
    """A volume source in words."""

    words: str
    fields: Sequence[FieldLine]


_READ_ONLY = FieldLine("ReadOnly", "readOnly", "false")
_FS = FieldLine("FSType", "fsType")
_OPTIONAL = FieldLine("Optional", "optional", "false")
_ISCSI = (
    *(FieldLine("TargetPortal", "targetPortal"), FieldLine("IQN", "iqn"), FieldLine("Lun", "lun", "0")),
    *(FieldLine("ISCSIInterface\t", "iscsiInterface"), _FS, _READ_ONLY, FieldLine("Portals", "portals", "[]")),
    *(
        FieldLine("DiscoveryCHAPAuth", "chapAuthDiscovery", "false"),
        FieldLine("SessionCHAPAuth", "chapAuthSession", "false"),
    ),
    *(FieldLine("SecretRef", "secretRef", "nil"), FieldLine("InitiatorName", "initiatorName", NONE)),
)
SOURCES: dict[str, Source] = {
    "hostPath": Source(
        "HostPath (bare host directory volume)", (FieldLine("Path", "path"), FieldLine("HostPathType", "type", ""))
    ),
    "emptyDir": Source(
        "EmptyDir (a temporary directory that shares a pod's lifetime)",
        (FieldLine("Medium", "medium"), FieldLine("SizeLimit", "sizeLimit", UNSET)),
    ),
    "gcePersistentDisk": Source(
        "GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)",
        (FieldLine("PDName", "pdName"), _FS, FieldLine("Partition", "partition", "0"), _READ_ONLY),
    ),
    "awsElasticBlockStore": Source(
        "AWSElasticBlockStore (a Persistent Disk resource in AWS)",
        (FieldLine("VolumeID", "volumeID"), _FS, FieldLine("Partition", "partition", "0"), _READ_ONLY),
    ),
    "gitRepo": Source(
        "GitRepo (a volume that is pulled from git when the pod is created)",
        (FieldLine("Repository", "repository"), FieldLine("Revision", "revision")),
    ),
    "secret": Source("Secret (a volume populated by a Secret)", (FieldLine("SecretName", "secretName"), _OPTIONAL)),
    "configMap": Source("ConfigMap (a volume populated by a ConfigMap)", (FieldLine("Name", "name"), _OPTIONAL)),
    "nfs": Source(
        "NFS (an NFS mount that lasts the lifetime of a pod)",
        (FieldLine("Server", "server"), FieldLine("Path", "path"), _READ_ONLY),
    ),
    "iscsi": Source(
        "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
        _ISCSI,
    ),
    "persistentVolumeClaim": Source(
        "PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)",
        (FieldLine("ClaimName", "claimName"), _READ_ONLY),
    ),
    "local": Source(
        "LocalVolume (a persistent volume backed by local storage on a node)", (FieldLine("Path", "path"),)
    ),
    "azureFile": Source(
        "AzureFile (an Azure File Service mount on the host and bind mount to the pod)",
        (FieldLine("SecretName", "secretName"), FieldLine("ShareName", "shareName"), _READ_ONLY),
    ),
    "vsphereVolume": Source(
        "vSphereVolume (a Persistent Disk resource in vSphere)",
        (FieldLine("VolumePath", "volumePath"), _FS, FieldLine("StoragePolicyName", "storagePolicyName")),
    ),
    "fc": Source(
        "FC (a Fibre Channel disk)",
        (FieldLine("TargetWWNs", "targetWWNs"), FieldLine("LUN", "lun", NONE), _FS, _READ_ONLY),
    ),
    "cephfs": Source(
        "CephFS (a CephFS mount on the host that shares a pod's lifetime)",
        (
            *(FieldLine("Monitors", "monitors", "[]"), FieldLine("Path", "path"), FieldLine("User", "user")),
            *(FieldLine("SecretFile", "secretFile"), FieldLine("SecretRef", "secretRef", "nil"), _READ_ONLY),
        ),
    ),
    "image": Source(
        "Image (a container image or OCI artifact)",
        (FieldLine("Reference", "reference"), FieldLine("PullPolicy", "pullPolicy")),
    ),
}
_CSI = "CSI (a Container Storage Interface (CSI) volume source)"
_PROJECTED = "Projected (a volume that contains injected data from multiple sources)"
_DOWNWARD = "DownwardAPI (a volume populated by information about the pod)"


def volumes(page: Page, listed: Any, space: str) -> None:
    """The volumes of a Pod."""
    known = as_list(listed)
    page.line(0, f"{space}Volumes:" if known else f"{space}Volumes:\t{NONE}")
    for volume in known:
        page.line(1, f"{' ' if space else ''}{volume['name']}:")
        source(page, {key: value for key, value in volume.items() if key != "name"})


def source(page: Page, holder: Mapping[str, Any], *, persistent: bool = False) -> None:
    """The source of one volume."""
    special = {"csi": _csi, "projected": _projected, "downwardAPI": _downward, "ephemeral": _ephemeral}
    for name, value in holder.items():
        if name in SOURCES:
            known = SOURCES[name]
            page.field("Type", known.words, 2)
            for field_line in known.fields:
                page.line(2, _line(field_line, as_map(value), name))
            return
        if name in special:
            special[name](page, as_map(value), persistent)
            return
    page.line(1, "<unknown>")


def _line(field_line: FieldLine, value: Mapping[str, Any], name: str) -> str:
    given = value.get(field_line.field)
    otherwise = NONE if (name, field_line.field) == ("hostPath", "type") else field_line.otherwise
    text = ", ".join(given) if field_line.field == "targetWWNs" and given else go(given)
    title = field_line.title if field_line.title.endswith("\t") else f"{field_line.title}:\t"
    return f"{title}{otherwise if given is None else text}"


def _csi(page: Page, value: Mapping[str, Any], persistent: bool) -> None:
    page.field("Type", _CSI, 2)
    page.field("Driver", value.get("driver", ""), 2)
    if persistent:
        page.field("FSType", value.get("fsType", ""), 2)
        page.field("VolumeHandle", value.get("volumeHandle", ""), 2)
    else:
        page.field("FSType", value.get("fsType", ""), 2)
    page.field("ReadOnly", go(value.get("readOnly", False)), 2)
    attributes = sorted(as_map(value.get("volumeAttributes")).items())
    page.add(2, "VolumeAttributes:\t")
    if not attributes:
        page.line(0, NONE)
    for index, (key, text) in enumerate(attributes):
        page.add(2 if index else 0, "")
        page.add(2 if index else 0, "\t" if index else "")
        page.line(2, f"{key}={text}")


def _projected(page: Page, value: Mapping[str, Any], _: bool) -> None:
    page.field("Type", _PROJECTED, 2)
    for one in as_list(value.get("sources")):
        if "secret" in one:
            page.field("SecretName", one["secret"].get("name", ""), 2)
            page.field("Optional", go(one["secret"].get("optional", False)), 2)
        elif "downwardAPI" in one:
            page.field("DownwardAPI", "true", 2)
        elif "configMap" in one:
            page.field("ConfigMapName", one["configMap"].get("name", ""), 2)
            page.field("Optional", go(one["configMap"].get("optional", False)), 2)
        elif "serviceAccountToken" in one:
            page.field("TokenExpirationSeconds", one["serviceAccountToken"].get("expirationSeconds", 3600), 2)


def _downward(page: Page, value: Mapping[str, Any], _: bool) -> None:
    page.field("Type", _DOWNWARD, 2)
    page.line(2, "Items:")
    for one in as_list(value.get("items")):
        if one.get("fieldRef"):
            page.line(3, f"{one['fieldRef'].get('fieldPath', '')} -> {one['path']}")
        if one.get("resourceFieldRef"):
            page.line(3, f"{one['resourceFieldRef'].get('resource', '')} -> {one['path']}")


def _ephemeral(page: Page, value: Mapping[str, Any], _: bool) -> None:
    words = "an inline specification for a volume that gets created and deleted with the pod"
    page.field("Type", f"EphemeralVolume ({words})", 2)
    if value.get("volumeClaimTemplate"):
        claim(page, {"metadata": {}, **value["volumeClaimTemplate"]}, whole=False, level=2)


# ---- claims ----------------------------------------------------------------------------------------------------------

_MODES = {"ReadWriteOnce": "RWO", "ReadOnlyMany": "ROX", "ReadWriteMany": "RWX", "ReadWriteOncePod": "RWOP"}
_CLASS = "volume.beta.kubernetes.io/storage-class"


def modes(value: Any) -> str:
    """Access modes in kubectl's short form."""
    known = as_list(value)
    return ",".join(short for mode, short in _MODES.items() if mode in known)


def class_of(one: Object) -> str:
    """The class of a volume or a claim."""
    return str(as_map(one["metadata"].get("annotations")).get(_CLASS) or get_path(one, "spec.storageClassName") or "")


def claim(page: Page, one: Object, *, whole: bool = True, level: int = 0) -> None:
    """Add a claim, or a claim template."""
    spec = as_map(one.get("spec"))
    if whole:
        page.field("Name", one["metadata"]["name"])
        page.field("Namespace", one["metadata"].get("namespace", ""))
    page.field("StorageClass", class_of(one), level)
    if whole:
        page.field("Status", status_of(one))
    page.field("Volume", spec.get("volumeName", ""), level)
    page.labels("Labels", one["metadata"].get("labels"), before="  " * level)
    page.add(level, "")
    page.annotations("Annotations", one["metadata"].get("annotations"))
    if whole:
        page.field("Finalizers", go(as_list(one["metadata"].get("finalizers"))))
    bound = bool(spec.get("volumeName"))
    page.field("Capacity", get_path(one, "status.capacity.storage") or "0" if bound else "", level)
    page.field("Access Modes", modes(get_path(one, "status.accessModes")) if bound else "", level)
    page.fields(level, {"VolumeMode": spec.get("volumeMode")})
    origin = spec.get("dataSource")
    if origin:
        page.line(level, "DataSource:")
        page.fields(level + 1, {"APIGroup": origin.get("apiGroup")})
        page.field("Kind", origin.get("kind", ""), level + 1)
        page.field("Name", origin.get("name", ""), level + 1)
