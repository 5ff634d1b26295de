"""Conditions of APIServices, as kube-apiserver 1.37.1 sets them, and of definitions in protected groups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kubemerge.apiserver.crd.definitions.status import with_controller_status
from kubemerge.apiserver.crd.definitions.used_names import UsedNames
from kubemerge.cluster import Reference, open_cluster

from ..conftest import crontabs

CASES: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("available.jsonl").read_text().splitlines()
]
EXTENSION = Reference("apiregistration.k8s.io/v1", "APIService", "v1.ext.example.com")


def without_address(condition: dict[str, Any]) -> dict[str, Any]:
    """The condition without the address that the server asked, and its answer."""
    return {**condition, "message": condition["message"].partition(" from https://")[0]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_an_extension_server_is_as_available_as_its_service(case: dict[str, Any]) -> None:
    with open_cluster(":memory:", release="1.37") as cluster:
        for one in case["objects"]:
            metadata = one["metadata"] if one["kind"] == "APIService" else {**one["metadata"], "namespace": "default"}
            cluster.create({**one, "metadata": metadata})
        (found,) = cluster.get(EXTENSION)["status"]["conditions"]
    del found["lastTransitionTime"]
    assert without_address(found) == without_address(case["condition"])


@pytest.mark.parametrize(
    ("annotation", "status", "reason"),
    [
        ("https://a.example/1", "True", "ApprovedAnnotation"),
        ("unapproved, experimental", "False", "UnapprovedAnnotation"),
        (None, "False", "MissingAnnotation"),
        ("other", "False", "InvalidAnnotation"),
    ],
)
def test_a_definition_in_a_protected_group_has_a_condition(annotation: str | None, status: str, reason: str) -> None:
    definition = crontabs()
    definition["spec"]["group"] = "stable.k8s.io"
    definition["metadata"] = {
        "name": "crontabs.stable.k8s.io",
        "annotations": {"api-approved.kubernetes.io": annotation} if annotation else {},
    }
    conditions = with_controller_status(definition, UsedNames([]), "2026-01-02T03:04:05Z")["status"]["conditions"]
    (found,) = (one for one in conditions if one["type"] == "KubernetesAPIApprovalPolicyConformant")
    assert (found["status"], found["reason"]) == (status, reason)
