"""Upstream's lists of declared rules: the rows contain all of them, and an object that breaks one has its problem."""

from __future__ import annotations

import pytest

from .objects import reports
from .record_lists import read
from .walk import declared, type_of

MINOR = 37
LISTS = {kind: (of, rules) for kind, rules in read().items() if (of := type_of(kind, MINOR))}
"""The kinds in the specification; the others are versions that no server has served for long."""
UNLISTED = {
    "flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration": {
        "spec.limited Required",
        "spec.limited.limitResponse.queuing Required",
    },
    "lifecycle.k8s.io/v1alpha1 Eviction": {"status.observedGeneration Invalid monotonic"},
    "lifecycle.k8s.io/v1alpha1 EvictionRequest": {"status.observedGeneration Invalid monotonic"},
}
"""Validation that upstream does not list: its generator has no output for `monotonic` and modes."""
UNREPORTED = {
    "scheduling.k8s.io/v1alpha3 CompositePodGroup spec.schedulingPolicy.basic Invalid immutable",
    "scheduling.k8s.io/v1alpha3 CompositePodGroup spec.schedulingPolicy.gang Invalid update",
}
"""Rules that no object can break: `schedulingPolicy` itself is immutable, which ends the evaluation of its fields."""


def test_the_lists_are_those_of_all_kinds_with_rules() -> None:
    assert (len(read()), len(LISTS)) == (149, 94)
    assert sum(len(rules) for _, rules in LISTS.values()) == 2171


@pytest.mark.parametrize("kind", LISTS)
def test_the_rows_have_the_rules_that_upstream_lists(kind: str) -> None:
    of, rules = LISTS[kind]
    assert declared(of, MINOR) - UNLISTED.get(kind, set()) == rules


@pytest.mark.slow
def test_an_object_that_breaks_a_listed_rule_has_its_problem() -> None:
    every = [(kind, of, rule) for kind, (of, rules) in LISTS.items() for rule in sorted(rules)]
    assert {f"{kind} {rule}" for kind, of, rule in every if not reports(of, rule, MINOR)} == UNREPORTED
