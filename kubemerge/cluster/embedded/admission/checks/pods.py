"""What the API does not allow in the spec of a pod."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.unchecked import a_map, found, maps, number, text

from ....refusals import duplicate, forbidden, invalid, not_found, required, unsupported
from . import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.values.unchecked import Object

VOLUME_SOURCES = (
    "emptyDir",
    "hostPath",
    "gitRepo",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "flocker",
    "persistentVolumeClaim",
    "rbd",
    "cinder",
    "cephfs",
    "quobyte",
    "downwardAPI",
    "fc",
    "flexVolume",
    "configMap",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "storageos",
    "projected",
    "scaleIO",
    "csi",
    "ephemeral",
    "image",
)
"""In the order in which the API looks at them: the first one found counts as the type of the volume."""

ENV_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
PROBE_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")
HOOK_HANDLERS = ("exec", "httpGet", "tcpSocket", "sleep")
CHOICES = {
    "restartPolicy": ("Always", "OnFailure", "Never"),
    "dnsPolicy": ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"),
}
PULL_POLICIES = ("Always", "IfNotPresent", "Never")
PROTOCOLS = ("SCTP", "TCP", "UDP")
PORTS = "must be between 1 and 65535, inclusive"


def pod_spec(at: str, spec: Object, *, claimed: Iterable[str] = ()) -> Iterator[str]:
    """The problems of the spec of a pod; `claimed` are volumes that a stateful set adds to it."""
    yield from _volumes(at, spec)
    volumes = {*claimed, *(text(volume.get("name")) for _, volume in maps(spec, "volumes"))}
    taken: set[str] = set()
    if not spec.get("containers"):
        yield required(f"{at}.containers")
    for field in ("containers", "initContainers", "ephemeralContainers"):
        for index, container in maps(spec, field):
            yield from _container(f"{at}.{field}[{index}]", container, taken, volumes)
    for field, choices in CHOICES.items():
        if spec.get(field) and spec[field] not in choices:
            yield unsupported(f"{at}.{field}", spec[field], choices)


def named(at: str, name: str, taken: set[str]) -> Iterator[str]:
    """The problems of a name that has to be a label, and unique."""
    if not name:
        yield required(f"{at}.name")
        return
    yield from (invalid(f"{at}.name", name, why) for why in names.label(name))
    if name in taken:
        yield duplicate(f"{at}.name", name)
    taken.add(name)


def _volumes(at: str, spec: Object) -> Iterator[str]:
    taken: set[str] = set()
    for index, volume in maps(spec, "volumes"):
        place = f"{at}.volumes[{index}]"
        yield from _only_one(place, volume, VOLUME_SOURCES, "volume")
        yield from named(place, text(volume.get("name")), taken)


def _only_one(at: str, owner: Object, fields: Iterable[str], what: str) -> Iterator[str]:
    """All but the first of the fields that exclude each other."""
    given = [field for field in fields if owner.get(field) is not None]
    yield from (forbidden(f"{at}.{field}", f"may not specify more than 1 {what} type") for field in given[1:])


def _container(at: str, container: Object, taken: set[str], volumes: set[str]) -> Iterator[str]:
    yield from named(at, text(container.get("name")), taken)
    if not container.get("image"):
        yield required(f"{at}.image")
    yield from _ports(at, container)
    yield from _env(at, container)
    yield from _mounts(at, container, volumes)
    policy = container.get("imagePullPolicy")
    if policy and policy not in PULL_POLICIES:
        yield unsupported(f"{at}.imagePullPolicy", policy, PULL_POLICIES)
    yield from _handlers(at, container)


def _ports(at: str, container: Object) -> Iterator[str]:
    taken: set[str] = set()
    for index, port in maps(container, "ports"):
        place = f"{at}.ports[{index}]"
        name = text(port.get("name"))
        if name and name in taken:
            yield duplicate(f"{place}.name", name)
        taken.add(name)
        wanted = number(port.get("containerPort"))
        if not wanted:
            yield required(f"{place}.containerPort")
        elif not 0 < wanted < 65536:
            yield invalid(f"{place}.containerPort", wanted, PORTS)
        if port.get("protocol") and port["protocol"] not in PROTOCOLS:
            yield unsupported(f"{place}.protocol", port["protocol"], PROTOCOLS)


def _env(at: str, container: Object) -> Iterator[str]:
    for index, variable in maps(container, "env"):
        place = f"{at}.env[{index}]"
        if not variable.get("name"):
            yield required(f"{place}.name")
        if isinstance(variable.get("valueFrom"), dict):
            yield from _env_source(f"{place}.valueFrom", variable)


def _env_source(at: str, variable: Object) -> Iterator[str]:
    given = [field for field in ENV_SOURCES if variable["valueFrom"].get(field) is not None]
    if not given:
        yield invalid(at, "", f"must specify one of: `{'`, `'.join(ENV_SOURCES[:-1])}` or `{ENV_SOURCES[-1]}`")
    elif variable.get("value"):
        yield invalid(at, "", "may not be specified when `value` is not empty")
    elif len(given) > 1:
        yield invalid(at, "", "may not have more than one field specified at a time")


def _mounts(at: str, container: Object, volumes: set[str]) -> Iterator[str]:
    taken: set[str] = set()
    for index, mount in maps(container, "volumeMounts"):
        place = f"{at}.volumeMounts[{index}]"
        name, path = text(mount.get("name")), text(mount.get("mountPath"))
        if not name:
            yield required(f"{place}.name")
        elif name not in volumes:
            yield not_found(f"{place}.name", name)
        if not path:
            yield required(f"{place}.mountPath")
        elif path in taken:
            yield invalid(f"{place}.mountPath", path, "must be unique")
        taken.add(path)


def _handlers(at: str, container: Object) -> Iterator[str]:
    for hook in ("postStart", "preStop"):
        yield from _handler(f"{at}.lifecycle.{hook}", found(container, f"lifecycle.{hook}"), HOOK_HANDLERS)
    for probe in ("livenessProbe", "readinessProbe", "startupProbe"):
        yield from _handler(f"{at}.{probe}", container.get(probe), PROBE_HANDLERS)


def _handler(at: str, handler: Any, fields: tuple[str, ...]) -> Iterator[str]:
    yield from _only_one(at, a_map(handler), fields, "handler")
    if isinstance(handler, dict) and all(handler.get(field) is None for field in fields):
        yield required(at, "must specify a handler type")
