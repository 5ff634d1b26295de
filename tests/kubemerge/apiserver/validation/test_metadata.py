"""ownerReferences and finalizers that an API server rejects, in its words."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.problems import invalid
from kubemerge.apiserver.validation import names
from kubemerge.apiserver.validation.metadata import problems

POD = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}
EMPTY = "Required value: must not be empty"
NO_FINALIZER = "name is neither a standard finalizer name nor is it fully qualified"
BOTH = 'Found "true" in references for Pod/p and Pod/q'

BAD: list[tuple[dict[str, Any], list[str]]] = [
    (
        {"ownerReferences": [POD, {"kind": "Pod", "name": ""}]},
        [f"[1].{one}: {EMPTY}" for one in ("apiVersion", "name")],
    ),
    ({"ownerReferences": [{**POD, "controller": True}, {**POD, "name": "q", "controller": True}]}, [BOTH]),
    (
        {"finalizers": ["example.com/a", "kubernetes", "keep"]},
        [f'finalizers[2]: Invalid value: "keep": {NO_FINALIZER}'],
    ),
    ({"finalizers": ["A_/c"]}, ['metadata.finalizers: Invalid value: "A_/c": prefix part a lowercase RFC 1123']),
    ({"finalizers": ["orphan", "foregroundDeletion"]}, ["orphan and foregroundDeletion cannot be both set"]),
]


@pytest.mark.parametrize(("metadata", "said"), BAD, ids=str)
def test_what_is_refused(metadata: dict[str, Any], said: list[str]) -> None:
    found = [*map(str, problems(metadata, "", "ConfigMap"))]
    missing = [one for one in said if not any(one in problem for problem in found)]
    assert missing == []


def test_what_is_fine() -> None:
    owners = [{**POD, "controller": True}, {**POD, "controller": False}, POD]
    assert list(problems({"ownerReferences": owners, "finalizers": ["orphan", "a.b/c"]}, "apps", "Deployment")) == []


@pytest.mark.parametrize(
    ("group", "kind", "strict"),
    [
        ("", "ConfigMap", True),
        ("", "Event", False),
        ("apps", "Deployment", True),
        ("apiextensions.k8s.io", "CustomResourceDefinition", False),
        ("policy", "PodDisruptionBudget", False),
        ("stable.example.com", "CronTab", False),
    ],
)
def test_who_may_have_finalizers_without_a_domain_name(group: str, kind: str, strict: bool) -> None:
    assert len(list(problems({"finalizers": ["keep"]}, group, kind))) == int(strict)


PARTS = ("", "a", "A", "a-", "-a", "a.b", "A.b", "a..b", "a_b", "é", "a\n", "9" * 63, "9" * 64, "é" * 40, "a" * 300)
TEXTS = [*PARTS, *(f"{prefix}/{name}" for prefix in PARTS for name in PARTS), "a/b/c"]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_the_quick_check_of_labels_passes_only_valid_ones(text: str) -> None:
    whole = [*names.key(text), *names.label_value(text)]
    assert list(names.labels("labels", {text: text})) == [invalid("labels", text, why) for why in whole]
    keys = [invalid("annotations", text, why) for why in names.key(text.lower())]
    assert list(names.annotation_keys("annotations", {text: ""})) == keys
