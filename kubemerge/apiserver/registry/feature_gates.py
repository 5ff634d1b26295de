"""Fields behind feature gates. A server drops them while the gate is off, unless the object used them before.

The gates of each release are rows in `generated/feature_gates.py`.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ..unchecked import as_map, get_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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


OF_POD_SPECS: dict[str, Paths] = {
    "AtomicWriteVolumeUserFields": tuple(_users()),
    "ClusterTrustBundleProjection": (("volumes", "*", "projected", "sources", "*", "clusterTrustBundle"),),
    "ContainerStopSignals": _in_containers(("lifecycle", "stopSignal")),
    "DynamicResourceAllocation": (("resourceClaims",), *_in_containers(("resources", "claims"))),
    "EmptyDirVolumeMode": (("volumes", "*", "emptyDir", "mode"),),
    "EvictionRequestAPI": (("evictionResponders",),),
    "GRPCContainerProbeTLS": _in_containers(*((probe, "grpc", "mode") for probe in _PROBES)),
    "GenericWorkload": (("schedulingGroup",),),
    "H2CContainerProbe": _in_containers(*((*path, "protocol") for path in _HTTP)),
    "InPlacePodVerticalScaling": _in_containers(("resizePolicy",)),
    "PodLifecycleSleepAction": _in_containers(("lifecycle", "preStop", "sleep"), ("lifecycle", "postStart", "sleep")),
    "UserNamespacesSupport": (("hostUsers",),),
    "VolumeBindMountOptions": _in_containers(("volumeMounts", "*", "bindMountOptions")),
}
"""By feature gate, the paths in the spec of a Pod. `*` stands for every list element."""
_IN_TEMPLATE = ("spec", "template", "spec")
POD_SPECS: dict[tuple[str, str], tuple[str, ...]] = {
    ("", "Pod"): ("spec",),
    ("", "PodTemplate"): ("template", "spec"),
    ("", "ReplicationController"): _IN_TEMPLATE,
    ("apps", "DaemonSet"): _IN_TEMPLATE,
    ("apps", "Deployment"): _IN_TEMPLATE,
    ("apps", "ReplicaSet"): _IN_TEMPLATE,
    ("apps", "StatefulSet"): _IN_TEMPLATE,
    ("batch", "CronJob"): ("spec", "jobTemplate", *_IN_TEMPLATE),
    ("batch", "Job"): _IN_TEMPLATE,
}
"""By group and kind, the path of the spec of a Pod."""
OF_KINDS: dict[tuple[str, str], dict[str, Paths]] = {
    ("", "PersistentVolumeClaim"): {"VolumeAttributesClass": (("spec", "volumeAttributesClassName"),)},
    ("apps", "StatefulSet"): {
        "MaxUnavailableStatefulSet": (("spec", "updateStrategy", "rollingUpdate", "maxUnavailable"),),
        "StatefulSetAutoDeletePVC": (("spec", "persistentVolumeClaimRetentionPolicy"),),
    },
    ("autoscaling", "HorizontalPodAutoscaler"): {
        "HPAConfigurableTolerance": tuple(("spec", "behavior", way, "tolerance") for way in ("scaleUp", "scaleDown"))
    },
    ("batch", "CronJob"): {"WorkloadWithJob": (("spec", "jobTemplate", "spec", "scheduling"),)},
    ("batch", "Job"): {"WorkloadWithJob": (("spec", "scheduling"),)},
    ("storage.k8s.io", "CSIDriver"): {"SELinuxMountReadWriteOncePod": (("spec", "seLinuxMount"),)},
}
"""By group and kind, the paths of further fields behind feature gates."""
GOES_EMPTY = "lifecycle"
"""The parent that is dropped, too, if it becomes empty."""


@cache
def _rows() -> dict[str, list[tuple[int, bool]]]:
    """By gate, the first release and the default of each of its rows."""
    from generated.feature_gates import GATES  # late, because a command that only reads needs no gates

    found: dict[str, list[tuple[int, bool]]] = {}
    for gate, first, _, _, default, _ in GATES:
        found.setdefault(gate, []).append((first, default))
    return found


def is_on(gate: str, minor: int) -> bool:
    """Whether a feature gate is on by default. A removed gate keeps its last value."""
    return max(((first, default) for first, default in _rows().get(gate, ()) if first <= minor), default=(0, False))[1]


def on_since(gate: str, minor: int) -> int | None:
    """The first release after this one in which a gate is on by default."""
    return min((first for first, default in _rows().get(gate, ()) if first > minor and default), default=None)


@cache
def _disabled(group_kind: tuple[str, str], minor: int) -> dict[str, Paths]:
    """The gates that are off in a release, with the paths of their fields in the kind."""
    at = POD_SPECS.get(group_kind)
    of_pods = {gate: tuple((*at, *path) for path in paths) for gate, paths in OF_POD_SPECS.items()} if at else {}
    every = of_pods | OF_KINDS.get(group_kind, {})
    return {gate: paths for gate, paths in every.items() if not is_on(gate, minor)}


@cache
def _tree(group_kind: tuple[str, str], minor: int) -> dict[str, Any]:
    """The same as a tree of steps, whose leaves are gates."""
    root: dict[str, Any] = {}
    for gate, paths in _disabled(group_kind, minor).items():
        for path in paths:
            node = root
            for step in path[:-1]:
                node = node.setdefault(step, {})
            node[path[-1]] = gate
    return root


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


def disabled_fields(content: Object, group_kind: tuple[str, str], minor: int) -> list[tuple[str, str]]:
    """The path of each field of an object that a server drops because its gate is off, with the gate."""
    return [*_disabled_in(content, _tree(group_kind, minor), "")]


def _disabled_in(content: Any, tree: dict[str, Any], at: str) -> Iterator[tuple[str, str]]:
    if isinstance(content, list):
        for index, one in enumerate(content):
            yield from _disabled_in(one, tree.get("*", {}), f"{at}[{index}]")
    elif isinstance(content, dict):
        for step in sorted((tree.keys() & content.keys()) - {"*"}):
            path = f"{at}.{step}" if at else step
            if isinstance(tree[step], str):
                yield path, tree[step]
            else:
                yield from _disabled_in(content[step], tree[step], path)


def drop_disabled(content: Object, before: Object | None, group_kind: tuple[str, str], minor: int) -> Object:
    """Return the object without the fields whose gates are off, except gates that the object used before."""
    tree = _tree(group_kind, minor)
    used = {gate for _, gate in _disabled_in(content, tree, "")}
    if used and before:
        used -= {gate for _, gate in _disabled_in(before, tree, "")}
    for gate in sorted(used):
        for path in _disabled(group_kind, minor)[gate]:
            content = _without(content, path)
    return content


def _in_place(content: Object, path: tuple[str, ...], spec: Object) -> Object:
    if not path:
        return spec
    return {**content, path[0]: _in_place(as_map(content.get(path[0])), path[1:], spec)}


def _dropped(at: str, fields: tuple[str, ...], content: Object, before: Object) -> Object:
    owner, former = as_map(get_path(content, at)), as_map(get_path(before, at))
    gone = {field for field in fields if field in owner and former.get(field) is None}
    if not gone:
        return content
    return _in_place(content, tuple(at.split(".")), {key: one for key, one in owner.items() if key not in gone})


def drop_unless_used(at: str, *fields: str) -> Callable[[Object, Object], Object]:
    """Return a function that drops disabled fields in updates, unless the old object has them."""
    return partial(_dropped, at, fields)
