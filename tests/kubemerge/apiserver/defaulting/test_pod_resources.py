"""The resources of whole Pods are filled in from those of their containers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kubemerge.apiserver.errors import Invalid
from kubemerge.cluster import open_cluster

LINES = Path(__file__).with_name("pod_resources.jsonl").read_text(encoding="utf-8").splitlines()
"""Pods, and the resources of the whole Pod that a real 1.37.1 stored."""


def stored(spec: dict[str, Any], release: str) -> Any:
    with open_cluster(":memory:", release=release) as cluster:
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": spec}
        return cluster.create(pod)["spec"].get("resources")


def test_recorded_pods() -> None:
    cases = [json.loads(line) for line in LINES]
    assert [one for one in cases if stored(one["spec"], "1.37") != one["stored"]] == []


def container(**resources: Any) -> dict[str, Any]:
    return {"name": "c", "image": "i", "resources": resources}


@pytest.mark.parametrize(
    ("release", "requests"),
    [("1.33", None), ("1.34", {"limits": {"memory": "2Gi"}, "requests": {"memory": "1Gi"}})],
)
def test_the_gate_is_on_since_1_34(release: str, requests: Any) -> None:
    spec = {"containers": [container(requests={"memory": "1Gi"})], "resources": {"limits": {"memory": "2Gi"}}}
    assert stored(spec, release) == requests


def test_requests_alone_are_completed_since_1_37() -> None:
    spec = {"containers": [container(limits={"cpu": "1", "memory": "1Gi"})], "resources": {"requests": {"cpu": "2"}}}
    assert stored(spec, "1.36") == {"requests": {"cpu": "2"}}
    assert stored(spec, "1.37") == {
        "limits": {"cpu": "2", "memory": "1Gi"},
        "requests": {"cpu": "2", "memory": "1Gi"},
    }


def test_what_cannot_be_added_is_rejected() -> None:
    spec = {"containers": [container(requests={"cpu": "x"})], "resources": {"limits": {"cpu": "1"}}}
    with pytest.raises(Exception, match="quantities must match"):
        stored(spec, "1.37")


def test_sidecars_count_beside_other_init_containers() -> None:
    starting = [
        {**container(requests={"cpu": "1"}), "name": "side", "restartPolicy": "Always"},
        {**container(requests={"cpu": "2"}), "name": "first"},
    ]
    spec = {"containers": [container()], "initContainers": starting, "resources": {"requests": {"cpu": "2"}}}
    with pytest.raises(Invalid, match="aggregate container requests of 3"):
        stored(spec, "1.37")
