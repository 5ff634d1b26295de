"""Label keys of scheduling terms become part of label selectors. Servers of all releases are asked elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.registry.label_keys import merge_label_keys

LABELS = {"a": "b", "c": "d"}
TERM = {"topologyKey": "z", "labelSelector": {"matchLabels": {"x": "y"}}, "matchLabelKeys": ["c", "other"]}
ADDED = [{"key": "c", "operator": "In", "values": ["d"]}]


def merged(spec: dict[str, Any], minor: int = 37, labels: dict[str, str] = LABELS) -> Any:
    return merge_label_keys({"metadata": {"labels": labels}, "spec": spec}, minor)["spec"]


@pytest.mark.parametrize("field", ["podAffinity", "podAntiAffinity"])
def test_terms_of_affinity(field: str) -> None:
    required, preferred = (f"{word}DuringSchedulingIgnoredDuringExecution" for word in ("required", "preferred"))
    found = merged({"affinity": {field: {required: [TERM], preferred: [{"weight": 1, "podAffinityTerm": TERM}]}}})
    selector = {"matchLabels": {"x": "y"}, "matchExpressions": ADDED}
    (one,), (other,) = found["affinity"][field][required], found["affinity"][field][preferred]
    assert one == {**TERM, "labelSelector": selector}
    assert other == {"weight": 1, "podAffinityTerm": {**TERM, "labelSelector": selector}}


def test_mismatching_keys_come_last() -> None:
    term = {"labelSelector": {}, "mismatchLabelKeys": ["a"], "matchLabelKeys": ["c"]}
    found = merged({"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}})
    (one,) = found["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert one["labelSelector"] == {"matchExpressions": [*ADDED, {"key": "a", "operator": "NotIn", "values": ["b"]}]}


@pytest.mark.parametrize(("minor", "expressions"), [(33, None), (34, ADDED), (37, ADDED)])
def test_spread_constraints(minor: int, expressions: Any) -> None:
    (one,) = merged({"topologySpreadConstraints": [TERM]}, minor)["topologySpreadConstraints"]
    assert one["labelSelector"].get("matchExpressions") == expressions


@pytest.mark.parametrize(
    ("spec", "labels"),
    [
        ({"topologySpreadConstraints": [TERM]}, {}),
        ({"topologySpreadConstraints": [TERM]}, {"e": "f"}),
        ({"topologySpreadConstraints": [{**TERM, "labelSelector": None}]}, LABELS),
        ({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {}}}}, LABELS),
    ],
)
def test_nothing_is_added(spec: dict[str, Any], labels: dict[str, str]) -> None:
    assert merged(spec, labels=labels) == spec
