"""HorizontalPodAutoscaler in all versions of autoscaling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..defaulting.rules import Computed, Default, Group, When
from ..problems import Problem, forbidden, invalid, named, required, unsupported
from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation import names
from ..validation.eras import CONTAINER_METRIC, NO_CONTAINER_METRIC, NO_SCALE_TO_ZERO, SCALE_LIMIT, SCALED_GROUP
from ..validation.object_names import path_segment
from ..validation.values import formats, quantities
from .autoscaler_conversion import V1, V2, V2BETA1, V2BETA2, as_read_back, as_v2, convert
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

SOURCES = {
    "Object": "object",
    "Pods": "pods",
    "Resource": "resource",
    "External": "external",
    "ContainerResource": "containerResource",
}
"""The field of each metric type."""
LOOKED_AT = ("object", "external", "pods", "resource", "containerResource")
TYPES = ("ContainerResource", "External", "Object", "Pods", "Resource")
SELECTED = ("Disabled", "Max", "Min")
POLICIES = ("Percent", "Pods")
LONGEST_WINDOW, LONGEST_PERIOD = 3600, 1800
_RAW = (
    frozenset({"averageValue", "averageUtilization"}),
    "averageUtilization",
    "must set either a target raw value or a target utilization",
)
_VALUES = frozenset({"value", "averageValue"})
NEEDED = {
    "object": (_VALUES, "averageValue", "must set either a target value or averageValue"),
    "external": (_VALUES, "averageValue", "must set either a target value for metric or a per-pod target"),
    "pods": (frozenset({"averageValue"}), "averageValue", "must specify a positive target averageValue"),
    "resource": _RAW,
    "containerResource": _RAW,
}
"""By metric, the targets of which one is required, the field of the error, and its text."""


def autoscaler(content: Object) -> Iterator[Problem]:
    """Validate a HorizontalPodAutoscaler."""
    spec = as_map(as_v2(content).get("spec"))
    low, high = as_number(spec.get("minReplicas")), as_number(spec.get("maxReplicas")) or 0
    if low is not None and low < 1:
        yield from NO_SCALE_TO_ZERO.limit([invalid("spec.minReplicas", low, "must be greater than or equal to 1")])
    if high < 1:
        yield from SCALE_LIMIT.limit([invalid("spec.maxReplicas", high, "must be greater than 0")])
    if low is not None and high < low:
        yield invalid("spec.maxReplicas", high, "must be greater than or equal to `minReplicas`")
    target = as_map(spec.get("scaleTargetRef"))
    yield from _reference("spec.scaleTargetRef", target, in_group=target.get("kind") != "ReplicationController")
    yield from _metrics(spec, low)
    behavior = as_map(spec.get("behavior"))
    for direction in ("scaleUp", "scaleDown"):
        if behavior.get(direction) is not None:
            yield from _rules(f"spec.behavior.{direction}", as_map(behavior[direction]))


def _reference(at: str, reference: Object, *, in_group: bool = False) -> Iterator[Problem]:
    for field in ("kind", "name"):
        if not reference.get(field):
            yield required(f"{at}.{field}")
        else:
            yield from formats.each(f"{at}.{field}", reference[field], path_segment)
    version = as_text(reference.get("apiVersion"))
    if version.count("/") > 1:
        why = f"unexpected GroupVersion string: {version}"
        yield from SCALED_GROUP.limit([invalid(f"{at}.apiVersion", version, why)])
    elif in_group and (not version.partition("/")[0] or "/" not in version):
        yield from SCALED_GROUP.limit([invalid(f"{at}.apiVersion", version, "apiVersion must specify API group")])


def _metrics(spec: Object, least: int | None) -> Iterator[Problem]:
    types = []
    for index, metric in maps(spec, "metrics"):
        types.append(metric.get("type"))
        yield from _metric(f"spec.metrics[{index}]", metric)
    if least == 0 and not {"Object", "External"} & {as_text(one) for one in types}:
        why = "must specify at least one Object or External metric to support scaling to zero replicas"
        yield forbidden("spec.metrics", why)


def _metric(at: str, metric: Object) -> Iterator[Problem]:
    type_ = as_text(metric.get("type"))
    if not type_:
        yield required(f"{at}.type", "must specify a metric source type")
    if type_ not in SOURCES:
        yield unsupported(f"{at}.type", type_, TYPES)
    present = [field for field in LOOKED_AT if metric.get(field) is not None]
    if present:
        yield from _source(f"{at}.{present[0]}", present[0], as_map(metric[present[0]]))
    expected = SOURCES.get(type_, "")
    if expected and expected not in present:
        missing = required(f"{at}.{expected}", NO_METRIC)
        if expected == "containerResource":
            yield from CONTAINER_METRIC.limit([missing])
            yield from NO_CONTAINER_METRIC.limit([required(f"{at}.{expected}", f"{NO_METRIC} ({ONLY_WITH_GATE})")])
        else:
            yield missing
    if len(present) != 1:
        others = [field for field in present if field != expected]
        yield from (forbidden(f"{at}.{field}", "must populate the given metric source only") for field in others)


def _source(at: str, field: str, source: Object) -> Iterator[Problem]:
    if field == "object":
        yield from _reference(f"{at}.describedObject", as_map(source.get("describedObject")))
    if field in ("object", "external", "pods"):
        yield from _identifier(f"{at}.metric", as_map(source.get("metric")))
    else:
        yield from _resource(at, field, source)
    target = as_map(source.get("target"))
    yield from _target(f"{at}.target", target)
    given_ = {name for name in ("value", "averageValue", "averageUtilization") if target.get(name) is not None}
    needed, where, why = NEEDED[field]
    if not given_ & needed:
        yield required(f"{at}.target.{where}", why)
    if field == "external" and {"value", "averageValue"} <= given_:
        yield forbidden(f"{at}.target.value", "may not set both a target value for metric and a per-pod target")
    if field in ("resource", "containerResource") and {"averageUtilization", "averageValue"} <= given_:
        yield forbidden(f"{at}.target.averageValue", "may not set both a target raw value and a target utilization")


def _resource(at: str, field: str, source: Object) -> Iterator[Problem]:
    if not source.get("name"):
        yield required(f"{at}.name", "must specify a resource name")
    elif field == "containerResource":
        yield from quantities.container_resource(f"{at}.name", as_text(source["name"]), plain_key=True)
    if field == "containerResource" and not source.get("container"):
        yield required(f"{at}.container", "must specify a container")
    elif field == "containerResource":
        yield from formats.each(f"{at}.container", source["container"], names.label)


def _identifier(at: str, metric: Object) -> Iterator[Problem]:
    if not metric.get("name"):
        yield required(f"{at}.name", "must specify a metric name")
    else:
        yield from formats.each(f"{at}.name", metric["name"], path_segment)


def _target(at: str, target: Object) -> Iterator[Problem]:
    type_ = as_text(target.get("type"))
    if not type_:
        yield required(f"{at}.type", "must specify a metric target type")
    if type_ not in ("Utilization", "Value", "AverageValue"):
        yield invalid(f"{at}.type", named(type_), "must be either Utilization, Value, or AverageValue")
    for field in ("value", "averageValue"):
        if target.get(field) is not None and quantities.size(target[field]) <= 0:
            yield invalid(f"{at}.{field}", target[field], "must be positive")
    utilization = as_number(target.get("averageUtilization"))
    if utilization is not None and utilization < 1:
        yield invalid(f"{at}.averageUtilization", utilization, "must be greater than 0")


def _rules(at: str, rules: Object) -> Iterator[Problem]:
    window, selected = as_number(rules.get("stabilizationWindowSeconds")), rules.get("selectPolicy")
    if window is not None and window < 0:
        yield invalid(f"{at}.stabilizationWindowSeconds", window, "must be greater than or equal to zero")
    if window is not None and window > LONGEST_WINDOW:
        yield invalid(f"{at}.stabilizationWindowSeconds", window, f"must be less than or equal to {LONGEST_WINDOW}")
    if selected is not None and selected not in SELECTED:
        yield unsupported(f"{at}.selectPolicy", selected, SELECTED)
    policies = list(maps(rules, "policies"))
    if not policies:
        yield required(f"{at}.policies", "must specify at least one Policy")
    for index, policy in policies:
        yield from _policy(f"{at}.policies[{index}]", policy)
    yield from quantities.not_negative(f"{at}.tolerance", rules.get("tolerance"))


def _policy(at: str, policy: Object) -> Iterator[Problem]:
    value, seconds = as_number(policy.get("value")) or 0, as_number(policy.get("periodSeconds")) or 0
    if policy.get("type") not in POLICIES:
        yield unsupported(f"{at}.type", policy.get("type") or "", POLICIES)
    if value <= 0:
        yield invalid(f"{at}.value", value, "must be greater than zero")
    if seconds <= 0:
        yield invalid(f"{at}.periodSeconds", seconds, "must be greater than zero")
    if seconds > LONGEST_PERIOD:
        yield invalid(f"{at}.periodSeconds", seconds, f"must be less than or equal to {LONGEST_PERIOD}")


def status(content: Object, _: Object) -> Iterator[Problem]:
    """Validate the status of a HorizontalPodAutoscaler."""
    noted = as_map(as_v2(content).get("status"))
    for index, one in maps(noted, "conditions"):
        yield from formats.not_negative(f"status.conditions[{index}]", one, "observedGeneration")
    yield from formats.not_negative("status", noted, "currentReplicas", "desiredReplicas")


_CPU = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}
_CPU_OF_V2BETA1 = {"name": "cpu", "targetAverageUtilization": 80}
_UP = {
    "stabilizationWindowSeconds": 0,
    "selectPolicy": "Max",
    "policies": [
        {"type": "Pods", "value": 4, "periodSeconds": 15},
        {"type": "Percent", "value": 100, "periodSeconds": 15},
    ],
}
_DOWN = {"selectPolicy": "Max", "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}]}


def _filled(direction: str, rules: Object) -> Computed:
    words = f"the default rules for {direction}, except for fields that are set"
    return Computed(words, lambda owner: {**rules, **_set(get_path(owner, f"spec.behavior.{direction}"))})


def _set(rules: Any) -> Object:
    return {field: value for field, value in as_map(rules).items() if value is not None}


NO_METRIC = "must populate information for the given metric source"
ONLY_WITH_GATE = "only allowed when HPAContainerMetrics feature is enabled"
_SOURCE = "autoscaling/v2/defaults.go SetDefaults_HorizontalPodAutoscaler"
_BEHAVIOR = When("spec.behavior exists", lambda owner: get_path(owner, "spec.behavior") is not None)
RECORDS = (
    KindRecord(
        group="autoscaling",
        kind="HorizontalPodAutoscaler",
        versions=(V2, V1, V2BETA2, V2BETA1),
        defaults=(
            Group(("HorizontalPodAutoscaler",), _SOURCE, (Default("spec.minReplicas", 1),)),
            Group(
                (f"{V2} HorizontalPodAutoscaler", f"{V2BETA2} HorizontalPodAutoscaler"),
                _SOURCE,
                (
                    Default("spec.metrics", [{"type": "Resource", "resource": _CPU}], unset=(None,)),
                    Default("spec.behavior.scaleUp", _filled("scaleUp", _UP), _BEHAVIOR, "1.18", unset=None),
                    Default("spec.behavior.scaleDown", _filled("scaleDown", _DOWN), _BEHAVIOR, "1.18", unset=None),
                ),
            ),
            Group(
                (f"{V2BETA1} HorizontalPodAutoscaler",),
                _SOURCE.replace("/v2/", "/v2beta1/"),
                (Default("spec.metrics", [{"type": "Resource", "resource": _CPU_OF_V2BETA1}], unset=(None,)),),
            ),
        ),
        check=autoscaler,
        check_status=status,
        converted=convert,
        hubs=(V2, V2BETA2, V2BETA1),
        read_back=as_read_back,
    ),
)
