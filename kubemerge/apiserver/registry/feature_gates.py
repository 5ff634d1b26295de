"""Pod fields behind feature gates that are off by default, which a server drops."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ..unchecked import as_map, get_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..unchecked import Object

    Paths = tuple[tuple[str, ...], ...]

LISTS = ("initContainers", "containers", "ephemeralContainers")
_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_HTTP = (
    *((probe, "httpGet") for probe in _PROBES),
    *(("lifecycle", hook, "httpGet") for hook in ("postStart", "preStop")),
)


def _in_containers(*paths: tuple[str, ...]) -> Paths:
    return tuple((field, "*", *path) for field in LISTS for path in paths)


def _users() -> Iterable[tuple[str, ...]]:
    for field in ("secret", "configMap", "downwardAPI", "projected"):
        yield "volumes", "*", field, "defaultUser"
    for field in ("secret", "configMap", "downwardAPI"):
        yield "volumes", "*", field, "items", "*", "user"
        yield "volumes", "*", "projected", "sources", "*", field, "items", "*", "user"
    for field in ("serviceAccountToken", "clusterTrustBundle", "podCertificate"):
        yield "volumes", "*", "projected", "sources", "*", field, "user"


FEATURES: dict[str, Paths] = {
    "AtomicWriteVolumeUserFields": tuple(_users()),
    "ContainerStopSignals": _in_containers(("lifecycle", "stopSignal")),
    "EmptyDirVolumeMode": (("volumes", "*", "emptyDir", "mode"),),
    "EvictionRequestAPI": (("evictionResponders",),),
    "GRPCContainerProbeTLS": _in_containers(*((probe, "grpc", "mode") for probe in _PROBES)),
    "GenericWorkload": (("schedulingGroup",),),
    "H2CContainerProbe": _in_containers(*((*path, "protocol") for path in _HTTP)),
    "VolumeBindMountOptions": _in_containers(("volumeMounts", "*", "bindMountOptions")),
}
"""By feature gate, the paths in the spec of a Pod. `*` stands for every list element."""
GOES_EMPTY = "lifecycle"
"""The parent that is dropped, too, if it becomes empty."""


def _tree() -> dict[str, Any]:
    root: dict[str, Any] = {}
    for feature, paths in FEATURES.items():
        for path in paths:
            node = root
            for step in path[:-1]:
                node = node.setdefault(step, {})
            node[path[-1]] = feature
    return root


_TREE = _tree()


def _gates_used_by(value: Any, tree: dict[str, Any], into: set[str]) -> None:
    if isinstance(value, list):
        for one in value:
            _gates_used_by(one, tree["*"], into)
    elif isinstance(value, dict):
        for step in tree.keys() & value.keys():
            if isinstance(tree[step], str):
                into.add(tree[step])
            elif value[step]:
                _gates_used_by(value[step], tree[step], into)


def _without(value: Any, path: tuple[str, ...]) -> Any:
    step, rest = path[0], path[1:]
    if step == "*":
        return [_without(one, rest) for one in value] if isinstance(value, list) else value
    if not isinstance(value, dict) or step not in value:
        return value
    if not rest:
        return {field: one for field, one in value.items() if field != step}
    inner = _without(value[step], rest)
    if step == GOES_EMPTY and not inner and value[step]:
        return {field: one for field, one in value.items() if field != step}
    return {**value, step: inner}


def drop_disabled_pod_fields(spec: Object, before: Object) -> Object:
    """Return a Pod spec without disabled fields, except those used before."""
    used: set[str] = set()
    _gates_used_by(spec, _TREE, used)
    if used and before:
        kept: set[str] = set()
        _gates_used_by(before, _TREE, kept)
        used -= kept
    for feature in sorted(used):
        for path in FEATURES[feature]:
            spec = _without(spec, path)
    return spec


# ---- objects ---------------------------------------------------------------------------------------------------------


def _in_place(content: Object, path: tuple[str, ...], spec: Object) -> Object:
    if not path:
        return spec
    return {**content, path[0]: _in_place(as_map(content.get(path[0])), path[1:], spec)}


def _changed(at: str, content: Object, before: Object | None = None) -> Object:
    spec = as_map(get_path(content, at))
    made = drop_disabled_pod_fields(spec, as_map(get_path(before, at)) if before else {})
    return content if made is spec else _in_place(content, tuple(at.split(".")), made)


def drop_disabled_fields(at: str) -> Callable[..., Object]:
    """Return a function that drops disabled fields of the Pod spec at this path, for new and updated objects."""
    return partial(_changed, at)


def _unscheduled(at: str, content: Object, before: Object | None = None) -> Object:
    spec, former = as_map(get_path(content, at)), as_map(get_path(before, at)) if before else {}
    if "scheduling" in spec and former.get("scheduling") is None:
        kept = {field: value for field, value in spec.items() if field != "scheduling"}
        content = _in_place(content, tuple(at.split(".")), kept)
    return _changed(f"{at}.template.spec", content, before)


def drop_disabled_job_fields(at: str) -> Callable[..., Object]:
    """Return a function that drops disabled fields of the Job spec at this path, including those of gang scheduling."""
    return partial(_unscheduled, at)


def _dropped(at: str, fields: tuple[str, ...], content: Object, before: Object) -> Object:
    owner, former = as_map(get_path(content, at)), as_map(get_path(before, at))
    gone = {field for field in fields if field in owner and former.get(field) is None}
    if not gone:
        return content
    return _in_place(content, tuple(at.split(".")), {key: one for key, one in owner.items() if key not in gone})


def drop_unless_used(at: str, *fields: str) -> Callable[[Object, Object], Object]:
    """Return a function that drops disabled fields in updates, unless the old object has them."""
    return partial(_dropped, at, fields)
