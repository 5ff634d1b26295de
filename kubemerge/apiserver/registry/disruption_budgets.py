"""PodDisruptionBudget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..problems import Problem, invalid
from ..unchecked import as_map
from ..validation.declarative import by_table
from ..validation.selectors import label_selector, selector_as_go
from ..validation.values import formats
from ..validation.values.conditions import conditions
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

RULES = """
PodDisruptionBudgetSpec unhealthyPodEvictionPolicy *string optional enum=AlwaysAllow|IfHealthyBudget
"""
"""The checks of one field."""
BOTH = "minAvailable and maxUnavailable cannot be both set"
COUNTS = ("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")


def budget(content: Object) -> Iterator[Problem]:
    """Validate a PodDisruptionBudget."""
    spec = as_map(content.get("spec"))
    bounds = [field for field in ("minAvailable", "maxUnavailable") if spec.get(field) is not None]
    if len(bounds) > 1:
        yield invalid("spec", _as_go(spec), BOTH)
    for field in bounds:
        yield from formats.int_or_percent(f"spec.{field}", spec[field])
        yield from formats.at_most_all(f"spec.{field}", spec[field])
    yield from label_selector("spec.selector", spec.get("selector"))
    yield from by_table(RULES, "PodDisruptionBudgetSpec", "spec", spec)


def _as_go(spec: Object) -> Object:
    return {
        "MinAvailable": spec.get("minAvailable"),
        "Selector": selector_as_go(spec.get("selector")),
        "MaxUnavailable": spec.get("maxUnavailable"),
        "UnhealthyPodEvictionPolicy": spec.get("unhealthyPodEvictionPolicy"),
    }


def status(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the status of a PodDisruptionBudget."""
    yield from conditions(content, before)
    if content.get("apiVersion") != "policy/v1beta1":
        yield from formats.not_negative("status", as_map(content.get("status")), *COUNTS)


RECORDS = (
    KindRecord(
        group="policy",
        kind="PodDisruptionBudget",
        versions=("policy/v1", "policy/v1beta1"),
        metadata_later=("policy/v1", "policy/v1beta1"),
        check=budget,
        check_status=status,
    ),
)
