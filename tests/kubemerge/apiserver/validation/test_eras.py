"""A check is made in the releases that have it."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.errors import Invalid
from kubemerge.apiserver.problems import FORBIDDEN, INVALID, forbidden, invalid
from kubemerge.apiserver.validation import eras
from kubemerge.cluster import open_cluster

TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}


def refusal(release: str, kind: str, api_version: str, spec: dict[str, Any]) -> str:
    with open_cluster(":memory:", release=release) as cluster:
        try:
            cluster.create({"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}, "spec": spec})
        except Invalid as error:
            return str(error)
    return ""


def pod(**spec: Any) -> tuple[str, str, dict[str, Any]]:
    return "Pod", "v1", {**TEMPLATE["spec"], **spec}


DISK = {"name": "d", "gcePersistentDisk": {"pdName": "d"}}
SHARED = {
    "replicas": 2,
    "selector": {"matchLabels": {"a": "b"}},
    "template": {**TEMPLATE, "spec": {**TEMPLATE["spec"], "volumes": [DISK]}},
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
        (pod(containers=[ALWAYS]), "1.33", "1.37", eras.NOT_INIT),
        (("Deployment", "apps/v1", SHARED), "1.28", "1.29", eras.SHARED_DISK),
        (pod(topologySpreadConstraints=[SPREAD]), "1.33", "1.34", eras.SELECTED_TWICE),
        (("HorizontalPodAutoscaler", "autoscaling/v2", SCALER), "1.34", "1.33", "must specify API group"),
        (
            ("HorizontalPodAutoscaler", "autoscaling/v2", {**SCALER, "metrics": [CONTAINER_METRIC]}),
            "1.26",
            "1.27",
            eras.NO_CONTAINER_METRIC,
        ),
        (pod(securityContext={"seLinuxChangePolicy": "MountOption"}), "1.33", "1.37", 'supported values: "Recursive"'),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_real_servers_agree(asked: Any, refused_by: str, accepted_by: str, why: str) -> None:
    """The sides were measured on real servers of 1.25.16, 1.29.6, 1.33.13 and 1.37.1, or read in the source."""
    assert why in refusal(refused_by, *asked)
    assert refusal(accepted_by, *asked) == ""


def test_a_row_is_about_its_kind_of_problem_and_path() -> None:
    about = "spec.template.spec.containers[0].restartPolicy"
    problems = [
        forbidden(about, eras.NOT_INIT),
        forbidden(about, "other words"),
        forbidden("spec.initContainers[0].restartPolicy", eras.NOT_INIT),
        invalid(about, "Always", eras.NOT_INIT),
    ]
    assert {one.kind for one in problems} == {FORBIDDEN, INVALID}
    assert eras.of_release(problems, 33) == problems
    assert eras.of_release(problems, 34) == problems[1:]
