"""Volumes of Pods, with the sources that persistent volumes share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.values.quantities import amount

from ...problems import Problem, duplicate, forbidden, invalid, required, too_long, unsupported
from ...unchecked import as_map, as_number, as_text, maps
from .. import eras, names
from ..claims import claim_spec
from ..declarative import by_table
from ..metadata import template as template_metadata
from . import files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...unchecked import Object

    Check = Callable[[str, Object], Iterator[Problem]]

TYPES = ("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")
PARTITION = "must be between 1 and 255, inclusive"
LUN = "must be between 0 and 255, inclusive"
NO_IQN, NO_FORM = "must be valid format starting with iqn, eui, or naa", "must be valid format"
_FORMS = {
    "iqn": r"iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)",
    "eui": r"eui.[A-Za-z0-9]{16}",
    "naa": r"naa.[A-Za-z0-9]{32}",
}


RULES = """
AWSElasticBlockStoreVolumeSource volumeID string required
AzureDiskVolumeSource diskName string required
AzureDiskVolumeSource diskURI string required
AzureDiskVolumeSource cachingMode *string optional enum=None|ReadOnly|ReadWrite
AzureDiskVolumeSource kind *string optional enum=Dedicated|Managed|Shared
AzureFileVolumeSource secretName string required
AzureFileVolumeSource shareName string required
CephFSVolumeSource monitors []string required
CinderVolumeSource volumeID string required
FlexVolumeSource driver string required
GCEPersistentDiskVolumeSource pdName string required
GitRepoVolumeSource repository string required
GlusterfsVolumeSource endpoints string required
GlusterfsVolumeSource path string required
ISCSIVolumeSource targetPortal string required
ISCSIVolumeSource iqn string required
ImageVolumeSource reference string required
ImageVolumeSource pullPolicy string required enum=Always|IfNotPresent|Never
LocalObjectReference name string required
NFSVolumeSource server string required
NFSVolumeSource path string required
PersistentVolumeClaimVolumeSource claimName string required
PhotonPersistentDiskVolumeSource pdID string required
PortworxVolumeSource volumeID string required
QuobyteVolumeSource volume string required
RBDVolumeSource monitors []string required
RBDVolumeSource image string required
ScaleIOVolumeSource gateway string required
ScaleIOVolumeSource system string required
ScaleIOVolumeSource volumeName string required
StorageOSVolumeSource volumeName string required
VsphereVirtualDiskVolumeSource volumePath string required
"""
"""The checks of one field. The others are functions below."""


def volumes(at: str, spec: Object, usable: dict[str, Object], pod: str = "") -> Iterator[Problem]:
    """Validate the volumes of a Pod, whose name may be known. `usable` receives the valid ones."""
    taken: set[str] = set()
    every = list(maps(spec, "volumes"))
    created = {f"{pod}-{as_text(one.get('name'))}" for _, one in every if pod and one.get("ephemeral") is not None}
    for index, volume in every:
        place, name = f"{at}[{index}]", as_text(volume.get("name"))
        problems = list(_source(place, volume, pod))
        if not name:
            problems.append(required(f"{place}.name"))
        else:
            problems += [invalid(f"{place}.name", name, why) for why in names.label(name)]
        if name in taken:
            problems.append(duplicate(f"{place}.name", name))
        if not problems:
            taken.add(name)
            usable[name] = volume
        yield from problems
        claim = as_text(as_map(volume.get("persistentVolumeClaim")).get("claimName"))
        if claim in created:
            why = "must not reference a PVC that gets created for an ephemeral volume"
            yield invalid(f"{place}.persistentVolumeClaim.claimName", claim, why)


def _source(at: str, volume: Object, pod: str) -> Iterator[Problem]:
    given = [field for field in OF_PODS if volume.get(field) is not None]
    for index, field in enumerate(given):
        if index:
            yield forbidden(f"{at}.{NAMED.get(field, field)}", "may not specify more than 1 volume type")
        else:
            yield from OF_PODS[field](f"{at}.{PLACED.get(field, field)}", as_map(volume[field]))
        name = as_text(volume.get("name"))
        if field == "iscsi" and volume[field].get("initiatorName") is not None:
            yield from long_name(f"{at}.name", name, name, volume[field])
        if field == "ephemeral" and pod and name:
            wanted = f"{pod}-{name}"
            for why in names.subdomain(wanted):
                yield invalid(f"{at}.name", name, f'PVC name "{wanted}": {why}')
    if not given:
        yield required(at, "must specify a volume type")


def long_name(at: str, shown: str, name: str, source: Object) -> Iterator[Problem]:
    """Validate the length of the name of an iSCSI volume, whose source names the initiator."""
    if len(f"{name}:{as_text(source.get('targetPortal'))}".encode()) > 64:
        why = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if "
        yield invalid(at, shown, f"{why}iscsi.initiatorName is specified.")


def _by_rules(of: str) -> Check:
    return lambda at, source: by_table(RULES, of, at, source)


def _with_secret(check: Check) -> Check:
    def problems(at: str, source: Object) -> Iterator[Problem]:
        yield from check(at, source)
        if isinstance(source.get("secretRef"), dict):
            yield from by_table(RULES, "LocalObjectReference", f"{at}.secretRef", source["secretRef"])

    return problems


def _empty_dir(at: str, source: Object) -> Iterator[Problem]:
    limit = amount(source["sizeLimit"]) if source.get("sizeLimit") is not None else None
    if limit is not None and limit < 0:
        yield forbidden(f"{at}.sizeLimit", "SizeLimit field must be a valid resource quantity")


def host_path(at: str, source: Object) -> Iterator[Problem]:
    """Validate a path on the node."""
    if not source.get("path"):
        yield required(f"{at}.path")
        return
    yield from files.backsteps(f"{at}.path", as_text(source["path"]))
    if source.get("type") is not None and source["type"] not in TYPES:
        yield unsupported(f"{at}.type", source["type"], TYPES)


def _git_repo(at: str, source: Object) -> Iterator[Problem]:
    yield from by_table(RULES, "GitRepoVolumeSource", at, source)
    yield from files.descending(f"{at}.directory", as_text(source.get("directory")))


def _disk(of: str) -> Check:
    def problems(at: str, source: Object) -> Iterator[Problem]:
        yield from by_table(RULES, of, at, source)
        part = as_number(source.get("partition")) or 0
        if not 0 <= part <= 255:
            yield invalid(f"{at}.partition", part, PARTITION)

    return problems


def _nfs(at: str, source: Object) -> Iterator[Problem]:
    path = as_text(source.get("path"))
    yield from by_table(RULES, "NFSVolumeSource", at, source)
    if not path.startswith("/"):
        yield invalid(f"{at}.path", path, "must be an absolute path")


def iscsi(at: str, source: Object, of_volume: str | None = None) -> Iterator[Problem]:
    """Validate an iSCSI disk. `of_volume` is the name of its persistent volume. In Pods it is None."""
    iqn, lun = as_text(source.get("iqn")), as_number(source.get("lun")) or 0
    no_iqn = NO_IQN if of_volume is None else NO_FORM
    yield from by_table(RULES, "ISCSIVolumeSource", at, source, "targetPortal")
    if of_volume is not None and source.get("initiatorName") is not None:
        yield from long_name(f"{at}.targetportal", as_text(source.get("targetPortal")), of_volume, source)
    yield from by_table(RULES, "ISCSIVolumeSource", at, source, "iqn")
    yield from _iqn(f"{at}.iqn", iqn, no_iqn) if iqn else ()
    if not 0 <= lun <= 255:
        yield invalid(f"{at}.lun", lun, LUN)
    if (source.get("chapAuthDiscovery") or source.get("chapAuthSession")) and source.get("secretRef") is None:
        yield required(f"{at}.secretRef")
    if of_volume is not None and isinstance(source.get("secretRef"), dict) and not source["secretRef"].get("name"):
        yield required(f"{at}.secretRef.name")
    if source.get("initiatorName") is not None:
        yield from _iqn(f"{at}.initiatorname", as_text(source["initiatorName"]), no_iqn)


def _iqn(at: str, value: str, no_iqn: str) -> Iterator[Problem]:
    form = _FORMS.get(value[:3])
    if form is None:
        yield invalid(at, value, no_iqn)
    elif not re.search(form if value.startswith("iqn") else f"^{form}", value) or not re.search(f"{form}$", value):
        yield invalid(at, value, NO_FORM)


def _flocker(at: str, source: Object) -> Iterator[Problem]:
    name, uid = as_text(source.get("datasetName")), as_text(source.get("datasetUUID"))
    if not name and not uid:
        yield required(at, "one of datasetName and datasetUUID is required")
    if name and uid:
        yield invalid(at, "resource", "datasetName and datasetUUID can not be specified simultaneously")
    if "/" in name:
        yield invalid(f"{at}.datasetName", name, "must not contain '/'")


def _quobyte(at: str, source: Object) -> Iterator[Problem]:
    registry, why = as_text(source.get("registry")), "must be a host:port pair or multiple pairs separated by commas"
    if not registry:
        yield required(f"{at}.registry", why)
    elif len(as_text(source.get("tenant"))) >= 65:
        yield required(f"{at}.tenant", "must be a UUID and may not exceed a length of 64 characters")
    else:
        yield from (invalid(f"{at}.registry", registry, why) for pair in registry.split(",") if not _has_port(pair))
    yield from by_table(RULES, "QuobyteVolumeSource", at, source)


def _has_port(address: str) -> bool:
    """Whether Go splits an address into a host and a port, which may be empty."""
    host, colon, port = address.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        return False
    return bool(colon) and not set("[]") & set(host + port)


def _fc(at: str, source: Object) -> Iterator[Problem]:
    targets, ids, lun = source.get("targetWWNs"), source.get("wwids"), as_number(source.get("lun"))
    if not targets and not ids:
        yield required(f"{at}.targetWWNs", "must specify either targetWWNs or wwids, but not both")
    if targets and ids:
        yield invalid(f"{at}.targetWWNs", targets, "targetWWNs and wwids can not be specified simultaneously")
    if targets and lun is None:
        yield required(f"{at}.lun", "lun is required if targetWWNs is specified")
    elif targets and lun is not None and not 0 <= lun <= 255:
        yield invalid(f"{at}.lun", lun, LUN)


def _flex(at: str, source: Object) -> Iterator[Problem]:
    yield from by_table(RULES, "FlexVolumeSource", at, source)
    for key in as_map(source.get("options")):
        if f".{key.partition('/')[0].lower()}".endswith((".kubernetes.io", ".k8s.io")):
            yield invalid(f"{at}.options[{key}]", key, "kubernetes.io and k8s.io namespaces are reserved")


def azure_disk(at: str, source: Object) -> Iterator[Problem]:
    """Validate an Azure disk."""
    uri, kind = as_text(source.get("diskURI")), source.get("kind")
    yield from by_table(RULES, "AzureDiskVolumeSource", at, source)
    form = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
    if kind == "Managed" and not uri.startswith("/subscriptions/"):
        yield unsupported(f"{at}.diskURI", uri, (form,))
    if kind != "Managed" and not uri.startswith("https://"):
        yield unsupported(
            f"{at}.diskURI", uri, ("https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd",)
        )


def storage_os(at: str, source: Object) -> Iterator[Problem]:
    """Validate a StorageOS volume."""
    name, namespace = as_text(source.get("volumeName")), as_text(source.get("volumeNamespace"))
    yield from by_table(RULES, "StorageOSVolumeSource", at, source)
    yield from files.named_label(f"{at}.volumeName", name) if name else ()
    yield from files.named_label(f"{at}.volumeNamespace", namespace) if namespace else ()


def driver(at: str, name: str) -> Iterator[Problem]:
    """Validate the name of a driver."""
    if not name:
        yield required(at)
        yield from eras.NO_DRIVER_TWICE.limit([invalid(at, name, why) for why in names.subdomain(name)])
        return
    if len(name.encode()) > 63:
        yield too_long(at, 63)
    yield from (invalid(at, name, why) for why in names.subdomain(name.lower()))


def _csi(at: str, source: Object) -> Iterator[Problem]:
    yield from driver(f"{at}.driver", as_text(source.get("driver")))
    secret = source.get("nodePublishSecretRef")
    if isinstance(secret, dict):
        name = as_text(secret.get("name"))
        if not name:
            yield required(f"{at}.nodePublishSecretRef.name")
        else:
            yield from (invalid(f"{at}.name", name, why) for why in names.subdomain(name))


def _ephemeral(at: str, source: Object) -> Iterator[Problem]:
    template = source.get("volumeClaimTemplate")
    if not isinstance(template, dict):
        yield required(f"{at}.volumeClaimTemplate")
        return
    place = f"{at}.volumeClaimTemplate"
    yield from template_metadata(f"{place}.metadata", as_map(template.get("metadata")))
    yield from claim_spec(f"{place}.spec", as_map(template.get("spec")))


NAMED = {"cephfs": "cephFS", "downwardAPI": "downwarAPI"}
"""Names of surplus sources in messages, where they differ from the field."""
PLACED = {"gcePersistentDisk": "persistentDisk"}
"""Names of sources in the paths of messages, where they differ from the field."""
SHARED: dict[str, Check] = {
    "hostPath": host_path,
    "gcePersistentDisk": _disk("GCEPersistentDiskVolumeSource"),
    "awsElasticBlockStore": _disk("AWSElasticBlockStoreVolumeSource"),
    "glusterfs": _by_rules("GlusterfsVolumeSource"),
    "flocker": _flocker,
    "nfs": _nfs,
    "rbd": _by_rules("RBDVolumeSource"),
    "quobyte": _quobyte,
    "cephfs": _by_rules("CephFSVolumeSource"),
    "iscsi": iscsi,
    "cinder": _with_secret(_by_rules("CinderVolumeSource")),
    "fc": _fc,
    "flexVolume": _flex,
    "azureFile": _by_rules("AzureFileVolumeSource"),
    "vsphereVolume": _by_rules("VsphereVirtualDiskVolumeSource"),
    "photonPersistentDisk": _by_rules("PhotonPersistentDiskVolumeSource"),
    "portworxVolume": _by_rules("PortworxVolumeSource"),
    "azureDisk": azure_disk,
    "storageos": _with_secret(storage_os),
    "scaleIO": _by_rules("ScaleIOVolumeSource"),
}
OF_PODS: dict[str, Check] = {
    "emptyDir": _empty_dir,
    "hostPath": host_path,
    "gitRepo": _git_repo,
    **{name: SHARED[name] for name in ("gcePersistentDisk", "awsElasticBlockStore")},
    "secret": lambda at, source: files.with_items(at, source, "secretName"),
    **{name: SHARED[name] for name in ("nfs", "iscsi", "glusterfs", "flocker")},
    "persistentVolumeClaim": _by_rules("PersistentVolumeClaimVolumeSource"),
    **{name: SHARED[name] for name in ("rbd", "cinder", "cephfs", "quobyte")},
    "downwardAPI": files.downward,
    **{name: SHARED[name] for name in ("fc", "flexVolume")},
    "configMap": lambda at, source: files.with_items(at, source, "name"),
    **{name: SHARED[name] for name in ("azureFile", "vsphereVolume", "photonPersistentDisk", "portworxVolume")},
    **{name: SHARED[name] for name in ("azureDisk", "storageos")},
    "projected": files.projected,
    "scaleIO": SHARED["scaleIO"],
    "csi": _csi,
    "ephemeral": _ephemeral,
    "image": _by_rules("ImageVolumeSource"),
}
"""The sources of Pod volumes, in the order of the server's checks: the first one counts."""
