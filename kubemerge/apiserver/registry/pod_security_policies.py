"""PodSecurityPolicy, which servers have until 1.24."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..defaulting.rules import Default, Group
from ..problems import Problem, duplicate, forbidden, invalid, required, unsupported
from ..text.go_text import quoted
from ..unchecked import as_map, as_number, as_text, maps
from ..validation import names
from ..validation.pod_spec.security import PROC_MOUNTS, SYSCTL_PART
from .csi_drivers import driver_name
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

ANY, MUST, MAY = "RunAsAny", "MustRunAs", "MayRunAs"
RULES = {
    "runAsUser": (MUST, "MustRunAsNonRoot", ANY),
    "seLinux": (MUST, ANY),
    "supplementalGroups": (MAY, MUST, ANY),
    "fsGroup": (MAY, MUST, ANY),
}
"""The supported rules of each required strategy."""
GROUP_RULES = (MUST, ANY, MAY)
_VOLUMES = """
* awsElasticBlockStore azureDisk azureFile cephFS cinder configMap csi downwardAPI emptyDir
ephemeral fc flexVolume flocker gcePersistentDisk gitRepo glusterfs hostPath iscsi nfs
persistentVolumeClaim photonPersistentDisk portworxVolume projected quobyte rbd scaleIO secret
storageos vsphereVolume
"""
VOLUMES = tuple(_VOLUMES.split())
PATTERN = rf"({SYSCTL_PART}\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]"
NO_ESCALATION = (
    "Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true"
)


def policy(content: Object) -> Iterator[Problem]:
    """Validate a PodSecurityPolicy."""
    spec = as_map(content.get("spec"))
    yield from _strategy(spec, "runAsUser")
    yield from _run_as_group(spec)
    for field in ("seLinux", "supplementalGroups", "fsGroup"):
        yield from _strategy(spec, field)
    for volume in _texts(spec, "volumes"):
        if volume not in VOLUMES:
            yield unsupported("spec.volumes", volume, VOLUMES)
    yield from _capabilities(spec)
    if spec.get("defaultAllowPrivilegeEscalation") is True and spec.get("allowPrivilegeEscalation") is False:
        yield invalid("spec.defaultAllowPrivilegeEscalation", True, NO_ESCALATION)
    for index, mount in enumerate(_texts(spec, "allowedProcMountTypes")):
        if mount not in PROC_MOUNTS:
            yield unsupported(f"spec.allowedProcMountTypes[{index}]", mount, PROC_MOUNTS)
    yield from _allowed_sources(spec)
    yield from _sysctls(spec)
    yield from _runtime_classes(as_map(spec.get("runtimeClass")))


def _texts(owner: Object, field: str) -> list[str]:
    found = owner.get(field)
    return [as_text(one) for one in found] if isinstance(found, list) else []


def _strategy(spec: Object, field: str) -> Iterator[Problem]:
    found, rules = as_map(spec.get(field)), RULES[field]
    if as_text(found.get("rule")) not in rules:
        yield unsupported(f"spec.{field}.rule", as_text(found.get("rule")), rules)
    if field != "seLinux":
        yield from _ranges(f"spec.{field}.ranges", found)


def _run_as_group(spec: Object) -> Iterator[Problem]:
    found, at = spec.get("runAsGroup"), "spec.runAsGroup"
    if not isinstance(found, dict):
        return
    rule, ranges = as_text(found.get("rule")), found.get("ranges") or None
    if rule not in GROUP_RULES:
        yield unsupported(f"{at}.rule", rule, GROUP_RULES)
    elif rule == ANY:
        if ranges:
            yield invalid(f"{at}.ranges", ranges, "Ranges must be empty")
    else:
        if not ranges:
            yield invalid(f"{at}.ranges", ranges, "must provide at least one range")
        yield from _ranges(f"{at}.ranges", found)


def _ranges(at: str, owner: Object) -> Iterator[Problem]:
    for index, one in maps(owner, "ranges"):
        least, most = as_number(one.get("min")) or 0, as_number(one.get("max")) or 0
        if least < 0:
            yield invalid(f"{at}[{index}].min", least, "min cannot be negative")
        if most < 0:
            yield invalid(f"{at}[{index}].max", most, "max cannot be negative")
        if least > most:
            yield invalid(f"{at}[{index}].min", least, "min cannot be greater than max")


def _capabilities(spec: Object) -> Iterator[Problem]:
    dropped = _texts(spec, "requiredDropCapabilities")
    if dropped and "*" in _texts(spec, "allowedCapabilities"):
        why = "must be empty when all capabilities are allowed by a wildcard"
        yield invalid("requiredDropCapabilities", dropped, why)
    for field in ("defaultAddCapabilities", "allowedCapabilities"):
        for one in _texts(spec, field):
            if one in dropped:
                yield invalid(field, one, f"capability is listed in {field} and requiredDropCapabilities")


def _allowed_sources(spec: Object) -> Iterator[Problem]:
    for index, one in maps(spec, "allowedHostPaths"):
        prefix = as_text(one.get("pathPrefix"))
        if not prefix:
            yield required(f"spec.allowedHostPaths[{index}]", "is required")
            break
        if ".." in prefix.split("/"):
            yield invalid(f"spec.allowedHostPaths[{index}]", prefix, "must not contain '..'")
    for index, one in maps(spec, "allowedFlexVolumes"):
        if not one.get("driver"):
            at = f"spec.allowedFlexVolumes.allowedFlexVolumes[{index}].driver"
            yield required(at, "must specify a driver")
    for index, one in maps(spec, "allowedCSIDrivers"):
        yield from driver_name(f"spec.allowedCSIDrivers.allowedCSIDriver[{index}].name", one.get("name"))


def _sysctls(spec: Object) -> Iterator[Problem]:
    allowed, rejected = ("spec.allowedUnsafeSysctls", "spec.forbiddenSysctls")
    for at in (allowed, rejected):
        found = _texts(spec, at.removeprefix("spec."))
        for index, one in enumerate(found):
            if not one:
                yield invalid(f"{at}[{index}]", one, "empty sysctl not allowed")
            elif len(one) > 253 or not re.fullmatch(PATTERN, one):
                yield invalid(f"{at}[{index}]", one, f"must have at most 253 characters and match regex {PATTERN}")
        if len(found) > 1 and any(re.fullmatch(PATTERN, one) and one.startswith("*") for one in found):
            yield forbidden(f"{at}.items", "if '*' is present, must not specify other sysctls")
    for index, one in enumerate(_texts(spec, "allowedUnsafeSysctls")):
        for other_index, other in enumerate(_texts(spec, "forbiddenSysctls")):
            if _covers(other, one):
                yield invalid(f"{allowed}[{index}]", one, f"sysctl overlaps with {other}")
            elif _covers(one, other):
                yield invalid(f"{rejected}[{other_index}]", other, f"sysctl overlaps with {one}")


def _covers(pattern: str, other: str) -> bool:
    """Whether a sysctl, or a pattern of sysctls, includes another one."""
    if pattern.endswith("*"):
        return other.removesuffix("*").startswith(pattern[:-1])
    return pattern == other


def _runtime_classes(strategy: Object) -> Iterator[Problem]:
    at, allowed = "spec.runtimeClass.allowedRuntimeClassNames", _texts(strategy, "allowedRuntimeClassNames")
    for index, name in enumerate(allowed):
        if name != "*":
            yield from (invalid(f"{at}[{index}]", name, why) for why in names.subdomain(name))
        if name in allowed[:index]:
            yield duplicate(f"{at}[{index}]", name)
    default = strategy.get("defaultRuntimeClassName")
    if default is not None:
        place, name = "spec.runtimeClass.defaultRuntimeClassName", as_text(default)
        yield from (invalid(place, name, why) for why in names.subdomain(name))
        if name not in allowed and "*" not in allowed:
            yield required(at, f"default {quoted(name)} must be allowed")
    if "*" in allowed and len(allowed) > 1:
        yield invalid(at, allowed, "if '*' is present, must not specify other RuntimeClass names")


RECORDS = (
    KindRecord(
        group="policy",
        kind="PodSecurityPolicy",
        versions=("policy/v1beta1",),
        defaults=(
            Group(
                ("PodSecurityPolicy",),
                "policy/v1beta1/defaults.go SetDefaults_PodSecurityPolicySpec",
                (Default("spec.allowPrivilegeEscalation", True, since="1.8", until="1.24"),),
            ),
        ),
        check=policy,
    ),
)
