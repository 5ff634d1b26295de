"""Checks that only older releases have, or that changed in one of them."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.cluster import BadRequest, Invalid, Reference, open_cluster

NODE = Reference("storage.k8s.io/v1", "CSINode", "n")


def node(labels: Any = None, **driver: Any) -> dict[str, Any]:
    drivers = [{"name": "d.example", "nodeID": "n", "allocatable": {"count": 5}, "topologyKeys": None, **driver}]
    metadata = {"name": "n", "labels": labels or {}}
    return {"apiVersion": "storage.k8s.io/v1", "kind": "CSINode", "metadata": metadata, "spec": {"drivers": drivers}}


def is_accepted(release: str, changed: dict[str, Any]) -> bool:
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create(node())
        try:
            version = made["metadata"]["resourceVersion"]
            cluster.replace({**changed, "metadata": {**changed["metadata"], "resourceVersion": version}})
        except Invalid:
            return False
        return True


@pytest.mark.parametrize(("release", "counts"), [("1.17", False), ("1.33", False), ("1.35", True), ("1.37", True)])
def test_a_driver_of_a_node_is_immutable_except_for_its_count(release: str, counts: bool) -> None:
    assert is_accepted(release, node(labels={"a": "b"}))
    assert is_accepted(release, node(topologyKeys=[]))
    assert is_accepted(release, node(allocatable={"count": 6})) is counts
    assert not is_accepted(release, node(nodeID="m"))
    assert not is_accepted(release, node(topologyKeys=["a"]))


def controller(kind: str, replicas: int, disk: dict[str, Any]) -> dict[str, Any]:
    labels = {"a": "b"}
    spec = {"containers": [{"name": "c", "image": "i"}], "volumes": [{"name": "v", "gcePersistentDisk": disk}]}
    selector = labels if kind == "ReplicationController" else {"matchLabels": labels}
    template = {"metadata": {"labels": labels}, "spec": spec}
    return {
        "apiVersion": "v1" if kind == "ReplicationController" else "apps/v1",
        "kind": kind,
        "metadata": {"name": "r", "namespace": "default"},
        "spec": {"replicas": replicas, "selector": selector, "template": template},
    }


@pytest.mark.parametrize("kind", ["ReplicationController", "ReplicaSet", "Deployment"])
@pytest.mark.parametrize(
    ("replicas", "disk", "refused"),
    [(1, {"pdName": "p"}, False), (2, {"pdName": "p"}, True), (2, {"pdName": "p", "readOnly": True}, False)],
)
def test_replicas_share_no_disk_for_writing(kind: str, replicas: int, disk: dict[str, Any], refused: bool) -> None:
    with open_cluster(":memory:", release="1.20") as cluster:
        if not refused:
            cluster.create(controller(kind, replicas, disk))
            return
        with pytest.raises(Invalid, match="must be true for replicated pods > 1"):
            cluster.create(controller(kind, replicas, disk))


OWNERS = {
    "1.33": (
        'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
    ),
    "1.36": (
        'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
        'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ),
    "1.37": (
        "metadata.ownerReferences[0].apiVersion: Required value: must not be empty",
        "metadata.ownerReferences[0].uid: Required value: must not be empty",
    ),
}


@pytest.mark.parametrize("release", OWNERS)
def test_owner_without_apiversion_and_uid(release: str) -> None:
    metadata = {"name": "a", "namespace": "default", "ownerReferences": [{"kind": "Pod", "name": "p"}]}
    with open_cluster(":memory:", release=release) as cluster, pytest.raises(Invalid) as caught:
        cluster.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})
    assert tuple(map(str, caught.value.problems)) == OWNERS[release]


def service(*ports: dict[str, Any]) -> dict[str, Any]:
    metadata = {"name": "s", "namespace": "default"}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [*ports]}}


def stateful_set() -> dict[str, Any]:
    content = controller("ReplicaSet", 1, {"pdName": "p"})
    strategy = {"type": "OnDelete", "rollingUpdate": {"partition": 1}}
    spec = {**content["spec"], "serviceName": "s", "updateStrategy": strategy}
    return {**content, "kind": "StatefulSet", "spec": spec}


def ranges(*cidrs: str) -> dict[str, Any]:
    content = {"apiVersion": "networking.k8s.io/v1", "kind": "ServiceCIDR", "metadata": {"name": "r"}}
    return {**content, "spec": {"cidrs": [*cidrs]}}


_PORT = 'core.ServicePort{Name:"", Protocol:"TCP", AppProtocol:(*string)(nil), Port:53, '
_PORT += 'TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}'
_PARTITION = "apps.RollingUpdateStatefulSetStrategy{Partition:1, MaxUnavailable:(*intstr.IntOrString)(nil)}"


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (service({"name": "a", "port": 53}, {"name": "b", "port": 53}), _PORT),
        (stateful_set(), _PARTITION),
        (ranges("10.8.0.0/24", "10.7.0.0/24", "2001:db8::/64"), "networking.ServiceCIDRSpec{CIDRs:[]string{"),
    ],
    ids=["ports", "partition", "ranges"],
)
def test_values_in_messages_are_go_syntax_until_1_33(content: dict[str, Any], shown: str) -> None:
    for release, is_shown in (("1.33", True), ("1.34", False)):
        with open_cluster(":memory:", release=release) as cluster, pytest.raises(Invalid) as caught:
            cluster.create(content)
        assert (shown in str(caught.value)) is is_shown


def test_modes_of_a_driver_are_go_syntax_until_1_33() -> None:
    driver = {"apiVersion": "storage.k8s.io/v1", "kind": "CSIDriver", "metadata": {"name": "d"}, "spec": {}}
    for release, shown in (("1.33", '[]storage.VolumeLifecycleMode{"Ephemeral"}'), ("1.34", '["Ephemeral"]')):
        with open_cluster(":memory:", release=release) as cluster:
            at = Reference.of(cluster.create(driver))
            with pytest.raises(Invalid) as caught:
                cluster.patch(at, {"spec": {"volumeLifecycleModes": ["Ephemeral"]}}, "merge")
            assert f"spec.volumeLifecycleModes: Invalid value: {shown}: field is immutable" in str(caught.value)


def test_repeated_elements_of_custom_resources_are_go_syntax_until_1_33() -> None:
    element = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    items = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id"], "items": element}
    schema = {"type": "object", "properties": {"items": items}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Cluster",
            "names": {"plural": "things", "kind": "Thing"},
            "versions": [version],
        },
    }
    thing = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "a"}, "items": [{"id": 1}] * 2}
    for release, shown in (("1.33", 'map[string]interface {}{"id":1}'), ("1.34", '{"id":1}')):
        with open_cluster(":memory:", release=release) as cluster:
            cluster.create(definition)
            with pytest.raises(Invalid) as caught:
                cluster.create(thing)
            assert f"items[1]: Duplicate value: {shown}" in str(caught.value)


UNION = {
    "1.33": 'spec.type: Unsupported value: "": supported values: "Exempt", "Limited"',
    "1.35": 'spec.type: Unsupported value: "": supported values: "Exempt", "Limited"',
    "1.36": "spec.type: Required value",
    "1.37": "spec.type: Required value",
}


@pytest.mark.parametrize("release", UNION)
def test_union_of_a_priority_level_is_declared_since_1_37(release: str) -> None:
    level = {"apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "PriorityLevelConfiguration"}
    limited = {"limitResponse": {"type": "Reject", "queuing": {}}}
    wrong = {"type": "Limited", "limited": limited, "exempt": {}}
    texts = []
    with open_cluster(":memory:", release=release) as cluster:
        for spec in ({}, wrong):
            with pytest.raises(Invalid) as caught:
                cluster.create({**level, "metadata": {"name": "a"}, "spec": spec})
            texts.append([*map(str, caught.value.problems)])
    assert texts[0] == [UNION[release]]
    exempt, queuing = "must be nil if the type is Limited", "must be nil if limited.limitResponse.type is not Limited"
    if release == "1.37":
        assert [one.rpartition(" ")[2] for one in texts[1]] == ["Forbidden", "Forbidden"]
    else:
        path = "spec.limited.limitResponse.queuing"
        assert texts[1] == [f"spec.exempt: Forbidden: {exempt}", f"{path}: Forbidden: {queuing}"]


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("1.33", 'rbac.RoleRef{APIGroup:"rbac.authorization.k8s.io", Kind:"Role", Name:"y"}: cannot change roleRef'),
        ("1.36", '{"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"y"}: cannot change roleRef'),
        ("1.37", '{"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"y"}: field is immutable'),
    ],
)
def test_role_of_a_binding_is_immutable(release: str, said: str) -> None:
    group = "rbac.authorization.k8s.io"
    binding = {"apiVersion": f"{group}/v1", "kind": "RoleBinding", "metadata": {"name": "b", "namespace": "default"}}
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create({**binding, "roleRef": {"apiGroup": group, "kind": "Role", "name": "x"}})
        with pytest.raises(Invalid) as caught:
            cluster.patch(Reference.of(made), {"roleRef": {"name": "y"}}, "merge")
    assert [*map(str, caught.value.problems)] == [f"roleRef: Invalid value: {said}"]


@pytest.mark.parametrize(
    ("release", "named"),
    [
        ("1.21", "`spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)\n"),
        ("1.26", "`spec.initContainers[*].image`, `spec.activeDeadlineSeconds`, `spec.tolerations`"),
        ("1.27", "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations`"),
    ],
)
def test_fields_of_a_pod_that_may_change(release: str, named: str) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "default"}}
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create({**pod, "spec": {"containers": [{"name": "c", "image": "i"}]}})
        with pytest.raises(Invalid) as caught:
            cluster.patch(Reference.of(made), {"spec": {"restartPolicy": "Never"}}, "merge")
    assert named in str(caught.value)


@pytest.mark.parametrize(("release", "first"), [("1.24", "livenessProbe.httpGet.port"), ("1.25", "env[0].name")])
def test_probes_are_checked_before_variables_until_1_24(release: str, first: str) -> None:
    container = {"name": "c", "image": "i", "env": [{"name": ""}], "livenessProbe": {"httpGet": {"port": 0}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "default"}}
    with open_cluster(":memory:", release=release) as cluster, pytest.raises(Invalid) as caught:
        cluster.create({**pod, "spec": {"containers": [container]}})
    assert next(one.path.partition("].")[2] for one in caught.value.problems) == first


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("1.23", "the namespace of the object (other) does not match the namespace on the request (default)"),
        ("1.24", "the namespace of the provided object does not match the namespace sent on the request"),
    ],
)
@pytest.mark.parametrize("patch_type", ["merge", "strategic", "apply"])
def test_patch_for_another_namespace(release: str, said: str, patch_type: str) -> None:
    metadata = {"name": "a", "namespace": "default"}
    content = {"apiVersion": "v1", "kind": "ConfigMap"}
    with open_cluster(":memory:", release=release) as cluster:
        at = Reference.of(cluster.create({**content, "metadata": metadata}))
        with pytest.raises(BadRequest) as caught:
            cluster.patch(at, {**content, "metadata": {**metadata, "namespace": "other"}}, patch_type)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(("release", "said"), [("1.33", "Required value: must be set"), ("1.34", "Required value")])
def test_condition_without_a_time(release: str, said: str) -> None:
    budget = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "spec": {"minAvailable": 1}}
    condition = {"type": "A", "status": "True", "reason": "B"}
    with open_cluster(":memory:", release=release) as cluster:
        at = Reference.of(cluster.create({**budget, "metadata": {"name": "a", "namespace": "default"}}))
        with pytest.raises(Invalid) as caught:
            cluster.patch(at, {"status": {"conditions": [condition]}}, "merge", subresource="status")
    assert [*map(str, caught.value.problems)] == [f"status.conditions[0].lastTransitionTime: {said}"]


@pytest.mark.parametrize(("release", "count"), [("1.34", 2), ("1.35", 1)])
def test_missing_name_of_a_driver_is_reported_twice_until_1_34(release: str, count: int) -> None:
    volume = {"name": "v", "csi": {"driver": ""}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "default"}}
    spec = {"containers": [{"name": "c", "image": "i"}], "volumes": [volume]}
    with open_cluster(":memory:", release=release) as cluster, pytest.raises(Invalid) as caught:
        cluster.create({**pod, "spec": spec})
    assert [one.path for one in caught.value.problems] == ["spec.volumes[0].csi.driver"] * count


@pytest.mark.parametrize(("release", "policy"), [("1.21", None), ("1.23", "Cluster"), ("1.24", None)])
def test_internal_traffic_of_an_external_name(release: str, policy: str | None) -> None:
    external = {**service(), "spec": {"type": "ExternalName", "externalName": "a.example"}}
    with open_cluster(":memory:", release=release) as cluster:
        assert cluster.create(external)["spec"].get("internalTrafficPolicy") == policy


def test_count_of_a_series_is_printed_by_events_k8s_io() -> None:
    metadata = {"name": "e", "namespace": "default"}
    series = {"lastObservedTime": "2024-01-01T00:00:00.000000Z"}
    event = {"apiVersion": "v1", "kind": "Event", "metadata": metadata, "series": series}
    with open_cluster(":memory:") as cluster:
        made = cluster.create({**event, "involvedObject": {"namespace": "default"}})
        assert made["series"] == series
        found = cluster.get(Reference("events.k8s.io/v1", "Event", "e", "default"))
        assert found["series"] == {"count": 0, **series}
