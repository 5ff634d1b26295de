"""Checks that only some releases have. Real servers agree: see tests/conformance/releases."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.cluster import Invalid, open_cluster

LABELS = {"a": "b"}
TEMPLATE: dict[str, Any] = {"metadata": {"labels": LABELS}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
SET: dict[str, Any] = {"serviceName": "s", "selector": {"matchLabels": LABELS}, "template": TEMPLATE}


def named(api_version: str, kind: str, **content: Any) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "n"}, **content}


def stateful_set(**spec: Any) -> dict[str, Any]:
    return named("apps/v1", "StatefulSet", spec={**SET, **spec})


def update(release: str, before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The paths of the problems of an update."""
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create(before)
        try:
            cluster.replace({**after, "metadata": made["metadata"]})
        except Invalid as error:
            return [one.path for one in error.problems]
    return []


@pytest.mark.parametrize(
    ("release", "changed", "paths"),
    [
        ("1.32", {"revisionHistoryLimit": 3}, ["spec"]),
        ("1.33", {"revisionHistoryLimit": 3}, []),
        ("1.36", {"serviceName": "t"}, ["spec"]),
        ("1.37", {"serviceName": "t"}, ["spec.serviceName"]),
        ("1.21", {"replicas": 3}, []),
    ],
)
def test_updates_of_stateful_sets(release: str, changed: dict[str, Any], paths: list[str]) -> None:
    assert update(release, stateful_set(), stateful_set(**changed)) == paths


@pytest.mark.parametrize(("release", "paths"), [("1.29", ["spec.podInfoOnMount"]), ("1.30", [])])
def test_a_driver_that_wants_to_know_the_pod(release: str, paths: list[str]) -> None:
    before, after = (named("storage.k8s.io/v1", "CSIDriver", spec={"podInfoOnMount": one}) for one in (False, True))
    assert update(release, before, after) == paths


@pytest.mark.parametrize(("release", "is_valid"), [("1.33", True), ("1.34", False)])
def test_pod_specs_in_stateful_sets(release: str, is_valid: bool) -> None:
    wrong = {**TEMPLATE, "spec": {**TEMPLATE["spec"], "tolerations": [{"operator": "Nope"}]}}
    with open_cluster(":memory:", release=release) as cluster:
        try:
            cluster.create(stateful_set(template=wrong))
        except Invalid:
            assert not is_valid
        else:
            assert is_valid


@pytest.mark.parametrize("release", ["1.25", "1.33", "1.37"])
@pytest.mark.parametrize("kind", ["StatefulSet", "DaemonSet", "Deployment"])
def test_the_same_workload_again_changes_nothing(kind: str, release: str) -> None:
    spec = SET if kind == "StatefulSet" else {field: SET[field] for field in ("selector", "template")}
    content = named("apps/v1", kind, spec=spec)
    with open_cluster(":memory:", release=release) as cluster:
        assert cluster.create(content) == cluster.replace(content)


POD_TEMPLATE: dict[str, Any] = {
    "metadata": {"labels": {"a": "b"}},
    "spec": {"containers": [{"name": "c", "image": "i"}]},
}


def refusal(release: str, kind: str, api_version: str, spec: dict[str, Any]) -> str:
    with open_cluster(":memory:", release=release) as cluster:
        try:
            cluster.create({"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}, "spec": spec})
        except Invalid as error:
            return str(error)
    return ""


def pod(**spec: Any) -> tuple[str, str, dict[str, Any]]:
    return "Pod", "v1", {**POD_TEMPLATE["spec"], **spec}


DISK = {"name": "d", "gcePersistentDisk": {"pdName": "d"}}
SHARED = {
    "replicas": 2,
    "selector": {"matchLabels": {"a": "b"}},
    "template": {**POD_TEMPLATE, "spec": {**POD_TEMPLATE["spec"], "volumes": [DISK]}},
}
SPREAD = {
    "maxSkew": 1,
    "topologyKey": "zone",
    "whenUnsatisfiable": "DoNotSchedule",
    "labelSelector": {"matchLabels": {"a": "b"}},
    "matchLabelKeys": ["a"],
}
SCALER: dict[str, Any] = {"maxReplicas": 3, "scaleTargetRef": {"kind": "Deployment", "name": "d"}}
CONTAINER_METRIC = {
    "type": "ContainerResource",
    "containerResource": {"name": "cpu", "container": "c", "target": {"type": "Utilization", "averageUtilization": 50}},
}
ALWAYS = {"name": "c", "image": "i", "restartPolicy": "Always"}


@pytest.mark.parametrize(
    ("asked", "refused_by", "accepted_by", "why"),
    [
        (pod(containers=[ALWAYS]), "1.33", "1.37", "may not be set for non-init containers"),
        (("Deployment", "apps/v1", SHARED), "1.28", "1.29", "must be true for replicated pods > 1"),
        (pod(topologySpreadConstraints=[SPREAD]), "1.33", "1.34", "exists in both matchLabelKeys and labelSelector"),
        (("HorizontalPodAutoscaler", "autoscaling/v2", SCALER), "1.34", "1.33", "must specify API group"),
        (
            ("HorizontalPodAutoscaler", "autoscaling/v2", {**SCALER, "metrics": [CONTAINER_METRIC]}),
            "1.26",
            "1.27",
            "only allowed when HPAContainerMetrics feature is enabled",
        ),
        (pod(securityContext={"seLinuxChangePolicy": "MountOption"}), "1.33", "1.37", 'supported values: "Recursive"'),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_real_servers_agree(asked: Any, refused_by: str, accepted_by: str, why: str) -> None:
    """The sides were measured on real servers of 1.25.16, 1.29.6, 1.33.13 and 1.37.1, or read in the source."""
    assert why in refusal(refused_by, *asked)
    assert refusal(accepted_by, *asked) == ""
