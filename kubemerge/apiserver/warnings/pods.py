"""Warnings of Pods and Pod templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount, canonical

from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation.values import addresses
from ..validation.values.quantities import is_whole
from . import labels, ports
from .overlaps import overlapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

ANNOTATIONS = {
    "scheduler.alpha.kubernetes.io/critical-pod": 'non-functional in v1.16+; use the "priorityClassName" field instead',
    "security.alpha.kubernetes.io/sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
    "security.alpha.kubernetes.io/unsafe-sysctls": 'non-functional in v1.11+; use the "sysctls" field instead',
}
SOURCES = {
    "photonPersistentDisk": "deprecated in v1.11, non-functional in v1.16+",
    "gitRepo": "deprecated in v1.11, and disabled by default in v1.33+",
    "scaleIO": "deprecated in v1.16, non-functional in v1.22+",
    "flocker": "deprecated in v1.22, non-functional in v1.25+",
    "storageos": "deprecated in v1.22, non-functional in v1.25+",
    "quobyte": "deprecated in v1.22, non-functional in v1.25+",
    "glusterfs": "deprecated in v1.25, non-functional in v1.26+",
    "ephemeral": "",
    "cephfs": "deprecated in v1.28, non-functional in v1.31+",
    "rbd": "deprecated in v1.28, non-functional in v1.31+",
}
"""Removed volume sources, in the order of a server's checks."""
SECCOMP = 'non-functional in v1.27+; use the "seccompProfile" field instead'
SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod"
SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/"
APPARMOR = "container.apparmor.security.beta.kubernetes.io/"
LISTS = ("initContainers", "containers", "ephemeralContainers")
PICKS_NONE = "a null labelSelector results in matching no pod"
BYTES = ("memory", "ephemeral-storage")


def of_template(at: str, template: Object) -> Iterator[str]:
    """Return the warnings of a Pod, whose path is empty, or of a template."""
    spec, metadata = as_map(template.get("spec")), as_map(template.get("metadata"))
    inside = f"{at}.spec" if at else "spec"
    notes = f"{at}.metadata.annotations" if at else "metadata.annotations"
    annotations = as_map(metadata.get("annotations"))
    yield from labels.in_map(f"{inside}.nodeSelector", spec.get("nodeSelector"))
    affinity = as_map(spec.get("affinity"))
    yield from labels.in_affinity(f"{inside}.affinity.nodeAffinity", as_map(affinity.get("nodeAffinity")))
    yield from _spread(inside, spec)
    yield from (f"{notes}[{key}]: {said}" for key, said in ANNOTATIONS.items() if key in annotations)
    yield from _volumes(inside, spec)
    yield from overlapping(one for _, one in maps(spec, "volumes"))
    yield from _twice(inside, spec)
    for name in BYTES:
        yield from fractional(f"{inside}.overhead[{name}]", as_map(spec.get("overhead")).get(name))
    if get_path(spec, "securityContext.seccompProfile") is None and SECCOMP_POD in annotations:
        yield f"{notes}[{SECCOMP_POD}]: {SECCOMP}"
    containers = [(f"{inside}.{field}[{index}]", one) for field in LISTS for index, one in maps(spec, field)]
    for place, container in containers:
        yield from _container(place, container, notes if at else "", annotations, spec)
    yield from ports.of_containers(containers)
    seconds = as_number(spec.get("terminationGracePeriodSeconds"))
    if seconds is not None and seconds < 0:
        why = "must be >= 0; negative values are invalid and will be treated as 1"
        yield f"{inside}.terminationGracePeriodSeconds: {why}"
    for field in ("podAffinity", "podAntiAffinity"):
        yield from _pod_affinity(f"{inside}.affinity.{field}", as_map(affinity.get(field)))
    servers = get_path(spec, "dnsConfig.nameservers")
    for index, one in enumerate(servers if isinstance(servers, list) else ()):
        yield from addresses.address_warnings(f"{inside}.dnsConfig.nameservers[{index}]", as_text(one))
    for index, host in maps(spec, "hostAliases"):
        yield from addresses.address_warnings(f"{inside}.hostAliases[{index}].ip", as_text(host.get("ip")))


def fractional(at: str, value: Any) -> Iterator[str]:
    """Warn about fractional bytes."""
    if value is not None and amount(value) is not None and not is_whole(value):
        yield f'{at}: fractional byte value "{canonical(value)}" is invalid, must be an integer'


def claim_spec(at: str, spec: Object) -> Iterator[str]:
    """Return the warnings of the spec of a claim."""
    for field in ("requests", "limits"):
        place = f"{at}.resources.{field}[storage]"
        yield from fractional(place, get_path(spec, f"resources.{field}.storage"))


def _spread(at: str, spec: Object) -> Iterator[str]:
    for index, one in maps(spec, "topologySpreadConstraints"):
        place, key = f"{at}.topologySpreadConstraints[{index}]", as_text(one.get("topologyKey"))
        if key in labels.DEPRECATED:
            yield f"{place}.topologyKey: {key} is {labels.DEPRECATED[key]}"
        if one.get("labelSelector") is None:
            yield f"{place}.labelSelector: {PICKS_NONE}"


def _volumes(at: str, spec: Object) -> Iterator[str]:
    for index, volume in maps(spec, "volumes"):
        for field, said in SOURCES.items():
            source = volume.get(field)
            if source is None:
                continue
            place = f"{at}.volumes[{index}].{'storageOS' if field == 'storageos' else field}"
            if said:
                yield f"{place}: {said}"
            else:
                claim = as_map(get_path(as_map(source), "volumeClaimTemplate.spec"))
                yield from claim_spec(f"{place}.volumeClaimTemplate.spec", claim)


def _twice(at: str, spec: Object) -> Iterator[str]:
    for field, key in (("hostAliases", "ip"), ("imagePullSecrets", "name")):
        seen: set[str] = set()
        for index, one in maps(spec, field):
            name = as_text(one.get(key))
            if name in seen:
                yield f'{at}.{field}[{index}].{key}: duplicate {key} "{name}"'
            seen.add(name)
    for index, one in maps(spec, "imagePullSecrets"):
        if not one.get("name"):
            yield f'{at}.imagePullSecrets[{index}].name: invalid empty name ""'


def _container(at: str, container: Object, notes: str, annotations: Object, spec: Object) -> Iterator[str]:
    """The warnings of one container. `notes` is empty for a Pod, whose profile is set instead."""
    name, context = as_text(container.get("name")), as_map(container.get("securityContext"))
    if context.get("seccompProfile") is None and f"{SECCOMP_CONTAINER}{name}" in annotations:
        yield f"{notes or 'metadata.annotations'}[{SECCOMP_CONTAINER}{name}]: {SECCOMP}"
    armor = annotations.get(f"{APPARMOR}{name}")
    if notes and armor is not None and context.get("appArmorProfile") is None:
        given = get_path(spec, "securityContext.appArmorProfile")
        if given is None or given != profile(as_text(armor)):
            said = 'deprecated since v1.30; use the "appArmorProfile" field instead'
            yield f"{notes}[{APPARMOR}{name}]: {said}"
    for resource in BYTES:
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


def _hidden(at: str, container: Object) -> Iterator[str]:
    """Warnings of duplicate variables that do not use their earlier value."""
    seen: set[str] = set()
    for index, one in maps(container, "env"):
        name, value = as_text(one.get("name")), as_text(one.get("value"))
        reference = f"$({name})"
        hides = one.get("valueFrom") is not None or value == reference or reference not in value
        if name in seen and hides:
            why = f'hides previous definition of "{name}", which may be dropped when using apply'
            yield f"{at}.env[{index}]: {why}"
        seen.add(name)


def _pod_affinity(at: str, affinity: Object) -> Iterator[str]:
    required, preferred = (
        "requiredDuringSchedulingIgnoredDuringExecution",
        "preferredDuringSchedulingIgnoredDuringExecution",
    )
    for index, term in maps(affinity, required):
        if term.get("labelSelector") is None:
            yield f"{at}.{required}[{index}].labelSelector: {PICKS_NONE}"
    for index, one in maps(affinity, preferred):
        if as_map(one.get("podAffinityTerm")).get("labelSelector") is None:
            yield f"{at}.{preferred}[{index}].podAffinityTerm.labelSelector: {PICKS_NONE}"
