"""Describe autoscalers, disruption budgets, priorities and traffic rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...apiserver.printers.ages import moment
from ...apiserver.unchecked import as_list, as_map, get_path
from .page import NONE, UNSET
from .parts import events, go, head, joined, number, selector, time

if TYPE_CHECKING:
    from ...cluster import Object
    from .page import Page
    from .parts import ClusterView


def autoscaler(page: Page, one: Object, around: ClusterView) -> None:
    """A HorizontalPodAutoscaler."""
    spec, status = one["spec"], as_map(one.get("status"))
    head(page, one)
    page.field("CreationTimestamp", time(one["metadata"].get("creationTimestamp")))
    target = as_map(spec.get("scaleTargetRef"))
    page.field("Reference", f"{target.get('kind', '')}/{target.get('name', '')}")
    page.field("Metrics", "( current / target )")
    currents = as_list(status.get("currentMetrics"))
    for index, metric in enumerate(as_list(spec.get("metrics"))):
        page.line(1, _metric(metric, currents[index] if index < len(currents) else {}))
    page.field("Min replicas", spec.get("minReplicas", UNSET))
    page.field("Max replicas", spec.get("maxReplicas", 0))
    if spec.get("behavior") is not None:
        page.line(0, "Behavior:")
        for field, title in (("scaleUp", "Scale Up"), ("scaleDown", "Scale Down")):
            _behavior(page, title, spec["behavior"].get(field))
    counts = f"{status.get('currentReplicas', 0)} current / {status.get('desiredReplicas', 0)} desired"
    page.field(f"{target.get('kind', '')} pods", counts)
    known = as_list(status.get("conditions"))
    if known:
        page.line(0, "Conditions:")
        rows = (
            (each.get("type"), each.get("status"), each.get("reason", ""), each.get("message", "")) for each in known
        )
        page.table(1, ("Type", "Status", "Reason", "Message"), rows)
    events(page, around.events(one))


def _metric(metric: Object, current: Object) -> str:
    kind = str(metric.get("type"))
    field = f"{kind[:1].lower()}{kind[1:]}"
    if field not in ("resource", "containerResource", "pods", "object", "external"):
        return f'<unknown metric type "{kind}">'
    wanted, now = as_map(metric.get(field)), as_map(as_map(current.get(field)).get("current"))
    target = as_map(wanted.get("target"))
    name = wanted.get("name") or get_path(wanted, "metric.name") or ""
    if field in ("resource", "containerResource"):
        inside = f' of container "{wanted.get("container", "")}"' if field == "containerResource" else ""
        return f"resource {name}{inside} on pods{_of_resource(target, now)}"
    average = target.get("averageValue")
    value = now.get("value" if average is None else "averageValue", "<unknown>")
    if field == "pods":
        return f'"{name}" on pods:\t{value} / {average}'
    described = as_map(wanted.get("describedObject"))
    on = f" on {described.get('kind', '')}/{described.get('name', '')} " if field == "object" else " "
    which = "value" if average is None else "average value"
    return f'"{name}"{on}(target {which}):\t{value} / {target.get("value", 0) if average is None else average}'


def _of_resource(target: Object, now: Object) -> str:
    if target.get("averageValue") is not None:
        return f":\t{now.get('averageValue', '<unknown>')} / {target['averageValue']}"
    used = now.get("averageUtilization")
    current = "<unknown>" if used is None else f"{used}% ({now.get('averageValue', 0)})"
    wanted = target.get("averageUtilization")
    return f"  (as a percentage of request):\t{current} / {'<auto>' if wanted is None else f'{wanted}%'}"


def _behavior(page: Page, title: str, rules: Any) -> None:
    if rules is None:
        return
    page.line(1, f"{title}:")
    if rules.get("stabilizationWindowSeconds") is not None:
        page.line(2, f"Stabilization Window: {rules['stabilizationWindowSeconds']} seconds")
    if rules.get("policies"):
        page.line(2, f"Select Policy: {rules.get('selectPolicy', 'Max')}")
        page.line(2, "Policies:")
        for each in rules["policies"]:
            period = f"Period: {each.get('periodSeconds')} seconds"
            page.line(3, f"- Type: {each.get('type')}\tValue: {each.get('value')}\t{period}")


def disruption_budget(page: Page, one: Object, around: ClusterView) -> None:
    """A PodDisruptionBudget."""
    spec = as_map(one.get("spec"))
    page.field("Name", one["metadata"]["name"])
    page.field("Namespace", one["metadata"].get("namespace", ""))
    if spec.get("minAvailable") is not None:
        page.field("Min available", spec["minAvailable"])
    elif spec.get("maxUnavailable") is not None:
        page.field("Max unavailable", spec["maxUnavailable"])
    page.field("Selector", UNSET if spec.get("selector") is None else selector(spec["selector"]) or NONE)
    page.line(0, "Status:")
    for field, title in (
        ("disruptionsAllowed", "Allowed disruptions"),
        ("currentHealthy", "Current"),
        ("desiredHealthy", "Desired"),
        ("expectedPods", "Total"),
    ):
        page.field(title, number(one, f"status.{field}"), 2)
    events(page, around.events(one))


def priority_class(page: Page, one: Object, around: ClusterView) -> None:
    """A PriorityClass."""
    page.field("Name", one["metadata"]["name"])
    page.field("Value", one.get("value", 0))
    page.field("GlobalDefault", go(one.get("globalDefault", False)))
    page.field("PreemptionPolicy", one.get("preemptionPolicy", ""))
    page.field("Description", one.get("description", ""))
    page.field("Annotations", joined(one["metadata"].get("annotations")))
    events(page, around.events(one))


# ---- traffic ---------------------------------------------------------------------------------------------------------


def network_policy(page: Page, one: Object, _: ClusterView) -> None:
    """A NetworkPolicy."""
    spec = as_map(one.get("spec"))
    page.field("Name", one["metadata"]["name"])
    page.field("Namespace", one["metadata"].get("namespace", ""))
    then = moment(one["metadata"].get("creationTimestamp"))
    page.field("Created on", then.astimezone().strftime("%Y-%m-%d %H:%M:%S %z %Z") if then else "")
    page.labels("Labels", one["metadata"].get("labels"))
    page.annotations("Annotations", one["metadata"].get("annotations"))
    page.line(0, "Spec:")
    picked = selector(spec.get("podSelector"))
    everyone = f"{NONE} (Allowing the specific traffic to all pods in this namespace)"
    page.line(1, f"PodSelector:     {picked or everyone}")
    types = as_list(spec.get("policyTypes"))
    for kind, field, words in (("Ingress", "from", "source"), ("Egress", "to", "destination")):
        way = kind.lower()
        if kind in types:
            page.line(1, f"Allowing {way} traffic:")
            _rules(page, as_list(spec.get(way)), field, words, way)
        else:
            page.line(1, f"Not affecting {way} traffic")
    page.line(1, f"Policy Types: {', '.join(types) or NONE}")


def _rules(page: Page, rules: list[Object], field: str, words: str, way: str) -> None:
    indent = "    "
    if not rules:
        page.line(0, f"{indent}{NONE} (Selected pods are isolated for {way} connectivity)")
    for index, rule in enumerate(rules):
        for port in as_list(rule.get("ports")):
            protocol = port.get("protocol") or "TCP"
            end = port.get("endPort")
            named = f"To Port: {go(port.get('port'))}" if end is None else f"To Port Range: {port.get('port')}-{end}"
            page.line(0, f"{indent}{named}/{protocol}")
        if not rule.get("ports"):
            page.line(0, f"{indent}To Port: <any> (traffic allowed to all ports)")
        title = field.capitalize()
        if not rule.get(field):
            page.line(0, f"{indent}{title}: <any> (traffic not restricted by {words})")
        for peer in as_list(rule.get(field)):
            page.line(0, f"{indent}{title}:")
            _peer(page, peer, indent)
        if index < len(rules) - 1:
            page.line(0, f"{indent}----------")


def _peer(page: Page, peer: Object, indent: str) -> None:
    block = peer.get("ipBlock")
    for field, title in (("namespaceSelector", "NamespaceSelector"), ("podSelector", "PodSelector")):
        if peer.get(field) is not None:
            page.line(1, f"{indent}{title}: {selector(peer[field]) or NONE}")
            block = None
    if block is not None:
        page.line(1, f"{indent}IPBlock:")
        page.line(2, f"{indent}CIDR: {block.get('cidr', '')}")
        page.line(2, f"{indent}Except: {', '.join(as_list(block.get('except')))}")
