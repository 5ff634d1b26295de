"""HorizontalPodAutoscalers of old versions, and in releases that store them as autoscaling/v1."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.errors import ApplyConflict
from kubemerge.apiserver.registry.autoscaler_conversion import V1, V2, V2BETA1, V2BETA2, convert
from kubemerge.cluster import Reference, open_cluster

CPU = {"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}
MEMORY = {
    "type": "Resource",
    "resource": {"name": "memory", "target": {"type": "AverageValue", "averageValue": "1Gi"}},
}
SPEC = {
    "minReplicas": 1,
    "maxReplicas": 3,
    "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"},
}


def autoscaler(version: str, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": version,
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "h"},
        "spec": {**SPEC, **spec},
    }


@pytest.mark.parametrize(
    ("version", "release", "first"),
    [(V2BETA2, "1.20", "memory"), (V2, "1.26", "memory"), (V2, "1.27", "cpu"), (V2, "1.37", "cpu")],
)
def test_cpu_comes_last_where_v1_is_stored(version: str, release: str, first: str) -> None:
    """Every apply of such metrics is `configured` there, as recorded from a real 1.25."""
    config = autoscaler(version, metrics=[CPU, MEMORY])
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create(config)
        assert made["spec"]["metrics"][0]["resource"]["name"] == first
        written = cluster.replace({**made, "spec": config["spec"]})
        assert written["spec"]["metrics"][0]["resource"]["name"] == first


@pytest.mark.parametrize("version", [V1, V2BETA1, V2BETA2])
def test_conversion_to_a_version_and_back_keeps_the_fields(version: str) -> None:
    behavior = {"scaleDown": {"stabilizationWindowSeconds": 0, "policies": []}}
    content = autoscaler(V2, metrics=[MEMORY, CPU], behavior=behavior)
    assert convert(convert(content, version, 30), V2, 30) == content
    assert (convert(content, version, 30) == {**content, "apiVersion": version}) == (version == V2BETA2)


@pytest.mark.parametrize(("release", "has_tolerance"), [("1.32", False), ("1.33", True)])
def test_an_annotation_has_the_fields_of_the_release(release: str, has_tolerance: bool) -> None:
    behavior = {"scaleDown": {"stabilizationWindowSeconds": 0}}
    with open_cluster(":memory:", release=release) as cluster:
        cluster.create(autoscaler(V2, metrics=[CPU], behavior=behavior))
        found = cluster.get(Reference(V1, "HorizontalPodAutoscaler", "h"))
    text = found["metadata"]["annotations"]["autoscaling.alpha.kubernetes.io/behavior"]
    assert ('"Tolerance":null' in text) is has_tolerance


def test_conflict_between_versions() -> None:
    with open_cluster(":memory:", release="1.29") as cluster:
        where = Reference(V1, "HorizontalPodAutoscaler", "h")
        cluster.patch(where, autoscaler(V1, targetCPUUtilizationPercentage=50), "apply", manager="a")
        other = CPU["resource"] | {"target": {"type": "Utilization", "averageUtilization": 60}}  # type: ignore[operator]
        config = autoscaler(V2, metrics=[{"type": "Resource", "resource": other}])
        with pytest.raises(ApplyConflict, match=r"targetCPUUtilizationPercentage"):
            cluster.patch(Reference(V2, "HorizontalPodAutoscaler", "h"), config, "apply", manager="b")
