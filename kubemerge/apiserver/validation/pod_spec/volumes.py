"""Volumes: of pods, and what persistent volumes share with them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount
from engine.values.unchecked import a_map, maps, number, text

from ...problems import Problem, duplicate, forbidden, invalid, required, too_long, unsupported
from .. import names
from ..claims import claim_spec
from ..metadata import template as template_metadata
from . import files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.values.unchecked import Object

    Check = Callable[[str, Object], Iterator[Problem]]

TYPES = ("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket")
PULL_POLICIES = ("Always", "IfNotPresent", "Never")
PARTITION = "must be between 1 and 255, inclusive"
LUN = "must be between 0 and 255, inclusive"
NO_IQN = "must be valid format starting with iqn, eui, or naa"
_FORMS = {
    "iqn": r"iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)",
    "eui": r"eui.[A-Za-z0-9]{16}",
    "naa": r"naa.[A-Za-z0-9]{32}",
}


def volumes(at: str, spec: Object, usable: dict[str, Object], pod: str = "") -> Iterator[Problem]:
    """The problems of the volumes of a pod, whose name may be known; `usable` gets those that have none."""
    taken: set[str] = set()
    every = list(maps(spec, "volumes"))
    created = {f"{pod}-{text(one.get('name'))}" for _, one in every if pod and one.get("ephemeral") is not None}
    for index, volume in every:
        place, name = f"{at}[{index}]", text(volume.get("name"))
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
        claim = text(a_map(volume.get("persistentVolumeClaim")).get("claimName"))
        if claim in created:
            why = "must not reference a PVC that gets created for an ephemeral volume"
            yield invalid(f"{place}.persistentVolumeClaim.claimName", claim, why)


def _source(at: str, volume: Object, pod: str) -> Iterator[Problem]:
    given = [field for field in OF_PODS if volume.get(field) is not None]
    for index, field in enumerate(given):
        if index:
            yield forbidden(f"{at}.{NAMED.get(field, field)}", "may not specify more than 1 volume type")
        else:
            yield from OF_PODS[field](f"{at}.{PLACED.get(field, field)}", a_map(volume[field]))
        name = text(volume.get("name"))
        if field == "iscsi" and volume[field].get("initiatorName") is not None:
            yield from _long_name(f"{at}.name", name, name, volume[field])
        if field == "ephemeral" and pod and name:
            wanted = f"{pod}-{name}"
            for why in names.subdomain(wanted):
                yield invalid(f"{at}.name", name, f'PVC name "{wanted}": {why}')
    if not given:
        yield required(at, "must specify a volume type")


def _long_name(at: str, shown: str, name: str, source: Object) -> Iterator[Problem]:
    if len(f"{name}:{text(source.get('targetPortal'))}") > 64:
        why = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if "
        yield invalid(at, shown, f"{why}iscsi.initiatorName is specified.")


def needs(*fields: str) -> Check:
    """The check of a source that only needs these fields."""

    def problems(at: str, source: Object) -> Iterator[Problem]:
        return (required(f"{at}.{field}") for field in fields if not source.get(field))

    return problems


def needs_secret(check: Check, *fields: str) -> Check:
    """The check of a source that may name a Secret, of which these fields are needed."""

    def problems(at: str, source: Object) -> Iterator[Problem]:
        yield from check(at, source)
        secret = source.get("secretRef")
        if isinstance(secret, dict):
            yield from (required(f"{at}.secretRef.{field}") for field in fields if not secret.get(field))

    return problems


def _empty_dir(at: str, source: Object) -> Iterator[Problem]:
    limit = amount(source["sizeLimit"]) if source.get("sizeLimit") is not None else None
    if limit is not None and limit < 0:
        yield forbidden(f"{at}.sizeLimit", "SizeLimit field must be a valid resource quantity")


def host_path(at: str, source: Object) -> Iterator[Problem]:
    """The problems of a path on the node."""
    if not source.get("path"):
        yield required(f"{at}.path")
        return
    yield from files.backsteps(f"{at}.path", text(source["path"]))
    if source.get("type") is not None and source["type"] not in TYPES:
        yield unsupported(f"{at}.type", source["type"], TYPES)


def _git_repo(at: str, source: Object) -> Iterator[Problem]:
    if not source.get("repository"):
        yield required(f"{at}.repository")
    yield from files.descending(f"{at}.directory", text(source.get("directory")))


def _disk(field: str) -> Check:
    def problems(at: str, source: Object) -> Iterator[Problem]:
        if not source.get(field):
            yield required(f"{at}.{field}")
        part = number(source.get("partition")) or 0
        if not 0 <= part <= 255:
            yield invalid(f"{at}.partition", part, PARTITION)

    return problems


def _nfs(at: str, source: Object) -> Iterator[Problem]:
    path = text(source.get("path"))
    yield from needs("server", "path")(at, source)
    if not path.startswith("/"):
        yield invalid(f"{at}.path", path, "must be an absolute path")


def _iscsi(at: str, source: Object) -> Iterator[Problem]:
    iqn, lun = text(source.get("iqn")), number(source.get("lun")) or 0
    yield from needs("targetPortal")(at, source)
    if not iqn:
        yield required(f"{at}.iqn")
    yield from _iqn(f"{at}.iqn", iqn) if iqn else ()
    if not 0 <= lun <= 255:
        yield invalid(f"{at}.lun", lun, LUN)
    if (source.get("chapAuthDiscovery") or source.get("chapAuthSession")) and source.get("secretRef") is None:
        yield required(f"{at}.secretRef")
    if source.get("initiatorName") is not None:
        yield from _iqn(f"{at}.initiatorname", text(source["initiatorName"]))


def _iqn(at: str, value: str) -> Iterator[Problem]:
    form = _FORMS.get(value[:3])
    if form is None:
        yield invalid(at, value, NO_IQN)
    elif not re.search(form if value.startswith("iqn") else f"^{form}", value) or not re.search(f"{form}$", value):
        yield invalid(at, value, "must be valid format")


def _flocker(at: str, source: Object) -> Iterator[Problem]:
    name, uid = text(source.get("datasetName")), text(source.get("datasetUUID"))
    if not name and not uid:
        yield required(at, "one of datasetName and datasetUUID is required")
    if name and uid:
        yield invalid(at, "resource", "datasetName and datasetUUID can not be specified simultaneously")
    if "/" in name:
        yield invalid(f"{at}.datasetName", name, "must not contain '/'")


def _quobyte(at: str, source: Object) -> Iterator[Problem]:
    registry, why = text(source.get("registry")), "must be a host:port pair or multiple pairs separated by commas"
    if not registry:
        yield required(f"{at}.registry", why)
    elif len(text(source.get("tenant"))) >= 65:
        yield required(f"{at}.tenant", "must be a UUID and may not exceed a length of 64 characters")
    else:
        yield from (invalid(f"{at}.registry", registry, why) for pair in registry.split(",") if pair.count(":") != 1)
    if not source.get("volume"):
        yield required(f"{at}.volume")


def _ceph(at: str, source: Object) -> Iterator[Problem]:
    return needs("monitors")(at, source)


def _fc(at: str, source: Object) -> Iterator[Problem]:
    targets, ids, lun = source.get("targetWWNs"), source.get("wwids"), number(source.get("lun"))
    if not targets and not ids:
        yield required(f"{at}.targetWWNs", "must specify either targetWWNs or wwids, but not both")
    if targets and ids:
        yield invalid(f"{at}.targetWWNs", targets, "targetWWNs and wwids can not be specified simultaneously")
    if targets and lun is None:
        yield required(f"{at}.lun", "lun is required if targetWWNs is specified")
    elif targets and lun is not None and not 0 <= lun <= 255:
        yield invalid(f"{at}.lun", lun, LUN)


def _flex(at: str, source: Object) -> Iterator[Problem]:
    if not source.get("driver"):
        yield required(f"{at}.driver")
    for key in a_map(source.get("options")):
        prefix = key.partition("/")[0] if "/" in key else ""
        if f".{prefix}".endswith((".kubernetes.io", ".k8s.io")):
            yield invalid(f"{at}.options[{key}]", key, "kubernetes.io and k8s.io namespaces are reserved")


def _azure_file(at: str, source: Object) -> Iterator[Problem]:
    return needs("secretName", "shareName")(at, source)


def azure_disk(at: str, source: Object) -> Iterator[Problem]:
    """The problems of a disk of Azure."""
    name, uri, kind = text(source.get("diskName")), text(source.get("diskURI")), source.get("kind")
    if not name:
        yield required(f"{at}.diskName")
    if not uri:
        yield required(f"{at}.diskURI")
    caching = source.get("cachingMode")
    if caching is not None and caching not in ("None", "ReadOnly", "ReadWrite"):
        yield unsupported(f"{at}.cachingMode", caching, ("None", "ReadOnly", "ReadWrite"))
    if kind is not None and kind not in ("Dedicated", "Managed", "Shared"):
        yield unsupported(f"{at}.kind", kind, ("Dedicated", "Managed", "Shared"))
    form = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
    if kind == "Managed" and not uri.startswith("/subscriptions"):
        yield unsupported(f"{at}.diskURI", uri, (form,))
    if kind != "Managed" and not uri.startswith("https://"):
        yield unsupported(
            f"{at}.diskURI", uri, ("https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd",)
        )


def storage_os(at: str, source: Object) -> Iterator[Problem]:
    """The problems of a volume of StorageOS."""
    name, namespace = text(source.get("volumeName")), text(source.get("volumeNamespace"))
    if not name:
        yield required(f"{at}.volumeName")
    yield from files.named_label(f"{at}.volumeName", name) if name else ()
    yield from files.named_label(f"{at}.volumeNamespace", namespace) if namespace else ()


def driver(at: str, name: str) -> Iterator[Problem]:
    """The problems of the name of a driver."""
    if not name:
        yield required(at)
        return
    if len(name) > 63:
        yield too_long(at, 63)
    yield from (invalid(at, name, why) for why in names.subdomain(name.lower()))


def _csi(at: str, source: Object) -> Iterator[Problem]:
    yield from driver(f"{at}.driver", text(source.get("driver")))
    secret = source.get("nodePublishSecretRef")
    if isinstance(secret, dict):
        name = text(secret.get("name"))
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
    yield from template_metadata(f"{place}.metadata", a_map(template.get("metadata")))
    yield from claim_spec(f"{place}.spec", a_map(template.get("spec")))


def _image(at: str, source: Object) -> Iterator[Problem]:
    if not source.get("reference"):
        yield required(f"{at}.reference")
    yield from pull_policy(f"{at}.pullPolicy", source.get("pullPolicy"))


def pull_policy(at: str, policy: Any) -> Iterator[Problem]:
    """The problems of when an image is pulled."""
    if not policy:
        yield required(at)
    elif policy not in PULL_POLICIES:
        yield unsupported(at, policy, PULL_POLICIES)


NAMED = {"cephfs": "cephFS", "downwardAPI": "downwarAPI"}
"""How the server calls a source that is one too many, where that is not its name."""
PLACED = {"gcePersistentDisk": "persistentDisk"}
"""How the server calls a source in the places of its fields, where that is not its name."""
SHARED: dict[str, Check] = {
    "hostPath": host_path,
    "gcePersistentDisk": _disk("pdName"),
    "awsElasticBlockStore": _disk("volumeID"),
    "glusterfs": needs("endpoints", "path"),
    "flocker": _flocker,
    "nfs": _nfs,
    "rbd": needs("monitors", "image"),
    "quobyte": _quobyte,
    "cephfs": _ceph,
    "iscsi": _iscsi,
    "cinder": needs_secret(needs("volumeID"), "name"),
    "fc": _fc,
    "flexVolume": _flex,
    "azureFile": _azure_file,
    "vsphereVolume": needs("volumePath"),
    "photonPersistentDisk": needs("pdID"),
    "portworxVolume": needs("volumeID"),
    "azureDisk": azure_disk,
    "storageos": needs_secret(storage_os, "name"),
    "scaleIO": needs("gateway", "system", "volumeName"),
}
OF_PODS: dict[str, Check] = {
    "emptyDir": _empty_dir,
    "hostPath": host_path,
    "gitRepo": _git_repo,
    **{name: SHARED[name] for name in ("gcePersistentDisk", "awsElasticBlockStore")},
    "secret": lambda at, source: files.with_items(at, source, "secretName"),
    **{name: SHARED[name] for name in ("nfs", "iscsi", "glusterfs", "flocker")},
    "persistentVolumeClaim": needs("claimName"),
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
    "image": _image,
}
"""The sources of the volumes of pods, in the order in which the server looks at them: the first one counts."""
