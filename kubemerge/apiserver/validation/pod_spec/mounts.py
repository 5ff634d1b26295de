"""Volume mounts and volume devices of a container."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...problems import Problem, duplicate, forbidden, invalid, not_found, required, unsupported
from ...unchecked import as_map, as_text, maps
from .files import descending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...unchecked import Object

PROPAGATIONS = ("Bidirectional", "HostToContainer", "None")
READ_ONLY = ("Disabled", "Enabled", "IfPossible")
OPTIONS = ("nodev", "noexec", "nosuid")


def mounts(at: str, container: Object, volumes: dict[str, Object]) -> Iterator[Problem]:
    """Validate volume mounts."""
    raw = {as_text(one.get("name")): as_text(one.get("devicePath")) for _, one in maps(container, "volumeDevices")}
    taken: set[str] = set()
    for index, mount in maps(container, "volumeMounts"):
        place, name, path = f"{at}[{index}]", as_text(mount.get("name")), as_text(mount.get("mountPath"))
        if not name:
            yield required(f"{place}.name")
        if name not in volumes:
            yield not_found(f"{place}.name", name)
        if not path:
            yield required(f"{place}.mountPath")
        if path in taken:
            yield invalid(f"{place}.mountPath", path, "must be unique")
        taken.add(path)
        if name in raw:
            yield invalid(f"{place}.name", name, "must not already exist in volumeDevices")
        if path in raw.values():
            yield invalid(f"{place}.mountPath", path, "must not already exist as a path in volumeDevices")
        yield from _details(at, place, mount, container)
        yield from _options(f"{place}.bindMountOptions", mount, volumes.get(name))


def _details(at: str, place: str, mount: Object, container: Object) -> Iterator[Problem]:
    """The server does not name the mount in these problems."""
    path, expression, how = (
        as_text(mount.get("subPath")),
        as_text(mount.get("subPathExpr")),
        mount.get("mountPropagation"),
    )
    if path:
        yield from descending(f"{at}.subPath", path)
    if expression:
        if path:
            yield invalid(f"{place}.subPathExpr", expression, "subPathExpr and subPath are mutually exclusive")
        yield from descending(f"{at}.subPathExpr", expression)
    if how is not None:
        if how not in PROPAGATIONS:
            yield unsupported(f"{at}.mountPropagation", how, PROPAGATIONS)
        if how == "Bidirectional" and as_map(container.get("securityContext")).get("privileged") is not True:
            why = "Bidirectional mount propagation is available only to privileged containers"
            yield forbidden(f"{at}.mountPropagation", why)
    read_only = mount.get("recursiveReadOnly")
    if read_only in ("Enabled", "IfPossible"):
        if mount.get("readOnly") is not True:
            yield forbidden(f"{at}.recursiveReadOnly", "may only be specified when readOnly is true")
        if how not in (None, "None"):
            why = "may only be specified when mountPropagation is None or not specified"
            yield forbidden(f"{at}.recursiveReadOnly", why)
    elif read_only not in (None, "Disabled"):
        yield unsupported(f"{at}.recursiveReadOnly", read_only, ("Disabled", "Enabled", "IfPossible"))


def _options(at: str, mount: Object, volume: Object | None) -> Iterator[Problem]:
    options: list[Any] = mount.get("bindMountOptions") or []
    for index, one in enumerate(options):
        if one not in OPTIONS:
            yield unsupported(f"{at}[{index}]", one, OPTIONS)
        if one in options[:index]:
            yield duplicate(f"{at}[{index}]", one)
    if options and as_map(volume).get("image") is not None:
        yield invalid(at, options, "bindMountOptions may not be used with image volumes")


def devices(at: str, container: Object, volumes: dict[str, Object]) -> Iterator[Problem]:
    """Validate volume devices."""
    mounted = {as_text(one.get("name")): as_text(one.get("mountPath")) for _, one in maps(container, "volumeMounts")}
    taken: set[str] = set()
    paths: set[str] = set()
    for index, one in maps(container, "volumeDevices"):
        place, name, path = f"{at}[{index}]", as_text(one.get("name")), as_text(one.get("devicePath"))
        if not name:
            yield required(f"{place}.name")
        if name in taken:
            yield invalid(f"{place}.name", name, "must be unique")
        volume = volumes.get(name)
        if volume is None:
            yield not_found(f"{place}.name", name)
        elif volume.get("persistentVolumeClaim") is None and volume.get("ephemeral") is None:
            why = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"
            yield invalid(f"{place}.name", name, why)
        if not path:
            yield required(f"{place}.devicePath")
        if path in paths:
            yield invalid(f"{place}.devicePath", path, "must be unique")
        if ".." in path.split("/"):
            yield invalid(f"{place}.devicePath", path, "can not contain backsteps ('..')")
        else:
            paths.add(path)
        if name in mounted:
            yield invalid(f"{place}.name", name, "must not already exist in volumeMounts")
        if path in mounted.values():
            yield invalid(f"{place}.devicePath", path, "must not already exist as a path in volumeMounts")
        taken |= {name} if name else set()
