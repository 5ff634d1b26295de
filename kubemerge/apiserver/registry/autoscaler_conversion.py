"""Conversion of HorizontalPodAutoscalers between the versions of autoscaling. Annotations of v1 and v2beta1 hold the
fields that they lack as JSON.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.values.go_json import decode
from engine.values.plain import copied

from ..unchecked import as_map, get_path

if TYPE_CHECKING:
    from ..unchecked import Object

V1, V2 = "autoscaling/v1", "autoscaling/v2"
V2BETA1, V2BETA2 = "autoscaling/v2beta1", "autoscaling/v2beta2"
V1_STORED_UNTIL = 26
"""The last minor release whose servers store autoscalers as v1."""
_PREFIX = "autoscaling.alpha.kubernetes.io/"
METRICS, CURRENT = f"{_PREFIX}metrics", f"{_PREFIX}current-metrics"
CONDITIONS, BEHAVIOR = f"{_PREFIX}conditions", f"{_PREFIX}behavior"
NOTES = (METRICS, CURRENT, CONDITIONS, BEHAVIOR)
CPU, UTILIZATION = "cpu", 80
TOLERANCE_SINCE = 33
"""The first minor release whose internal type has a tolerance."""
SOURCES = ("object", "pods", "resource", "containerResource", "external")


def convert(content: Object, api_version: str, minor: int) -> Object:
    """Convert an autoscaler to another version, as a server of a minor release does."""
    content = as_v2(content)
    if api_version == V1:
        return as_v1(content, minor)
    if api_version in (V2BETA1, V2BETA2):
        return _as_beta(content, api_version)
    return {**content, "apiVersion": api_version}


def as_decoded(content: Object, minor: int) -> Object:
    """Return the autoscaler as its version shows it after decoding: converted to v2 and back."""
    version = content.get("apiVersion")
    return convert(content, str(version), minor) if version in (V1, V2BETA1, V2BETA2) else content


def as_read_back(content: Object, minor: int) -> Object:
    """Return the autoscaler as a server of a minor release reads it from its storage.

    The conversion to v1 and back moves a target CPU utilization to the end of the metrics.
    """
    return convert(as_v1(as_v2(content), minor), content["apiVersion"], minor) if minor <= V1_STORED_UNTIL else content


# ---- to v2 -----------------------------------------------------------------------------------------------------------


def as_v2(content: Object) -> Object:
    """Convert an autoscaler to v2, with the content of its annotations in fields."""
    if content.get("apiVersion") in (V2BETA1, V2BETA2):
        return _of_beta(content)
    if content.get("apiVersion") != V1:
        return content
    spec, status = as_map(content.get("spec")), content.get("status")
    notes = as_map(get_path(content, "metadata.annotations"))
    kept = {field: value for field, value in spec.items() if field != "targetCPUUtilizationPercentage"}
    percent = spec.get("targetCPUUtilizationPercentage")
    own = [_of_cpu(percent)] if percent is not None else []
    others = _noted(notes, METRICS, list)
    kept["metrics"] = [*([_metric_of_v1(one) for one in others] if others is not None else []), *own]
    kept["metrics"] = kept["metrics"] or [_of_cpu(UTILIZATION)]
    kept |= _noted_behavior(notes)
    result: Object = {**content, "apiVersion": V2, "metadata": _without_notes(content), "spec": kept}
    if isinstance(status, dict):
        result["status"] = _status_of_v1(status, notes)
    return result


def _of_beta(content: Object) -> Object:
    """Convert a beta version to v2. v2beta1 has other metrics, and its behavior is an annotation."""
    result: Object = {**content, "apiVersion": V2, "metadata": _without_notes(content)}
    if content["apiVersion"] == V2BETA2:
        return result
    spec, status = as_map(content.get("spec")), content.get("status")
    notes = as_map(get_path(content, "metadata.annotations"))
    metrics = {"metrics": [_metric_of_v1(one) for one in spec["metrics"]]} if spec.get("metrics") else {}
    result["spec"] = {**spec, **metrics, **_noted_behavior(notes)}
    if isinstance(status, dict) and status.get("currentMetrics"):
        result["status"] = {**status, "currentMetrics": [_current_of_v1(one) for one in status["currentMetrics"]]}
    return result


def _noted_behavior(notes: Object) -> Object:
    """The behavior in an annotation, as a field."""
    behavior = _noted(notes, BEHAVIOR, dict)
    is_given = behavior and any(rules is not None for rules in behavior.values())
    return {"behavior": _lower(behavior)} if is_given else {}


def _noted(notes: Object, key: str, shape: type) -> Any:
    """The value of an annotation. None if it cannot be decoded."""
    try:
        read = decode(notes[key])
    except (KeyError, TypeError, AttributeError, MergeError):
        return None
    return read if isinstance(read, shape) else None


def _without_notes(content: Object) -> Object:
    metadata = as_map(content.get("metadata"))
    notes = as_map(metadata.get("annotations"))
    if not set(NOTES) & notes.keys():
        return metadata
    left = {key: value for key, value in notes.items() if key not in NOTES}
    rest = {field: value for field, value in metadata.items() if field != "annotations"}
    return {**rest, **({"annotations": left} if left else {})}


def _of_cpu(percent: Any) -> Object:
    target = {"type": "Utilization", "averageUtilization": percent}
    return {"type": "Resource", "resource": {"name": CPU, "target": target}}


def _metric_of_v1(metric: Any) -> Object:
    result: Object = {"type": as_map(metric).get("type", "")}
    for field in SOURCES:
        source = as_map(metric).get(field)
        if isinstance(source, dict):
            result[field] = _source_of_v1(field, source)
    return result


def _source_of_v1(field: str, source: Object) -> Object:
    if field in ("resource", "containerResource"):
        percent, average = source.get("targetAverageUtilization"), source.get("targetAverageValue")
        target = _target("AverageValue" if percent is None else "Utilization", None, average, percent)
        return {**_given(source, "name", "container"), "target": target}
    selector = source.get("metricSelector" if field == "external" else "selector")
    metric = {"name": source.get("metricName", ""), **({} if selector is None else {"selector": selector})}
    if field == "pods":
        return {"metric": metric, "target": _target("AverageValue", None, source.get("targetAverageValue", "0"), None)}
    value, average = (
        source.get("targetValue"),
        source.get("averageValue" if field == "object" else "targetAverageValue"),
    )
    if field == "external":
        return {"metric": metric, "target": _target("AverageValue" if value is None else "Value", value, average, None)}
    value = (value or "0") if average is None else (value if value not in (None, "0") else None)
    target = _target("Value" if average is None else "AverageValue", value, average, None)
    return {"describedObject": source.get("target") or {}, "metric": metric, "target": target}


def _target(type_: str, value: Any, average: Any, percent: Any) -> Object:
    fields = {"type": type_, "value": value, "averageValue": average, "averageUtilization": percent}
    return {field: one for field, one in fields.items() if one is not None}


def _given(source: Object, *fields: str) -> Object:
    return {field: source[field] for field in fields if field in source}


def _status_of_v1(status: Object, notes: Object) -> Object:
    kept = {field: value for field, value in status.items() if field != "currentCPUUtilizationPercentage"}
    percent = status.get("currentCPUUtilizationPercentage")
    if percent is not None:
        current = {"averageUtilization": percent}
        kept["currentMetrics"] = [{"type": "Resource", "resource": {"name": CPU, "current": current}}]
    noted = _noted(notes, CURRENT, list)
    if noted is not None:  # it contains more than the percentage
        kept["currentMetrics"] = [_current_of_v1(one) for one in noted]
    conditions = _noted(notes, CONDITIONS, list)
    if conditions:
        kept["conditions"] = conditions
    kept.setdefault("currentMetrics", None)
    if not kept.get("currentReplicas"):
        kept.pop("currentReplicas", None)
    return kept


def _current_of_v1(metric: Any) -> Object:
    result: Object = {"type": as_map(metric).get("type", "")}
    for field in SOURCES:
        source = as_map(metric).get(field)
        if isinstance(source, dict):
            result[field] = _current_source_of_v1(field, source)
    return result


def _current_source_of_v1(field: str, source: Object) -> Object:
    if field in ("resource", "containerResource"):
        average, percent = source.get("currentAverageValue", "0"), source.get("currentAverageUtilization")
        return {**_given(source, "name", "container"), "current": _current(None, average, percent)}
    selector = source.get("metricSelector" if field == "external" else "selector")
    metric = {"name": source.get("metricName", ""), **({} if selector is None else {"selector": selector})}
    if field == "pods":
        return {"metric": metric, "current": _current(None, source.get("currentAverageValue", "0"), None)}
    average = source.get("averageValue" if field == "object" else "currentAverageValue")
    found: Object = {"metric": metric, "current": _current(source.get("currentValue", "0"), average, None)}
    return {"describedObject": source.get("target") or {}, **found} if field == "object" else found


def _current(value: Any, average: Any, percent: Any) -> Object:
    fields = {"value": value, "averageValue": average, "averageUtilization": percent}
    return {field: one for field, one in fields.items() if one is not None}


# ---- to beta versions ------------------------------------------------------------------------------------------------


def _as_beta(content: Object, api_version: str) -> Object:
    """Convert an autoscaler of v2 to a beta version."""
    result: Object = {**content, "apiVersion": api_version, "metadata": _without_notes(content)}
    if api_version == V2BETA2:
        return result
    spec, status = as_map(content.get("spec")), as_map(result.get("status"))
    kept = {field: value for field, value in spec.items() if field != "behavior"}
    if spec.get("metrics"):
        kept["metrics"] = [_metric_of_v2(one) for one in spec["metrics"] if isinstance(one, dict)]
    if isinstance(spec.get("behavior"), dict):
        notes = {BEHAVIOR: _as_json(_upper(spec["behavior"], 0))}  # v2beta1 ended before tolerances
        annotations = {**as_map(result["metadata"].get("annotations")), **notes}
        result["metadata"] = {**result["metadata"], "annotations": annotations}
    if status.get("currentMetrics"):
        result["status"] = {**status, "currentMetrics": [_current_of_v2(one) for one in status["currentMetrics"]]}
    return {**result, "spec": kept}


# ---- to v1 -----------------------------------------------------------------------------------------------------------


def as_v1(content: Object, minor: int) -> Object:
    """Convert an autoscaler to v1, with annotations for the fields that v1 lacks."""
    if content.get("apiVersion") == V1:
        return content
    spec = as_map(content.get("spec"))
    metrics = [one for one in spec.get("metrics") or () if isinstance(one, dict)]
    kept = {field: value for field, value in spec.items() if field not in ("metrics", "behavior")}
    percents = [_percent(metric) for metric in metrics]
    known = [percent for percent in percents if percent is not None]
    if known:
        kept["targetCPUUtilizationPercentage"] = known[0]
    notes: Object = {}
    others = [_metric_of_v2(one) for one, percent in zip(metrics, percents, strict=True) if percent is None]
    if others:
        notes[METRICS] = _as_json(_in_order(others))
    status = content.get("status")
    current = [one for one in as_map(status).get("currentMetrics") or () if isinstance(one, dict)]
    if current:
        notes[CURRENT] = _as_json(_in_order([_current_of_v2(one) for one in current]))
    if isinstance(spec.get("behavior"), dict):
        notes[BEHAVIOR] = _as_json(_upper(spec["behavior"], minor))
    if as_map(status).get("conditions"):
        notes[CONDITIONS] = _as_json(_in_order(as_map(status)["conditions"]))
    metadata = _without_notes({**content, "apiVersion": V1})
    if notes:
        metadata = {**metadata, "annotations": {**as_map(metadata.get("annotations")), **notes}}
    result: Object = {**content, "apiVersion": V1, "metadata": metadata, "spec": kept}
    if isinstance(status, dict):
        result["status"] = _status_of_v2(status, current)
    return result


def _percent(metric: Object) -> Any:
    """The target CPU utilization of a metric. None for another metric."""
    resource = as_map(metric.get("resource"))
    is_cpu = metric.get("type") == "Resource" and resource.get("name") == CPU
    return get_path(resource, "target.averageUtilization") if is_cpu else None


def _metric_of_v2(metric: Object) -> Object:
    result: Object = {"type": metric.get("type", "")}
    for field in SOURCES:
        if isinstance(metric.get(field), dict):
            result[field] = _source_of_v2(field, metric[field])
    return result


def _source_of_v2(field: str, source: Object) -> Object:
    target, metric = as_map(source.get("target")), as_map(source.get("metric"))
    value, average = target.get("value"), target.get("averageValue")
    fields: Object
    if field in ("resource", "containerResource"):
        percent = target.get("averageUtilization")
        fields = {"name": source.get("name", ""), "targetAverageUtilization": percent, "targetAverageValue": average}
        if field == "containerResource":
            fields["container"] = source.get("container", "")
    elif field == "pods":
        fields = {"metricName": metric.get("name", ""), "targetAverageValue": average or "0"}
        fields["selector"] = metric.get("selector")
    elif field == "external":
        fields = {"metricName": metric.get("name", ""), "metricSelector": metric.get("selector")}
        fields |= {"targetValue": value, "targetAverageValue": average}
    else:
        fields = {"target": source.get("describedObject") or {}, "metricName": metric.get("name", "")}
        fields |= {"targetValue": value or "0", "selector": metric.get("selector"), "averageValue": average}
    return {name: one for name, one in fields.items() if one is not None}


def _current_of_v2(metric: Object) -> Object:
    result: Object = {"type": metric.get("type", "")}
    for field in SOURCES:
        source = metric.get(field)
        if isinstance(source, dict):
            result[field] = _current_source(field, source)
    return result


def _current_source(field: str, source: Object) -> Object:
    current, metric = as_map(source.get("current")), as_map(source.get("metric"))
    value, average = current.get("value"), current.get("averageValue")
    fields: Object
    if field in ("resource", "containerResource"):
        fields = {"name": source.get("name", ""), "currentAverageUtilization": current.get("averageUtilization")}
        fields["currentAverageValue"] = average or "0"
        if field == "containerResource":
            fields["container"] = source.get("container", "")
    elif field == "pods":
        fields = {"metricName": metric.get("name", ""), "currentAverageValue": average or "0"}
        fields["selector"] = metric.get("selector")
    elif field == "external":
        fields = {"metricName": metric.get("name", ""), "metricSelector": metric.get("selector")}
        fields |= {"currentValue": value or "0", "currentAverageValue": average}
    else:
        fields = {"target": source.get("describedObject") or {}, "metricName": metric.get("name", "")}
        fields |= {"currentValue": value or "0", "selector": metric.get("selector"), "averageValue": average}
    return {name: one for name, one in fields.items() if one is not None}


def _status_of_v2(status: Object, current: list[Object]) -> Object:
    kept = {field: value for field, value in status.items() if field not in ("currentMetrics", "conditions")}
    for metric in current:
        resource = as_map(metric.get("resource"))
        percent = get_path(resource, "current.averageUtilization")
        if metric.get("type") == "Resource" and resource.get("name") == CPU and percent is not None:
            kept["currentCPUUtilizationPercentage"] = percent
    return {"currentReplicas": 0, "desiredReplicas": 0, **kept}


# ---- JSON as Go prints it --------------------------------------------------------------------------------------------


FIELDS = [
    "type",
    "status",
    "lastTransitionTime",
    "reason",
    "message",
    "observedGeneration",
    "object",
    "pods",
    "resource",
    "containerResource",
    "external",
    "target",
    "kind",
    "name",
    "apiVersion",
    "metricName",
    "metricSelector",
    "targetValue",
    "currentValue",
    "targetAverageUtilization",
    "currentAverageUtilization",
    "targetAverageValue",
    "currentAverageValue",
    "selector",
    "averageValue",
    "container",
    "matchLabels",
    "matchExpressions",
    "key",
    "operator",
    "values",
]
"""The fields of all v1 types in annotations, in an order that suits each type."""
ESCAPED = {character: f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def _as_json(value: Any) -> str:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return "".join(ESCAPED.get(character, character) for character in text)


def _in_order(value: Any, *, free: bool = False) -> Any:
    """Sort fields like their Go types. Maps with free keys are sorted by key."""
    if isinstance(value, list):
        return [_in_order(one) for one in value]
    if not isinstance(value, dict):
        return value
    place = {field: number for number, field in enumerate(() if free else FIELDS)}
    fields = sorted(value, key=lambda field: (place.get(field, len(FIELDS)), field))
    return {field: _in_order(value[field], free=field == "matchLabels") for field in fields}


def _upper(behavior: Object, minor: int) -> Object:
    """Rename the fields of a behavior like the server's internal type, which has no JSON names."""
    return {
        "ScaleUp": _upper_rules(behavior.get("scaleUp"), minor),
        "ScaleDown": _upper_rules(behavior.get("scaleDown"), minor),
    }


def _upper_rules(rules: Any, minor: int) -> Any:
    if not isinstance(rules, dict):
        return None
    policies = rules.get("policies")
    listed = policies if isinstance(policies, list) else None
    return {
        "StabilizationWindowSeconds": rules.get("stabilizationWindowSeconds"),
        "SelectPolicy": rules.get("selectPolicy"),
        "Policies": None if listed is None else [_upper_policy(one) for one in listed],
        **({"Tolerance": rules.get("tolerance")} if minor >= TOLERANCE_SINCE else {}),
    }


def _upper_policy(policy: Any) -> Object:
    one = as_map(policy)
    names = {"Type": "type", "Value": "value", "PeriodSeconds": "periodSeconds"}
    return {name: one.get(field, "" if name == "Type" else 0) for name, field in names.items()}


def _lower(behavior: Any) -> Any:
    """Rename the fields of a behavior like v2. Go reads names in either case."""
    if isinstance(behavior, list):
        return [_lower(one) for one in behavior]
    if not isinstance(behavior, dict):
        return copied(behavior)
    return {name[:1].lower() + name[1:]: _lower(value) for name, value in behavior.items() if value is not None}
