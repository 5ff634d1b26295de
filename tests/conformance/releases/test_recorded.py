"""The recorded answers of real API servers of several releases, against ours."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from .cases import every
from .judge import differences, ours
from .record import recorded

RELEASES = tuple(recorded())
COMPARED = [
    *((release, True) for release in RELEASES[1:]),
    *(pytest.param(release, False, marks=(pytest.mark.slow, pytest.mark.left_out)) for release in RELEASES),
]
"""Releases, each with whether only the cases run that have another answer than in the release before."""


class Known(NamedTuple):
    """Cases whose result differs in some releases, with the reason."""

    name: str
    """The beginning of the names of the cases."""
    first: int
    last: int
    """The first and the last minor release."""
    reason: str


STRICT_GO = "built with a newer Go, which rejects leading zeros in addresses"
DRY_RUN = "a dry run draws no second address"
NULLS = "the status has nulls and zeros"
TOPOLOGY = "nodeName was also printed as topology"
NO_GATE = "the field of the status was behind a feature gate"
NAMES = "fields had other names in errors"
KNOWN = (
    *(Known(name, 20, 22, STRICT_GO) for name in ("Pod 31 ", "warnings of Services 2", "warnings of Services 6")),
    *(Known(f"warnings of other kinds {number}", 20, 22, STRICT_GO) for number in (10, 13, 16)),
    *(Known(name, 20, 22, DRY_RUN) for name in ("v1 Service", "warnings of Services")),
    *(Known(f"autoscal{name}", 20, 22, NULLS) for name in ("ing/v2beta2", "ers 0", "ers 5", "ers 11")),
    *(Known(f"networking.k8s.io/{version} IngressClass b", 21, 21, NULLS) for version in ("v1", "v1beta1")),
    Known("discovery.k8s.io/v1beta1 EndpointSlice a", 20, 24, TOPOLOGY),
    *(Known(name, 22, 22, NO_GATE) for name in ("apps/v1 StatefulSet", "workload names with dots 5", "checks ")),
    *(Known(name, 22, 22, NO_GATE) for name in ("warnings of workloads ", "updates ", "values of selectors 3")),
    *(Known(name, 20, 24, NAMES) for name in ("v1 Event", "updates 26", "policies for Pods, until 1.24 4")),
    Known("apiextensions.k8s.io/v1beta1 CustomResourceDefinition a", 20, 21, "more is rejected"),
    *(Known(f"updates {number}", 20, 20, "the whole object was immutable") for number in (6, 7)),
    Known("warnings of Services 10", 22, 23, "internalTrafficPolicy had a default for external names"),
    Known("updates 20", 29, 31, "the change of the QoS class was reported, too"),
)


def is_known(name: str, release: str) -> bool:
    minor = int(release.partition(".")[2])
    return any(name.startswith(one.name) and one.first <= minor <= one.last for one in KNOWN)


@cache
def found(release: str, *, changes: bool = False) -> dict[str, dict[str, list[str]]]:
    """The differences in a release by case, or only of the cases whose answer is another one in the release before."""
    answers, result = recorded()[release], {}
    before = recorded()[RELEASES[RELEASES.index(release) - 1]] if changes else {}
    for case in every():
        if case.name in answers and answers[case.name] != before.get(case.name):
            own = ours(case, release)
            assert own is not None, case.name
            result[case.name] = differences(own, answers[case.name])
    return result


@pytest.mark.parametrize(("release", "changes"), COMPARED)
def test_no_warning_is_false_or_missed(release: str, changes: bool) -> None:
    different = {name: one["warnings"] for name, one in found(release, changes=changes).items() if "warnings" in one}
    assert different == {}


@pytest.mark.parametrize(("release", "changes"), COMPARED)
def test_verdicts_stored_objects_and_reported_fields_are_equal(release: str, changes: bool) -> None:
    different = {name: one for name, one in found(release, changes=changes).items() if one.keys() - {"warnings"}}
    assert {name: one for name, one in different.items() if not is_known(name, release)} == {}


def test_every_release_has_two_hundred_objects() -> None:
    assert all(len(answers) >= 200 for answers in recorded().values())
    assert {"1.25", "1.29", "1.33", "1.37"} <= {*RELEASES}
