"""The recorded answers of real API servers of several releases, against ours."""

from __future__ import annotations

from functools import cache

import pytest

from .cases import every
from .judge import differences, ours
from .record import recorded

RELEASES = tuple(recorded())
BY_DEFAULT = ("1.25", "1.29", "1.33", "1.37")
SOME = [
    pytest.param(one, marks=() if one in BY_DEFAULT else (pytest.mark.slow, pytest.mark.left_out)) for one in RELEASES
]
GATED = "a field behind a feature gate"
KNOWN = {
    "1.23": {
        "autoscaling/v2 HorizontalPodAutoscaler b": GATED,
        "autoscaling/v2beta1 HorizontalPodAutoscaler b": "the value of a quantity is printed otherwise",
        "autoscaling/v2beta2 HorizontalPodAutoscaler b": GATED,
        "discovery.k8s.io/v1 EndpointSlice a": GATED,
        "discovery.k8s.io/v1beta1 EndpointSlice a": GATED,
        "updates 26": "the field was called Value",
        "v1 Event a": "reportingComponent was called reportingController",
        "v1 Event b": "reportingComponent was called reportingController",
        "warnings of Services 10": "internalTrafficPolicy had a default for external names",
    },
    "1.24": {
        "autoscaling/v2 HorizontalPodAutoscaler b": GATED,
        "autoscaling/v2beta1 HorizontalPodAutoscaler b": "the value of a quantity is printed otherwise",
        "autoscaling/v2beta2 HorizontalPodAutoscaler b": GATED,
        "batch/v1 CronJob b": GATED,
        "batch/v1beta1 CronJob b": GATED,
        "discovery.k8s.io/v1beta1 EndpointSlice a": "nodeName was also printed as topology",
        "updates 26": "the field was called Value",
        "v1 Event a": "reportingComponent was called reportingController",
        "v1 Event b": "reportingComponent was called reportingController",
    },
    "1.25": {
        "autoscaling/v2 HorizontalPodAutoscaler b": GATED,
        "autoscaling/v2beta2 HorizontalPodAutoscaler b": GATED,
        "defaults 1": GATED,
    },
    "1.28": {"batch/v1 Job b": GATED},
    "1.29": {"updates 20": "the change of the QoS class was reported, too"},
    "1.33": {
        "autoscaling/v2 HorizontalPodAutoscaler b": GATED,
        "discovery.k8s.io/v1 EndpointSlice a": GATED,
        "storage.k8s.io/v1 CSIDriver a": GATED,
    },
    "1.35": {
        "resource.k8s.io/v1 DeviceClass a": GATED,
        "resource.k8s.io/v1 DeviceClass b": GATED,
        "resource.k8s.io/v1 ResourceClaim a": GATED,
        "resource.k8s.io/v1 ResourceClaimTemplate a": GATED,
        "resource.k8s.io/v1 ResourceSlice a": GATED,
        "resource.k8s.io/v1 ResourceSlice b": GATED,
    },
}
"""Cases whose result still differs in a release, with the reasons."""


@cache
def found(release: str) -> dict[str, dict[str, list[str]]]:
    """The differences in a release by case."""
    answers, result = recorded()[release], {}
    for case in every():
        if case.name in answers:
            own = ours(case, release)
            assert own is not None, case.name
            result[case.name] = differences(own, answers[case.name])
    return result


@pytest.mark.parametrize("release", SOME)
def test_no_warning_is_false_or_missed(release: str) -> None:
    different = {name: one["warnings"] for name, one in found(release).items() if "warnings" in one}
    assert different == {}


@pytest.mark.parametrize("release", SOME)
def test_verdicts_stored_objects_and_reported_fields_are_equal(release: str) -> None:
    different = {name: one for name, one in found(release).items() if one.keys() - {"warnings"}}
    assert {name: one for name, one in different.items() if name not in KNOWN.get(release, {})} == {}


def test_every_release_has_two_hundred_objects() -> None:
    assert all(len(answers) >= 200 for answers in recorded().values())
    assert {"1.25", "1.29", "1.33", "1.37"} <= {*RELEASES}
