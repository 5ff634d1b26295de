"""PriorityClass, RuntimeClass and Lease."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.go_json import encode

from ..defaulting.rules import Default, Group
from ..problems import Printed, Problem, declarative, duplicate, forbidden, immutable, invalid, required, unsupported
from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation import names
from ..validation.eras import TOLERATIONS, TOLERATIONS_BEFORE
from ..validation.values import formats, quantities
from ..validation.values.tolerations import tolerations
from .record import KindRecord, LazyModule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

SYSTEM = {"system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000}
PREFIX, HIGHEST = "system-", 1_000_000_000
PREEMPTING = ("PreemptLowerPriority", "Never")
STRATEGIES = ("OldestEmulationVersion",)


def priority_class(content: Object) -> Iterator[Problem]:
    """Validate a PriorityClass."""
    name, value = as_text(get_path(content, "metadata.name")), as_number(content.get("value")) or 0
    if name.startswith(PREFIX):
        why = _no_system_class(name, value, content.get("globalDefault") is True)
        if why:
            reserved = f"priority class names with '{PREFIX}' prefix are reserved for system use only. error: {why}"
            yield forbidden("metadata.name", reserved)
    elif value > HIGHEST:
        yield forbidden("value", f"maximum allowed value of a user defined priority is {HIGHEST}")
    policy = content.get("preemptionPolicy")
    if policy == "":
        yield required("preemptionPolicy")
    elif policy is not None and policy not in PREEMPTING:
        yield unsupported("preemptionPolicy", policy, PREEMPTING)


def _no_system_class(name: str, value: int, default: bool) -> str:
    if name not in SYSTEM:
        return f"{name} is not a known system priority class"
    if value != SYSTEM[name]:
        return f"value of {name} PriorityClass must be {SYSTEM[name]}"
    return f"globalDefault of {name} PriorityClass must be false" if default else ""


def changed_priority(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a PriorityClass. Its value is immutable."""
    if (as_number(content.get("value")) or 0) != (as_number(before.get("value")) or 0):
        yield forbidden("value", "may not be changed in an update.")
    policy = content.get("preemptionPolicy")
    if policy != before.get("preemptionPolicy"):
        yield immutable("preemptionPolicy", Printed(encode(policy)))


def runtime_class(content: Object) -> Iterator[Problem]:
    """Validate a RuntimeClass."""
    handler = as_text(content.get("handler"))
    if handler:
        yield from map(declarative, formats.each("handler", handler, names.label))
    yield from quantities.limits("overhead.limits", get_path(content, "overhead.podFixed"))
    scheduling = as_map(content.get("scheduling"))
    yield from names.labels("scheduling.nodeSelector", scheduling.get("nodeSelector"))
    yield from TOLERATIONS_BEFORE.limit(tolerations("scheduling.tolerations.tolerations", scheduling))
    yield from TOLERATIONS.limit(tolerations("scheduling.tolerations", scheduling))
    taken: list[object] = []
    for index, one in maps(scheduling, "tolerations"):
        key = tuple(one.get(field) or "" for field in ("key", "operator", "value", "effect"))
        if key in taken:
            yield duplicate(f"scheduling.tolerations[{index}]", _as_go(one))
        taken.append(key)


def _as_go(toleration: Object) -> Object:
    return {
        "Key": toleration.get("key", ""),
        "Operator": toleration.get("operator", ""),
        "Value": toleration.get("value", ""),
        "Effect": toleration.get("effect", ""),
        "TolerationSeconds": toleration.get("tolerationSeconds"),
    }


def lease(content: Object) -> Iterator[Problem]:
    """Validate a Lease."""
    spec = as_map(content.get("spec"))
    seconds, times = as_number(spec.get("leaseDurationSeconds")), as_number(spec.get("leaseTransitions"))
    if seconds is not None and seconds <= 0:
        yield invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0")
    if times is not None and times < 0:
        yield invalid("spec.leaseTransitions", times, formats.NOT_NEGATIVE)


def without_coordination(content: Object) -> Object:
    """Return a Lease without coordinated leader election, whose feature gate is off by default."""
    spec = as_map(content.get("spec"))
    if not spec.keys() & {"strategy", "preferredHolder"}:
        return content
    return {**content, "spec": {key: spec[key] for key in spec if key not in ("strategy", "preferredHolder")}}


warned = LazyModule("warnings.kinds")
RECORDS = (
    KindRecord(
        group="scheduling.k8s.io",
        kind="PriorityClass",
        versions=("scheduling.k8s.io/v1", "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha1"),
        defaults=(
            Group(
                ("PriorityClass",),
                "scheduling/v1/defaults.go SetDefaults_PriorityClass",
                (Default("preemptionPolicy", "PreemptLowerPriority", since="1.19", unset=(None,)),),
            ),
        ),
        check=priority_class,
        check_update=changed_priority,
    ),
    KindRecord(
        group="node.k8s.io",
        kind="RuntimeClass",
        versions=("node.k8s.io/v1", "node.k8s.io/v1beta1"),
        named_again=True,
        check=runtime_class,
        warnings=warned.runtime_class,
    ),
    KindRecord(
        group="coordination.k8s.io",
        kind="Lease",
        versions=("coordination.k8s.io/v1", "coordination.k8s.io/v1beta1"),
        check=lease,
        created=without_coordination,
        updated=lambda content, _: without_coordination(content),
    ),
)
