"""Checks that only some releases have. Real servers agree: see tests/conformance/releases."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kubemerge.cluster import Conflict, Invalid, Reference, open_cluster

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


@pytest.mark.parametrize(
    ("release", "paths"),
    [("1.20", ["spec"]), ("1.21", ["spec.podInfoOnMount"]), ("1.29", ["spec.podInfoOnMount"]), ("1.30", [])],
)
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


def message_of_update(release: str, before: dict[str, Any], changed: dict[str, Any]) -> str:
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create(before)
        with pytest.raises(Invalid) as caught:
            cluster.replace({**made, **changed})
    return str(caught.value)


def test_the_spec_of_a_driver_in_a_message() -> None:
    driver = named("storage.k8s.io/v1", "CSIDriver", spec={"fsGroupPolicy": "File"})
    assert message_of_update("1.20", driver, {"spec": {"volumeLifecycleModes": ["Ephemeral"]}}).endswith(
        "spec: Invalid value: storage.CSIDriverSpec{AttachRequired:(*bool)(0xc000000000), "
        "FSGroupPolicy:(*storage.FSGroupPolicy)(0xc000000000), PodInfoOnMount:(*bool)(0xc000000000), "
        'VolumeLifecycleModes:[]storage.VolumeLifecycleMode{"Ephemeral"}, StorageCapacity:(*bool)(nil), '
        "TokenRequests:[]storage.TokenRequest(nil), RequiresRepublish:(*bool)(nil)}: field is immutable"
    )


@pytest.mark.parametrize(
    ("release", "shown"),
    [
        ("1.33", 'v1.LabelSelector{MatchLabels:map[string]string{"c":"d"}, '
                 "MatchExpressions:[]v1.LabelSelectorRequirement(nil)}"),
        ("1.34", '{"matchLabels":{"c":"d"}}'),
    ],
)  # fmt: skip
def test_the_topology_of_a_capacity_in_a_message(release: str, shown: str) -> None:
    topologies: tuple[dict[str, Any], ...] = tuple(
        {"nodeTopology": {"matchLabels": one}} for one in ({"a": "b"}, {"c": "d"})
    )
    capacity = named("storage.k8s.io/v1", "CSIStorageCapacity", storageClassName="c", **topologies[0])
    capacity["metadata"]["namespace"] = "default"
    said = message_of_update(release, capacity, topologies[1])
    assert said.endswith(f"nodeTopology: Invalid value: {shown}: field is immutable")


@pytest.mark.parametrize(
    ("release", "paths"),
    [("1.36", ["roleRef.name", "subjects[0].namespace"]), ("1.37", ["subjects[0].namespace", "roleRef.name"])],
)
def test_the_order_of_problems_that_are_also_declared(release: str, paths: list[str]) -> None:
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": ""}
    subjects = [{"kind": "ServiceAccount", "name": "s"}]
    binding = named("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", roleRef=role, subjects=subjects)
    with open_cluster(":memory:", release=release) as cluster, pytest.raises(Invalid) as caught:
        cluster.create(binding)
    assert [one.path for one in caught.value.problems] == paths


def claim(*, devices: int) -> dict[str, Any]:
    exactly = {"deviceClassName": "c", "allocationMode": "ExactCount", "count": devices}
    spec = {"devices": {"requests": [{"name": "r", "exactly": exactly}]}}
    return {
        **named("resource.k8s.io/v1", "ResourceClaim", spec=spec),
        "metadata": {"name": "n", "namespace": "default"},
    }


@pytest.mark.parametrize(
    ("release", "shown"),
    [
        ("1.35", '{"Devices":{"Requests":[{"Name":"r","Exactly":{"DeviceClassName":"c","Selectors":null,'
                 '"AllocationMode":"ExactCount","Count":2,"AdminAccess":null,"Tolerations":null,"Capacity":null},'
                 '"FirstAvailable":null}],"Constraints":null,"Config":null}}'),
        ("1.37", "null"),
    ],
)  # fmt: skip
def test_the_spec_of_a_claim_in_a_message(release: str, shown: str) -> None:
    said = message_of_update(release, claim(devices=1), {"spec": claim(devices=2)["spec"]})
    assert said.endswith(f"spec: Invalid value: {shown}: field is immutable")


@pytest.mark.parametrize(
    ("release", "missing", "both"),
    [
        (
            "1.34",
            "Required value: exactly one value",
            '{"IntValue":1,"BoolValue":null,"StringValue":"x","VersionValue":null}',
        ),
        (
            "1.35",
            'Invalid value: "": exactly one value',
            '{"IntValue":1,"BoolValue":null,"StringValue":"x","VersionValue":null}',
        ),
        ("1.37", 'Invalid value: "": must specify one of: `int`', "must specify exactly one of: `int`"),
    ],
)
def test_the_value_of_an_attribute_of_a_device(release: str, missing: str, both: str) -> None:
    attributes: dict[str, Any] = {"none": {}, "two": {"int": 1, "string": "x"}}
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": "d.example.com", "nodeName": "n", "pool": pool}
    said = refusal(
        release, "ResourceSlice", "resource.k8s.io/v1", {**spec, "devices": [{"name": "d", "attributes": attributes}]}
    )
    assert f"spec.devices[0].attributes[none]: {missing}" in said
    assert both in said.partition("attributes[two]: Invalid value: ")[2]


@pytest.mark.parametrize(
    ("release", "kinds"),
    [
        ("1.24", ("Deployment.apps", "Ingress.extensions")),
        ("1.26", ("Deployment.extensions", "Ingress.networking.k8s.io")),
        ("1.27", ("Deployment.apps", "Ingress.networking.k8s.io")),
    ],
)
def test_the_group_in_a_message(release: str, kinds: tuple[str, str]) -> None:
    found = [
        refusal(
            release,
            "Deployment",
            "apps/v1",
            {"replicas": -1, "selector": {"matchLabels": LABELS}, "template": TEMPLATE},
        ),
        refusal(release, "Ingress", "networking.k8s.io/v1", {}),
    ]
    assert tuple(said.partition(" ")[0] for said in found) == kinds


@pytest.mark.parametrize(("release", "kind"), [("1.25", "ReplicaSet.apps"), ("1.26", "ReplicaSet.extensions")])
def test_the_group_in_a_message_about_a_delete(release: str, kind: str) -> None:
    made = named("apps/v1", "ReplicaSet", spec={"selector": {"matchLabels": LABELS}, "template": TEMPLATE})
    with open_cluster(":memory:", release=release) as cluster:
        cluster.create(made)
        with pytest.raises(Conflict, match=f"^Operation cannot be fulfilled on {kind} "):
            cluster.delete(Reference.of(made), resource_version="0")


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("1.34", ["Required value", 'Invalid value: ""', 'Invalid value: "-"', "Required value"]),
        ("1.35", ["Required value", 'Invalid value: "-"', "Required value"]),
        ("1.37", ["Required value", "Required value", 'Invalid value: "-"']),
    ],
)
def test_the_driver_of_parameters(release: str, said: list[str]) -> None:
    config = [{"opaque": {"driver": "", "parameters": {}}}, {"opaque": {"driver": "-"}}]
    found = refusal(release, "DeviceClass", "resource.k8s.io/v1", {"config": config})
    assert re.findall(r"(?:driver|parameters): (Required value|Invalid value: \"-?\")", found) == said


@pytest.mark.parametrize(
    ("release", "said"),
    [("1.36", 'Unsupported value: ""'), ("1.37", "Required value"), ("1.28", 'Unsupported value: ""')],
)
def test_a_condition_without_status(release: str, said: str) -> None:
    condition = {"type": "A", "reason": "R", "lastTransitionTime": "2024-01-01T00:00:00Z"}
    budget = named("policy/v1", "PodDisruptionBudget", spec={"minAvailable": 1, "selector": {"matchLabels": LABELS}})
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create(budget)
        with pytest.raises(Invalid, match=re.escape(f"status.conditions[0].status: {said}")):
            cluster.replace({**made, "status": {"conditions": [condition]}}, subresource="status")
