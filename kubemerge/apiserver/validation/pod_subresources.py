"""The Pod subresources `ephemeralcontainers` and `resize`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..problems import Problem, forbidden, invalid
from ..registry.qos import COUNTED, qos_class
from ..unchecked import as_map, as_text, maps
from .pod_spec.internal_form import difference, in_each_era
from .workloads import MIRROR, any_pod

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

LISTS = ("containers", "initContainers")
OF_PODS = "[]"
"""An empty path as a server prints it."""
KEPT = ("deletionTimestamp", "generation", "labels", "annotations", "finalizers", "ownerReferences")
"""Immutable metadata."""
RESIZED = ("resources", "resizePolicy")
"""The fields of a container that a resize may change."""


def with_ephemeral_containers(content: Object, live: Object, _minor: int) -> Object:
    """Return the Pod with the ephemeral containers of the request. Everything else stays."""
    wanted = as_map(content.get("spec")).get("ephemeralContainers")
    return _written(content, live, _with(as_map(live.get("spec")), "ephemeralContainers", wanted))


def with_resized_containers(content: Object, live: Object) -> Object:
    """Return the Pod with the resources of the request. Reject other containers."""
    wanted, now = as_map(content.get("spec")), as_map(live.get("spec"))
    if any(len(list(maps(wanted, field))) != len(list(maps(now, field))) for field in LISTS):
        return content
    spec = _with(now, "resources", wanted.get("resources") or now.get("resources"))
    for field in LISTS:
        spec = _with(spec, field, _containers(wanted.get(field), now.get(field)))
    return _written(content, live, spec)


def _containers(wanted: Any, now: Any) -> Any:
    if not isinstance(now, list) or any(
        one.get("name") != old.get("name") for one, old in zip(wanted, now, strict=True)
    ):
        return wanted
    return [_with_all(old, one) for one, old in zip(wanted, now, strict=True)]


def _with_all(old: Object, one: Object) -> Object:
    for field in RESIZED:
        old = _with(old, field, one.get(field))
    return old


def _written(content: Object, live: Object, spec: Object) -> Object:
    metadata = content["metadata"]
    for field in KEPT:
        metadata = _with(metadata, field, live["metadata"].get(field))
    return _with({**content, "metadata": metadata, "spec": spec}, "status", live.get("status"))


def _with(owner: Object, field: str, value: Any) -> Object:
    if value is not None:
        return {**owner, field: value}
    return {name: one for name, one in owner.items() if name != field}


# ---- validation ------------------------------------------------------------------------------------------------------


def _is_static(before: Object) -> bool:
    return MIRROR in as_map(before["metadata"].get("annotations"))


def ephemeral_containers(content: Object, before: Object) -> Iterator[Problem]:
    """Validate ephemeral containers, which can only be added."""
    if _is_static(before):
        yield forbidden(OF_PODS, "static pods do not support ephemeral containers")
        return
    yield from any_pod(content)
    at, field = "spec.ephemeralContainers", "ephemeralContainers"
    now = {one.get("name"): one for _, one in maps(as_map(content.get("spec")), field)}
    for _, old in maps(as_map(before.get("spec")), field):
        prefix = f'existing ephemeral containers "{old.get("name")}" may not be'
        if old.get("name") not in now:
            yield forbidden(at, f"{prefix} removed\n")
        elif now[old["name"]] != old:
            yield from _changed(at, f"{prefix} changed\n", old, now[old["name"]])


def _changed(at: str, why: str, old: Object, new: Object) -> Iterator[Problem]:
    return in_each_era(lambda minor: forbidden(at, f"{why}{difference('EphemeralContainer', old, new, minor)}"))


def resize(content: Object, before: Object) -> Iterator[Problem]:
    """Validate a resize. CPU and memory can change, but not be removed."""
    spec, former = as_map(content.get("spec")), as_map(before.get("spec"))
    if _is_static(before):
        yield forbidden(OF_PODS, "static pods cannot be resized")
        return
    if as_map(former.get("os")).get("name") == "windows":
        yield forbidden(OF_PODS, "windows pods cannot be resized")
        return
    yield from any_pod(content)
    if (as_map(before.get("status")).get("qosClass") or qos_class(former)) != qos_class(spec):
        why = "Pod QOS Class may not change as a result of resizing"
        yield invalid("spec", as_text(as_map(content.get("status")).get("qosClass")), why)
    if not _is_supported(before):
        yield forbidden("spec", "Pod running on node without support for resize")
    yield from _of_whole_pod(spec.get("resources"), former.get("resources"))
    others = list(_other_containers(spec, former))
    yield from others
    if not others:
        yield from _removed(spec, former)
        yield from _not_mutable(spec, former)


def _is_supported(pod: Object) -> bool:
    """Whether the node reports the resources of running containers."""
    for _, one in maps(as_map(pod.get("status")), "containerStatuses"):
        if as_map(one.get("state")).get("running") is not None:
            return one.get("resources") is not None
    return True


def _of_whole_pod(now: Any, old: Any) -> Iterator[Problem]:
    if not any(as_map(side).get(field) for side in (now, old) for field in ("requests", "limits")):
        return
    if old is not None:
        for field in ("requests", "limits"):
            if _removes(now, old, field):
                yield forbidden(f"spec.resources.{field}", f"pod-level resource {field} cannot be removed")
    if _other_resources(now) != _other_resources(old):
        yield forbidden("spec", "only cpu and memory resources are mutable at pod-level")


def _other_containers(spec: Object, former: Object) -> Iterator[Problem]:
    for field in LISTS:
        now, old = ([one.get("name") for _, one in maps(side, field)] for side in (spec, former))
        if len(now) != len(old):
            yield forbidden(f"spec.{field}", f"{field} may not be added or removed on resize")
            continue
        for index, (name, before) in enumerate(zip(now, old, strict=True)):
            if name != before:
                yield forbidden(f"spec.{field}[{index}].name", f"{field} may not be renamed or reordered on resize")


def _removed(spec: Object, former: Object) -> Iterator[Problem]:
    for field in reversed(LISTS):
        for (index, one), (_, old) in zip(maps(spec, field), maps(former, field), strict=True):
            for part in ("requests", "limits"):
                if _removes(one.get("resources"), old.get("resources"), part):
                    yield forbidden(f"spec.{field}[{index}].resources.{part}", f"resource {part} cannot be removed")


def _not_mutable(spec: Object, former: Object) -> Iterator[Problem]:
    for (_, one), (_, old) in zip(maps(spec, "containers"), maps(former, "containers"), strict=True):
        if _container_without_resources(one) != _container_without_resources(old):
            yield forbidden("spec", "only cpu and memory resources are mutable")
    for (index, one), (_, old) in zip(maps(spec, "initContainers"), maps(former, "initContainers"), strict=True):
        at = f"spec.initContainers[{index}]"
        if _container_without_resources(one) != _container_without_resources(old):
            yield forbidden(at, "only cpu and memory resources for init or sidecar containers are mutable")
        if one != old and one.get("restartPolicy") != "Always":
            for _, policy in maps(one, "resizePolicy"):
                if policy.get("restartPolicy") == "RestartContainer":
                    why = "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"
                    yield forbidden(at, why)


def _removes(now: Any, old: Any, field: str) -> bool:
    return not as_map(as_map(old).get(field)).keys() <= as_map(as_map(now).get(field)).keys()


def _other_resources(resources: Any) -> Object:
    parts = {field: dict(as_map(as_map(resources).get(field))) for field in ("requests", "limits")}
    for part in parts.values():
        for name in COUNTED:
            part.pop(name, None)
    return {**parts, "claims": as_map(resources).get("claims") or []}


def _container_without_resources(one: Object) -> Object:
    return {**one, "resources": _other_resources(one.get("resources"))}
