"""Admission of Pods: default tolerations, priority, and runtime class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount

from ..errors import Forbidden
from ..unchecked import as_map, as_number, as_text, maps

if TYPE_CHECKING:
    from ..protocol import Object
    from .context import AdmissionContext

ILL = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
SECONDS = 300
CLASSES = ("scheduling.k8s.io", "PriorityClass")
PREEMPTION_SINCE = 19


def addresses(content: Object, _: AdmissionContext) -> Object:
    """Return a Pod after decoding: podIP and the first of podIPs are the same, and podIP counts."""
    status = as_map(content.get("status"))
    one, several = status.get("podIP"), [each for _, each in maps(status, "podIPs")]
    if one and not (several and several[0].get("ip") == one):
        return {**content, "status": {**status, "podIPs": [{"ip": one}]}}
    if several and not one:
        return {**content, "status": {**status, "podIP": several[0].get("ip")}}
    return content


def grace_period(content: Object, _: AdmissionContext) -> Object:
    """Replace a negative grace period of a Pod by one second. Templates keep theirs."""
    spec = as_map(content.get("spec"))
    if (as_number(spec.get("terminationGracePeriodSeconds")) or 0) >= 0:
        return content
    return {**content, "spec": {**spec, "terminationGracePeriodSeconds": 1}}


def tolerations(content: Object, _: AdmissionContext) -> Object:
    """Add tolerations of unhealthy nodes for five minutes, unless the Pod has its own."""
    spec = as_map(content.get("spec"))
    given = [one for _, one in maps(spec, "tolerations")]
    missing = [key for key in ILL if not any(_tolerates(one, key) for one in given)]
    if not missing:
        return content
    added = [{"effect": "NoExecute", "key": key, "operator": "Exists", "tolerationSeconds": SECONDS} for key in missing]
    return {**content, "spec": {**spec, "tolerations": [*given, *added]}}


def _tolerates(one: Object, key: str) -> bool:
    return one.get("key") in (key, None, "") and one.get("effect") in ("NoExecute", None, "")


def priority(content: Object, context: AdmissionContext) -> Object:
    """Set the priority of a Pod by its class."""
    spec = as_map(content.get("spec"))
    if context.live is not None:  # it keeps its priority
        former = as_map(context.live.get("spec"))
        kept = {field: former[field] for field in ("priority", "preemptionPolicy") if field in former}
        missing = {field: value for field, value in kept.items() if spec.get(field) is None}
        return {**content, "spec": {**spec, **missing}} if missing else content
    name = as_text(spec.get("priorityClassName"))
    found = _class(content, name, context)
    if found is None and not context.is_complete and (name or {"priority", "preemptionPolicy"} & spec.keys()):
        return content
    value = as_number(as_map(found).get("value")) or 0
    if spec.get("priority") is not None and spec["priority"] != value:
        why = (
            f"the integer value of priority ({spec['priority']}) must not be provided in pod spec; "
            f"priority admission controller computed {value} from the given PriorityClass name"
        )
        raise Forbidden("pods", content["metadata"].get("name", ""), why)
    made: Object = {"priority": value}
    if found is not None and not name:
        made["priorityClassName"] = found["metadata"]["name"]
    if context.minor >= PREEMPTION_SINCE:
        made["preemptionPolicy"] = _policy(content, spec, found)
    return {**content, "spec": {**spec, **made}}


def _policy(content: Object, spec: Object, found: Object | None) -> Any:
    policy = as_map(found).get("preemptionPolicy") or "PreemptLowerPriority"
    asked = spec.get("preemptionPolicy")
    if asked is not None and asked != policy:
        why = (
            f"the string value of PreemptionPolicy ({asked}) must not be provided in pod spec; "
            f"priority admission controller computed {policy} from the given PriorityClass name"
        )
        raise Forbidden("pods", content["metadata"].get("name", ""), why)
    return policy


def _class(content: Object, name: str, context: AdmissionContext) -> Object | None:
    """The priority class of a Pod. Without a name, the default one, if it exists."""
    every = list(context.of_kind(*CLASSES, None))
    if not name:
        defaults = [one for one in every if one.get("globalDefault") is True]
        return min(defaults, key=lambda one: as_number(one.get("value")) or 0, default=None)
    found = next((one for one in every if one["metadata"]["name"] == name), None)
    if found is None and context.is_complete:
        raise Forbidden("pods", content["metadata"].get("name", ""), f"no PriorityClass with name {name} was found")
    return found


def only_default(content: Object, context: AdmissionContext) -> None:
    """Reject a second default PriorityClass."""
    name = content["metadata"].get("name", "")
    others = context.of_kind(*CLASSES, None) if content.get("globalDefault") is True else iter(())
    for one in others:
        if one.get("globalDefault") is True and one["metadata"]["name"] != name:
            other = one["metadata"]["name"]
            why = f"PriorityClass {other} is already marked as default. Only one default can exist"
            raise Forbidden("priorityclasses.scheduling.k8s.io", name, why)


def runtime_class(content: Object, context: AdmissionContext) -> Object:
    """Reject a new Pod whose RuntimeClass does not exist, or contradicts it."""
    spec, name = as_map(content.get("spec")), as_map(content.get("spec")).get("runtimeClassName")
    if context.live is not None or not name:
        return content
    every = context.of_kind("node.k8s.io", "RuntimeClass", None)
    found = next((one for one in every if one["metadata"]["name"] == name), None)
    if found is None and not context.is_complete:
        return content
    if found is None:
        why = f'pod rejected: RuntimeClass "{name}" not found'
        raise Forbidden("pods", content["metadata"].get("name", ""), why)
    why = _conflict(spec, found)
    if why:
        raise Forbidden("pods", content["metadata"].get("name", ""), why)
    overhead = as_map(found.get("overhead")).get("podFixed")
    scheduling = as_map(found.get("scheduling"))
    made: Object = {"overhead": overhead} if overhead and spec.get("overhead") is None else {}
    if scheduling.get("nodeSelector"):
        made["nodeSelector"] = {**as_map(spec.get("nodeSelector")), **scheduling["nodeSelector"]}
    if scheduling.get("tolerations"):
        made["tolerations"] = [*(spec.get("tolerations") or []), *scheduling["tolerations"]]
    return {**content, "spec": {**spec, **made}} if made else content


def _conflict(spec: Object, found: Object) -> str:
    """The contradiction between a Pod and its RuntimeClass. Empty if there is none."""
    overhead, own = as_map(as_map(found.get("overhead")).get("podFixed")), as_map(spec.get("overhead"))
    if (
        own
        and overhead
        and {name: amount(one) for name, one in own.items()} != {n: amount(one) for n, one in overhead.items()}
    ):
        return "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
    selector = as_map(spec.get("nodeSelector"))
    for key, value in as_map(as_map(found.get("scheduling")).get("nodeSelector")).items():
        if selector.get(key, value) != value:
            at = f"nodeSelector[{key}]"
            return f"conflict: runtimeClass.scheduling.{at} = {value}; pod.spec.{at} = {selector[key]}"
    return ""


def overhead(content: Object, context: AdmissionContext) -> None:
    """Reject a new Pod with an overhead that its RuntimeClass does not define."""
    spec = as_map(content.get("spec"))
    if context.live is not None or not spec.get("overhead") or not context.is_complete:
        return
    every = context.of_kind("node.k8s.io", "RuntimeClass", None)
    name = spec.get("runtimeClassName")
    if not any(one["metadata"]["name"] == name and as_map(one.get("overhead")).get("podFixed") for one in every):
        why = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"
        raise Forbidden("pods", content["metadata"].get("name", ""), why)
