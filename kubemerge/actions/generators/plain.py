"""Objects with few fields: Namespace, ServiceAccount, ResourceQuota, PodDisruptionBudget, PriorityClass."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .parts import BadOptions, amounts, given, head, label_selector, number_or_name

if TYPE_CHECKING:
    from ...cluster import Object


def namespace(name: str) -> Object:
    """A Namespace."""
    return {**head("v1", "Namespace", name), "spec": {}, "status": {}}


def service_account(name: str) -> Object:
    """A ServiceAccount."""
    return head("v1", "ServiceAccount", name)


def quota(name: str, *, hard: str, scopes: str) -> Object:
    """A ResourceQuota."""
    scoped = scopes.split(",") if scopes else []
    limits = amounts(hard)
    if "" in scoped:
        raise BadOptions('invalid resource quota scope ""')
    return {**head("v1", "ResourceQuota", name), "spec": given({"hard": limits, "scopes": scoped}), "status": {}}


_AMOUNT = re.compile(r"[0-9]+%?")


def disruption_budget(name: str, *, selector: str, min_available: str, max_unavailable: str) -> Object:
    """A PodDisruptionBudget."""
    rules = {
        "a selector must be specified": not selector,
        "one of min-available or max-unavailable must be specified": not (max_unavailable or min_available),
        "min-available and max-unavailable cannot be both specified": max_unavailable and min_available,
        "invalid format specified for min-available": min_available and not _AMOUNT.fullmatch(min_available),
        "invalid format specified for max-unavailable": max_unavailable and not _AMOUNT.fullmatch(max_unavailable),
    }
    for rule, broken in rules.items():
        if broken:
            raise BadOptions(rule)
    spec: Object = {"minAvailable": number_or_name(min_available)} if min_available else {}
    spec |= {"selector": label_selector(selector)}
    spec |= {"maxUnavailable": number_or_name(max_unavailable)} if max_unavailable else {}
    zeros = dict.fromkeys(("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"), 0)
    return {**head("policy/v1", "PodDisruptionBudget", name), "spec": spec, "status": zeros}


def priority_class(name: str, *, value: int, global_default: bool, description: str, preemption_policy: str) -> Object:
    """A PriorityClass."""
    optional = given({"globalDefault": global_default, "description": description})
    whole = {**head("scheduling.k8s.io/v1", "PriorityClass", name), "value": value, **optional}
    return {**whole, "preemptionPolicy": preemption_policy}
