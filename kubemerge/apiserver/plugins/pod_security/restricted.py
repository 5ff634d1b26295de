"""The checks of the restricted level beyond baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...unchecked import as_text, get_path, maps
from .baseline import PROFILES, any_proc_mount, seccomp_type
from .baseline import seccomp as baseline_seccomp
from .violations import (
    Violation,
    all_containers,
    context,
    has_own_users,
    in_windows,
    listed,
    named,
    plural,
    quoted,
    violators,
)

if TYPE_CHECKING:
    from ...protocol import Object

WINDOWS_SINCE = 25
VOLUMES = (
    *("configMap", "csi", "downwardAPI", "emptyDir", "ephemeral"),
    *("image", "persistentVolumeClaim", "projected", "secret"),
)
OTHERS = (
    *("hostPath", "gcePersistentDisk", "awsElasticBlockStore", "gitRepo", "nfs", "iscsi", "glusterfs", "rbd"),
    *("flexVolume", "cinder", "cephfs", "flocker", "fc", "azureFile", "vsphereVolume", "quobyte", "azureDisk"),
    *("photonPersistentDisk", "portworxVolume", "scaleIO", "storageos"),
)


def escalation(_: Object, spec: Object, minor: int) -> Violation | None:
    """Privilege escalation."""
    if minor >= WINDOWS_SINCE and in_windows(spec):
        return None
    bad = [
        as_text(one.get("name"))
        for one in all_containers(spec)
        if context(one).get("allowPrivilegeEscalation") is not False
    ]
    if not bad:
        return None
    said = f"{named(bad)} must set securityContext.allowPrivilegeEscalation=false"
    return Violation("allowPrivilegeEscalation != false", said)


def capabilities(_: Object, spec: Object, minor: int) -> Violation | None:
    """Containers that do not drop all capabilities, or add others than NET_BIND_SERVICE."""
    if minor >= WINDOWS_SINCE and in_windows(spec):
        return None
    keeping, adding, added = [], [], set()
    for one in all_containers(spec):
        name = as_text(one.get("name"))
        if "ALL" not in listed(get_path(context(one), "capabilities.drop")):
            keeping.append(name)
        more = {as_text(each) for each in listed(get_path(context(one), "capabilities.add"))} - {"NET_BIND_SERVICE"}
        if more:
            adding.append(name)
            added |= more
    details = [f'{named(keeping)} must set securityContext.capabilities.drop=["ALL"]'] if keeping else []
    if adding:
        details.append(f"{named(adding)} must not include {quoted(sorted(added))} in securityContext.capabilities.add")
    return Violation("unrestricted capabilities", "; ".join(details)) if details else None


def proc_mount(_: Object, spec: Object, __: int) -> Violation | None:
    """A procMount other than the default."""
    return any_proc_mount(spec)


def volumes(__: Object, spec: Object, ___: int) -> Violation | None:
    """Volume types outside of the allowed set."""
    bad, types = [], set()
    for _, volume in maps(spec, "volumes"):
        if not any(volume.get(field) is not None for field in VOLUMES):
            bad.append(as_text(volume.get("name")))
            types.add(next((field for field in OTHERS if volume.get(field) is not None), "unknown"))
    if not bad:
        return None
    kinds = sorted(types)
    what = plural("restricted volume type", "restricted volume types", kinds)
    used = f"{plural('volume', 'volumes', bad)} {quoted(bad)} {plural('uses', 'use', bad)}"
    return Violation("restricted volume types", f"{used} {what} {quoted(kinds)}")


def not_root(_: Object, spec: Object, minor: int) -> Violation | None:
    """Containers that may run as root."""
    if minor >= 35 and has_own_users(spec):
        return None
    setters = violators(spec, lambda one: one.get("runAsNonRoot") is False)
    if setters:
        said = f"{' and '.join(setters)} must not set securityContext.runAsNonRoot=false"
        return Violation("runAsNonRoot != true", said)
    if context(spec).get("runAsNonRoot") is True:
        return None
    silent = [as_text(one.get("name")) for one in all_containers(spec) if context(one).get("runAsNonRoot") is None]
    if not silent:
        return None
    return Violation("runAsNonRoot != true", f"pod or {named(silent)} must set securityContext.runAsNonRoot=true")


def not_user_0(_: Object, spec: Object, minor: int) -> Violation | None:
    """Containers that run as user 0."""
    if minor >= 35 and has_own_users(spec):
        return None
    setters = violators(spec, lambda one: one.get("runAsUser") == 0 and one["runAsUser"] is not False)
    return Violation("runAsUser=0", f"{' and '.join(setters)} must not set runAsUser=0") if setters else None


def seccomp(metadata: Object, spec: Object, minor: int) -> Violation | None:
    """Containers without a seccomp profile."""
    if minor >= WINDOWS_SINCE and in_windows(spec):
        return None
    bad = baseline_seccomp(metadata, spec, minor)
    if bad or seccomp_type(context(spec)) in PROFILES:
        return bad
    silent = [as_text(one.get("name")) for one in all_containers(spec) if seccomp_type(context(one)) is None]
    if not silent:
        return None
    said = f'pod or {named(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"'
    return Violation("seccompProfile", said)
