"""Warnings of Pods and Pod templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount, canonical

from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation.values.quantities import is_whole
from . import addresses, labels, ports
from .eras import (
    ALWAYS,
    APP_ARMOR,
    APP_ARMOR_OTHER_THAN_POD,
    CLAIM_TEMPLATE,
    DROPPED_VARIABLE,
    GRACE_PERIOD,
    HIDDEN_VARIABLE,
    NULL_SELECTOR,
    POD_ADDRESSES,
    REPEATED_VARIABLE,
    DatedWarning,
)
from .overlaps import overlapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

ANNOTATIONS = {
    "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
    "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
    "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
}
_PLANNED = DatedWarning("deprecated in v1.22, support removal is planned in v1.26", until=26)
_GONE = DatedWarning("deprecated in v1.22, non-functional in v1.25+", 27)
_GLUSTERFS = "deprecated in v1.25, this feature will be removed soon after in a subsequent release"
_CEPH = DatedWarning("deprecated in v1.28, non-functional in v1.31+", 28)
SOURCES = {
    "photonPersistentDisk": (DatedWarning("deprecated in v1.11, non-functional in v1.16+"),),
    "gitRepo": (
        DatedWarning("deprecated in v1.11", until=32),
        DatedWarning("deprecated in v1.11, and disabled by default in v1.33+", 33),
    ),
    "scaleIO": (DatedWarning("deprecated in v1.16, non-functional in v1.22+"),),
    "flocker": (_PLANNED, _GONE),
    "storageos": (_PLANNED, _GONE),
    "quobyte": (_PLANNED, _GONE),
    "glusterfs": (DatedWarning(_GLUSTERFS, 25, 26), DatedWarning("deprecated in v1.25, non-functional in v1.26+", 27)),
    "ephemeral": (),
    "cephfs": (_CEPH,),
    "rbd": (_CEPH,),
}
"""Removed volume sources, in the order of a server's checks."""
_SECCOMP_FIELD = 'use the "seccompProfile" field instead'
SECCOMP = (
    DatedWarning(f"deprecated since v1.19; {_SECCOMP_FIELD}", until=22),
    DatedWarning(f"deprecated since v1.19, non-functional in v1.25+; {_SECCOMP_FIELD}", 23, 24),
    DatedWarning(f"deprecated since v1.19, non-functional in a future release; {_SECCOMP_FIELD}", 25, 26),
    DatedWarning(f"non-functional in v1.27+; {_SECCOMP_FIELD}", 27),
)
SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod"
SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/"
APPARMOR = "container.apparmor.security.beta.kubernetes.io/"
APPARMOR_FIELD = 'deprecated since v1.30; use the "appArmorProfile" field instead'
LISTS = ("initContainers", "containers", "ephemeralContainers")
PICKS_NONE = "a null labelSelector results in matching no pod"
BYTES = ("memory", "ephemeral-storage")


def of_template(at: str, template: Object) -> Iterator[DatedWarning]:
    """Return the warnings of a Pod, whose path is empty, or of a template."""
    spec, metadata = as_map(template.get("spec")), as_map(template.get("metadata"))
    inside = f"{at}.spec" if at else "spec"
    notes = f"{at}.metadata.annotations" if at else "metadata.annotations"
    annotations = as_map(metadata.get("annotations"))
    affinity = as_map(spec.get("affinity"))
    if "nodeSelector" in spec:
        yield from labels.in_map(f"{inside}.nodeSelector", spec["nodeSelector"])
    if affinity:
        yield from labels.in_affinity(f"{inside}.affinity.nodeAffinity", as_map(affinity.get("nodeAffinity")))
    yield from _spread(inside, spec)
    if annotations:
        yield from (ALWAYS(f"{notes}[{key}]: {said}") for key, said in ANNOTATIONS.items() if key in annotations)
    if "volumes" in spec:
        yield from _volumes(inside, spec)
        yield from overlapping(one for _, one in maps(spec, "volumes"))
    yield from _twice(inside, spec)
    for name in BYTES if "overhead" in spec else ():
        yield from fractional(f"{inside}.overhead[{name}]", as_map(spec["overhead"]).get(name))
    if SECCOMP_POD in annotations and get_path(spec, "securityContext.seccompProfile") is None:
        yield from (one.at(f"{notes}[{SECCOMP_POD}]") for one in SECCOMP)
    containers = [(f"{inside}.{field}[{index}]", one) for field in LISTS for index, one in maps(spec, field)]
    for place, container in containers:
        yield from _container(place, container, notes if at else "", annotations, spec)
    yield from ports.of_containers(containers)
    seconds = as_number(spec.get("terminationGracePeriodSeconds"))
    if seconds is not None and seconds < 0:
        why = "must be >= 0; negative values are invalid and will be treated as 1"
        yield GRACE_PERIOD(f"{inside}.terminationGracePeriodSeconds: {why}")
    for field in ("podAffinity", "podAntiAffinity") if affinity else ():
        yield from _pod_affinity(f"{inside}.affinity.{field}", as_map(affinity.get(field)))
    servers = get_path(spec, "dnsConfig.nameservers") if "dnsConfig" in spec else None
    for index, one in enumerate(servers if isinstance(servers, list) else ()):
        yield from POD_ADDRESSES.limit(addresses.of_address(f"{inside}.dnsConfig.nameservers[{index}]", as_text(one)))
    for index, host in maps(spec, "hostAliases"):
        yield from POD_ADDRESSES.limit(
            addresses.of_address(f"{inside}.hostAliases[{index}].ip", as_text(host.get("ip")))
        )


def fractional(at: str, value: Any) -> Iterator[DatedWarning]:
    """Warn about fractional bytes."""
    if value is not None and amount(value) is not None and not is_whole(value):
        yield ALWAYS(f'{at}: fractional byte value "{canonical(value)}" is invalid, must be an integer')


def claim_spec(at: str, spec: Object) -> Iterator[DatedWarning]:
    """Return the warnings of the spec of a claim."""
    for field in ("requests", "limits"):
        place = f"{at}.resources.{field}[storage]"
        yield from fractional(place, get_path(spec, f"resources.{field}.storage"))


def _spread(at: str, spec: Object) -> Iterator[DatedWarning]:
    for index, one in maps(spec, "topologySpreadConstraints"):
        place, key = f"{at}.topologySpreadConstraints[{index}]", as_text(one.get("topologyKey"))
        if key in labels.DEPRECATED:
            yield labels.with_key(f"{place}.topologyKey", key)
        if one.get("labelSelector") is None:
            yield NULL_SELECTOR(f"{place}.labelSelector: {PICKS_NONE}")


def _volumes(at: str, spec: Object) -> Iterator[DatedWarning]:
    for index, volume in maps(spec, "volumes"):
        for field, texts in SOURCES.items():
            if volume.get(field) is None:
                continue
            place = f"{at}.volumes[{index}].{'storageOS' if field == 'storageos' else field}"
            yield from (one.at(place) for one in texts)
            claim = as_map(get_path(volume, "ephemeral.volumeClaimTemplate.spec")) if field == "ephemeral" else {}
            yield from CLAIM_TEMPLATE.limit(claim_spec(f"{place}.volumeClaimTemplate.spec", claim))


def _twice(at: str, spec: Object) -> Iterator[DatedWarning]:
    for field, key in (("hostAliases", "ip"), ("imagePullSecrets", "name")):
        seen: set[str] = set()
        for index, one in maps(spec, field):
            name = as_text(one.get(key))
            if name in seen:
                yield ALWAYS(f'{at}.{field}[{index}].{key}: duplicate {key} "{name}"')
            seen.add(name)
    for index, one in maps(spec, "imagePullSecrets"):
        if not one.get("name"):
            yield ALWAYS(f'{at}.imagePullSecrets[{index}].name: invalid empty name ""')


def _container(at: str, container: Object, notes: str, annotations: Object, spec: Object) -> Iterator[DatedWarning]:
    """The warnings of one container. `notes` is empty for a Pod, whose profile is set instead."""
    name, context = as_text(container.get("name")), as_map(container.get("securityContext"))
    if context.get("seccompProfile") is None and f"{SECCOMP_CONTAINER}{name}" in annotations:
        place = f"{notes or 'metadata.annotations'}[{SECCOMP_CONTAINER}{name}]"
        yield from (one.at(place) for one in SECCOMP)
    armor = annotations.get(f"{APPARMOR}{name}")
    if notes and armor is not None and context.get("appArmorProfile") is None:
        given = get_path(spec, "securityContext.appArmorProfile")
        if given is None or given != profile(as_text(armor)):
            era = APP_ARMOR if given is None else APP_ARMOR_OTHER_THAN_POD
            yield era(f"{notes}[{APPARMOR}{name}]: {APPARMOR_FIELD}")
    for resource in BYTES if container.get("resources") else ():
        for field in ("limits", "requests"):
            value = get_path(container, f"resources.{field}") or {}
            yield from fractional(f"{at}.resources.{field}[{resource}]", as_map(value).get(resource))
    yield from _hidden(at, container)


def profile(annotation: str) -> Object | None:
    """Return the profile of an annotation, or None."""
    if annotation == "unconfined":
        return {"type": "Unconfined"}
    if annotation == "runtime/default":
        return {"type": "RuntimeDefault"}
    local = annotation.removeprefix("localhost/")
    return {"type": "Localhost", "localhostProfile": local} if local and local != annotation else None


def _hidden(at: str, container: Object) -> Iterator[DatedWarning]:
    """Warnings of duplicate variables, later only of those that do not use their earlier value."""
    seen: set[str] = set()
    for index, one in maps(container, "env"):
        name, value = as_text(one.get("name")), as_text(one.get("value"))
        reference, place = f"$({name})", f"{at}.env[{index}]"
        if name in seen:
            yield REPEATED_VARIABLE(f'{place}.name: duplicate name "{name}"')
            if one.get("valueFrom") is not None or value == reference or reference not in value:
                why = f'hides previous definition of "{name}"'
                yield HIDDEN_VARIABLE(f"{place}: {why}")
                yield DROPPED_VARIABLE(f"{place}: {why}, which may be dropped when using apply")
        seen.add(name)


def _pod_affinity(at: str, affinity: Object) -> Iterator[DatedWarning]:
    required, preferred = (
        "requiredDuringSchedulingIgnoredDuringExecution",
        "preferredDuringSchedulingIgnoredDuringExecution",
    )
    for index, term in maps(affinity, required):
        if term.get("labelSelector") is None:
            yield NULL_SELECTOR(f"{at}.{required}[{index}].labelSelector: {PICKS_NONE}")
    for index, one in maps(affinity, preferred):
        if as_map(one.get("podAffinityTerm")).get("labelSelector") is None:
            yield NULL_SELECTOR(f"{at}.{preferred}[{index}].podAffinityTerm.labelSelector: {PICKS_NONE}")
