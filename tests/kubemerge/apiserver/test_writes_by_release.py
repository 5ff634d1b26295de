"""Writes whose results differ between releases, as real servers of both releases have them."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any
from unittest.mock import ANY

import pytest

from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.messages import Request
from kubemerge.apiserver.metadata import Origins
from kubemerge.cluster import BadRequest, ClusterError, Invalid, Reference, open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.apiserver.cluster import EmbeddedCluster

Object = dict[str, Any]


def an_object(api_version: str, kind: str, spec: Object | None = None, **more: Any) -> Object:
    namespace = {} if kind in ("Namespace", "IngressClass", "Node", "ResourceSlice") else {"namespace": "default"}
    content = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "a", **namespace}}
    return {**content, **({} if spec is None else {"spec": spec}), **more}


def service(**spec: Any) -> Object:
    return an_object("v1", "Service", {"ports": [{"port": 80}], **spec})


@pytest.fixture
def cluster(request: pytest.FixtureRequest) -> Iterator[EmbeddedCluster]:
    with open_cluster(":memory:", release=request.param) as found:
        yield found


def releases(old: str, new: str) -> pytest.MarkDecorator:
    """The cluster of the last release with a result, which is expected, and of the first one with another."""
    return pytest.mark.parametrize(("cluster", "is_old"), [(old, True), (new, False)], indirect=["cluster"])


@releases("1.22", "1.23")
def test_put_of_a_service_without_version(cluster: EmbeddedCluster, is_old: bool) -> None:
    made = cluster.create(service())
    uid = made["metadata"]["uid"]
    content = {**made, "metadata": {"name": "a", "namespace": "default", "uid": "b" if is_old else uid}}
    if not is_old:
        assert cluster.replace(content)["metadata"]["uid"] == uid
        return
    with pytest.raises(Invalid, match=r"must be specified for an update, metadata\.uid") as caught:
        cluster.replace(content)
    assert len(caught.value.problems) == 4


@releases("1.22", "1.23")
def test_dry_run_of_a_service(cluster: EmbeddedCluster, is_old: bool) -> None:
    made = cluster.create(service(), dry_run=True)
    assert ("clusterIP" not in made["spec"], "clusterIPs" not in made["spec"]) == (is_old, is_old)


@releases("1.22", "1.23")
def test_load_balancer_of_another_service_type(cluster: EmbeddedCluster, is_old: bool) -> None:
    at = Reference.of(cluster.create(service(type="LoadBalancer")))
    status = {"loadBalancer": {"ingress": [{"ip": "1.2.3.4"}]}}
    cluster.patch(at, {"status": status}, "merge", subresource="status")
    assert (cluster.patch(at, {"spec": {"type": "NodePort"}}, "merge")["status"] == status) is is_old


@releases("1.29", "1.30")
def test_node_ports_of_a_load_balancer_that_opts_out(cluster: EmbeddedCluster, is_old: bool) -> None:
    made = cluster.create(service(type="LoadBalancer"))
    port = made["spec"]["ports"][0]["nodePort"]
    sent = service(type="LoadBalancer", allocateLoadBalancerNodePorts=False)
    (found,) = cluster.replace(sent)["spec"]["ports"]
    assert found.get("nodePort") == (port if is_old else None)


@releases("1.22", "1.23")
def test_response_to_the_deletion_of_a_service(cluster: EmbeddedCluster, is_old: bool) -> None:
    cluster.create(service())
    found: Any = Application(cluster).answer(Request("DELETE", "/api/v1/namespaces/default/services/a", {}))
    assert json.loads(found.body)["kind"] == ("Status" if is_old else "Service")


@releases("1.22", "1.23")
def test_response_to_the_deletion_of_a_service_that_stays(cluster: EmbeddedCluster, is_old: bool) -> None:
    made = cluster.create(service())
    cluster.patch(Reference.of(made), {"metadata": {"finalizers": ["example.com/a"]}}, "merge")
    body = json.dumps({"orphanDependents": False}).encode()
    request = Request("DELETE", "/api/v1/namespaces/default/services/a", {}, body=body)
    found: Any = Application(cluster).answer(request)
    assert (found.status, json.loads(found.body)["kind"]) == ((200, "Status") if is_old else (202, "Service"))
    assert cluster.get(Reference.of(made))["metadata"]["deletionTimestamp"]


@releases("1.36", "1.37")
def test_generated_selector_of_an_updated_job(cluster: EmbeddedCluster, is_old: bool) -> None:
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}
    at = Reference.of(cluster.create(an_object("batch/v1", "Job", {"template": template, "suspend": True})))
    labels = {"job-name": "b", "batch.kubernetes.io/job-name": None}
    patch = {"spec": {"template": {"metadata": {"labels": labels}}}}
    if not is_old:
        assert cluster.patch(at, patch, "merge")["spec"]["template"]["metadata"]["labels"]["job-name"] == "b"
        return
    with pytest.raises(Invalid) as caught:
        cluster.patch(at, patch, "merge")
    details = ["must be 'a'", "must be 'a'"]
    assert [one.detail for one in caught.value.problems] == details
    assert [one.path for one in caught.value.problems] == [
        "spec.template.metadata.labels[job-name]",
        "spec.template.metadata.labels[batch.kubernetes.io/job-name]",
    ]


@pytest.mark.parametrize("cluster", ["1.36"], indirect=True)
def test_selector_of_an_imported_job_without_the_generated_labels(cluster: EmbeddedCluster) -> None:
    template = {
        "metadata": {"labels": {"a": "b"}},
        "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]},
    }
    spec = {"template": template, "selector": {"matchLabels": {"a": "b"}}}
    made = an_object("batch/v1", "Job", {**spec, "manualSelector": True})
    at = Reference.of(cluster.create(made))
    stored = cluster.get(at)
    del stored["spec"]["manualSelector"]
    cluster.load([stored])
    assert cluster.patch(at, {"spec": {"parallelism": 2}}, "merge")["spec"]["parallelism"] == 2


@releases("1.22", "1.23")
def test_warning_about_the_pods_of_a_job(cluster: EmbeddedCluster, is_old: bool) -> None:
    template = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}
    cluster.create(an_object("batch/v1", "Job", {"template": template}))
    found = Application(cluster).answer(Request("DELETE", "/apis/batch/v1/namespaces/default/jobs/a", {}))
    assert ("Warning" not in dict(found.headers)) is is_old


@releases("1.23", "1.24")
def test_namespace_in_another_namespace(cluster: EmbeddedCluster, is_old: bool) -> None:
    at = Reference.of(cluster.create(an_object("v1", "Namespace")))
    patch = {"metadata": {"namespace": "other", "labels": {"x": "y"}}}
    if is_old:
        with pytest.raises(BadRequest, match=r"of the object \(other\) does not match the namespace .* \(a\)"):
            cluster.patch(at, patch, "merge")
    else:
        assert cluster.patch(at, patch, "merge")["metadata"]["labels"]["x"] == "y"


@releases("1.23", "1.24")
def test_scale_in_another_namespace(cluster: EmbeddedCluster, is_old: bool) -> None:
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    spec = {"selector": {"matchLabels": {"a": "b"}}, "template": template}
    at = Reference.of(cluster.create(an_object("apps/v1", "ReplicaSet", spec)))
    with pytest.raises(BadRequest) as caught:
        cluster.patch(at, {"metadata": {"namespace": "other"}}, "merge", subresource="scale")
    assert ("(other)" in str(caught.value)) is is_old


@releases("1.21", "1.22")
def test_scope_of_ingress_class_parameters(cluster: EmbeddedCluster, is_old: bool) -> None:
    parameters = {"kind": "K", "name": "n", "scope": "Cluster"}
    spec = {"controller": "example.com/c", "parameters": parameters}
    made = cluster.create(an_object("networking.k8s.io/v1", "IngressClass", spec))
    assert made["spec"]["parameters"]["scope"] == (None if is_old else "Cluster")


@releases("1.26", "1.27")
def test_generation_counts_a_dropped_field(cluster: EmbeddedCluster, is_old: bool) -> None:
    at = Reference.of(cluster.create(an_object("policy/v1", "PodDisruptionBudget", {"minAvailable": 1})))
    field = "unhealthyPodEvictionPolicy"
    found = cluster.patch(at, {"spec": {field: "AlwaysAllow"}}, "merge")
    assert (found["metadata"]["generation"], field in found["spec"]) == (2, not is_old)
    assert cluster.patch(at, {"metadata": {"labels": {"x": "y"}}}, "merge")["metadata"]["generation"] == 2


def resource_slice(**more: Any) -> Object:
    pool = {"name": "p", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": "d.example.com", "nodeName": "n", "pool": pool, **more}
    return an_object("resource.k8s.io/v1", "ResourceSlice", spec)


@releases("1.34", "1.36")
def test_generation_counts_dropped_taints_of_devices(cluster: EmbeddedCluster, is_old: bool) -> None:
    tainted = {"name": "d", "taints": [{"key": "k", "effect": "NoSchedule"}]}
    at = Reference.of(cluster.create(resource_slice(devices=[{"name": "d"}])))
    for times in (1, 2):
        found = cluster.patch(at, {"spec": {"devices": [tainted]}}, "merge")
        assert found["spec"]["devices"] == ([{"name": "d"}] if is_old else [{**tainted, "taints": ANY}])
        assert found["metadata"]["generation"] == (1 + times if is_old else 2)


@releases("1.34", "1.35")
def test_absent_devices(cluster: EmbeddedCluster, is_old: bool) -> None:
    made = cluster.create(resource_slice())
    assert made["spec"].get("devices", "absent") == (None if is_old else "absent")
    assert "f:devices" not in made["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]
    assert cluster.patch(Reference.of(made), {"spec": {"devices": []}}, "merge")["metadata"]["generation"] == 1


@releases("1.22", "1.23")
def test_gated_field_of_an_existing_stateful_set(cluster: EmbeddedCluster, is_old: bool) -> None:
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    spec = {"serviceName": "s", "selector": {"matchLabels": {"a": "b"}}, "template": template}
    made = cluster.create(an_object("apps/v1", "StatefulSet", {**spec, "minReadySeconds": 1}))
    assert ("minReadySeconds" not in made["spec"]) is is_old
    patch = {"spec": {"minReadySeconds": 2}}
    if is_old:
        with pytest.raises(Invalid, match="'updateStrategy' and 'minReadySeconds' are forbidden"):
            cluster.patch(Reference.of(made), patch, "merge")
    else:
        assert cluster.patch(Reference.of(made), patch, "merge")["spec"]["minReadySeconds"] == 2


@releases("1.20", "1.21")
def test_put_without_status(cluster: EmbeddedCluster, is_old: bool) -> None:
    at = Reference.of(cluster.create(an_object("v1", "Node", {"unschedulable": True}), manager="me"))
    status = {"status": {"allocatable": {"cpu": "1"}}}
    cluster.patch(at, status, "merge", subresource="status", manager="kubelet")
    found = cluster.patch(at, [{"op": "remove", "path": "/status/allocatable"}], "json", manager="me")
    assert found["status"]["allocatable"] == {"cpu": "1"}
    assert ("f:allocatable" not in str(found["metadata"]["managedFields"])) is is_old


def definition(port: Object) -> Object:
    spec = {"type": "object", "properties": {"port": port, "tags": TAGS}}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Thing", "plural": "things"},
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }


TAGS = {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}
INT_OR_STRING = {"x-kubernetes-int-or-string": True}


@pytest.mark.parametrize("port", [INT_OR_STRING, {"type": "integer"}])
@releases("1.20", "1.21")
def test_owners_in_a_custom_resource(cluster: EmbeddedCluster, is_old: bool, port: Object) -> None:
    cluster.create(definition(port))
    content = an_object("example.com/v1", "Thing", {"port": 1, "tags": ["x"]})
    (entry,) = cluster.patch(Reference.of(content), content, "apply", manager="me")["metadata"]["managedFields"]
    is_whole = is_old and port is INT_OR_STRING
    assert entry["fieldsV1"]["f:spec"]["f:tags"] == ({} if is_whole else {'v:"x"': {}})


@pytest.mark.parametrize(
    ("release", "said"),
    [
        (
            "1.22",
            "failed to convert new object (apps/v1, Kind=ReplicaSet) to smd typed: .spec.template",
        ),
        (
            "1.28",
            "failed to convert new object (default/a; apps/v1, Kind=ReplicaSet) to smd typed: .spec.template.spec.",
        ),
    ],
)
def test_apply_to_repeated_elements(release: str, said: str) -> None:
    alias = {"ip": "10.1.2.3", "hostnames": ["a.example"]}
    template = {
        "metadata": {"labels": {"a": "b"}},
        "spec": {"containers": [{"name": "c", "image": "i"}], "hostAliases": [alias, alias]},
    }
    content = an_object("apps/v1", "ReplicaSet", {"selector": {"matchLabels": {"a": "b"}}, "template": template})
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create(content)
        assert "managedFields" not in made["metadata"]
        config = an_object("apps/v1", "ReplicaSet", {"replicas": 2})
        with pytest.raises(ClusterError) as caught:
            cluster.patch(Reference.of(made), config, "apply", manager="me")
    assert said in str(caught.value)


@pytest.mark.parametrize(("release", "shown"), [("1.33", '"null"'), ("1.34", "null")])
def test_null_in_a_message(release: str, shown: str) -> None:
    content: Object = {"nodeTopology": {"matchLabels": {"a": "b"}}, "storageClassName": "c"}
    made = an_object("storage.k8s.io/v1", "CSIStorageCapacity", **content)
    with open_cluster(":memory:", release=release) as cluster:
        at = Reference.of(cluster.create(made))
        with pytest.raises(Invalid, match=f"nodeTopology: Invalid value: {shown}: field is immutable"):
            cluster.patch(at, {"nodeTopology": None}, "merge")


@pytest.mark.parametrize(
    ("release", "shown"),
    [("1.23", "{Partition:1}"), ("1.24", "{Partition:1, MaxUnavailable:(*intstr.IntOrString)(nil)}")],
)
def test_rolling_update_in_a_message(release: str, shown: str) -> None:
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    spec = {"serviceName": "s", "selector": {"matchLabels": {"a": "c"}}, "template": template}
    strategy = {"type": "OnDelete", "rollingUpdate": {"partition": 1}}
    with open_cluster(":memory:", release=release) as cluster, pytest.raises(Invalid) as caught:
        cluster.create(an_object("apps/v1", "StatefulSet", {**spec, "updateStrategy": strategy}))
    assert shown in str(caught.value)
    assert 'labels: Invalid value: map[string]string{"a":"b"}: ' in str(caught.value)


@pytest.mark.parametrize("finalizers", [["kubernetes"], ["kubernetes", "example.com/n"]])
def test_times_of_a_namespace_whose_finalizers_stay(finalizers: list[str]) -> None:
    """A server sets the time before it restores the finalizers."""
    now = datetime(2026, 1, 2, tzinfo=timezone.utc)
    with open_cluster(":memory:", release="1.30", origins=Origins(clock=lambda: now)) as cluster:
        spec = {"finalizers": ["kubernetes", "example.com/n"]}
        made = cluster.create(an_object("v1", "Namespace", spec), manager="me")
        now += timedelta(seconds=5)
        found = cluster.patch(Reference.of(made), {"spec": {"finalizers": finalizers}}, "merge", manager="me")
    assert found["spec"] == made["spec"]
    is_moved = found["metadata"]["resourceVersion"] != made["metadata"]["resourceVersion"]
    assert is_moved is (finalizers != spec["finalizers"])


@pytest.mark.parametrize(
    ("release", "spec", "said"),
    [
        ("1.26", {"policyName": "p", "paramRef": {"name": "x"}}, ""),
        (
            "1.27",
            {"policyName": "p", "paramRef": {"name": "x"}},
            "spec.validationActions: Required value: at least one",
        ),
        ("1.27", {"policyName": "p", "paramRef": {"name": "x"}, "validationActions": ["Deny"]}, ""),
        (
            "1.28",
            {"policyName": "p", "paramRef": {"name": "x"}, "validationActions": ["Deny"]},
            "parameterNotFoundAction",
        ),
    ],
)
def test_policy_binding(release: str, spec: Object, said: str) -> None:
    content = an_object("admissionregistration.k8s.io/v1alpha1", "ValidatingAdmissionPolicyBinding", spec)
    del content["metadata"]["namespace"]
    with open_cluster(":memory:", release=release) as cluster:
        if not said:
            assert cluster.create(content)["spec"]["policyName"] == "p"
            return
        with pytest.raises(Invalid, match=said):
            cluster.create(content)


ZERO = "00000000-0000-0000-0000-000000000000"


@pytest.mark.parametrize(
    ("release", "kind", "times"),
    [("1.21", "ConfigMap", 2), ("1.21", "LimitRange", 1), ("1.37", "ConfigMap", 1)],
)
def test_causes_of_another_uid_in_a_patch(release: str, kind: str, times: int) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        at = Reference.of(cluster.create(an_object("v1", kind)))
        with pytest.raises(Invalid) as caught:
            cluster.patch(at, {"metadata": {"uid": ZERO, "labels": {"a": "b c"}}}, "merge")
    causes = [str(one) for one in caught.value.problems]
    assert causes[:times] == [f'metadata.uid: Invalid value: "{ZERO}": field is immutable'] * times
    assert {one.path for one in caught.value.problems[times:]} == {"metadata.labels"}


@pytest.mark.parametrize(("dry_run", "key"), [(False, "/registry/minions/a"), (True, "/minions/a")])
def test_key_of_another_uid(dry_run: bool, key: str) -> None:
    with open_cluster(":memory:", release="1.21") as cluster:
        made = cluster.create(an_object("v1", "Node"))
        with pytest.raises(ClusterError, match=f"Code: 4, Key: {key}, "):
            cluster.replace({**made, "metadata": {**made["metadata"], "uid": ZERO}}, dry_run=dry_run)


@releases("1.35", "1.36")
def test_status_of_a_service_cidr_is_written_with_the_object(cluster: EmbeddedCluster, is_old: bool) -> None:
    time = "2024-01-01T00:00:00Z"

    def with_condition(content: Object, type_: str) -> Object:
        condition = {"type": type_, "status": "True", "reason": "R", "message": "", "lastTransitionTime": time}
        return {**content, "status": {"conditions": [condition]}}

    def types(content: Object) -> list[str]:
        return [one["type"] for one in content["status"].get("conditions", ())]

    def owners(content: Object) -> dict[str, list[str]]:
        return {one["manager"]: sorted(one["fieldsV1"]) for one in content["metadata"]["managedFields"]}

    asked = {"apiVersion": "networking.k8s.io/v1", "kind": "ServiceCIDR", "metadata": {"name": "a"}}
    asked["spec"] = {"cidrs": ["10.200.0.0/16"]}
    made = cluster.create(with_condition(asked, "A"), manager="first")
    changed = cluster.replace(with_condition(made, "B"), manager="second")
    assert (types(made), types(changed)) == ((["A"], ["B"]) if is_old else ([], []))
    both = {"first": ["f:spec", "f:status"], "second": ["f:status"]}
    assert owners(changed) == (both if is_old else {"first": ["f:spec"]})


@pytest.mark.parametrize("kind", ["DeviceClass", "ReplicationController"])
@releases("1.34", "1.35")
def test_prefix_of_an_object_with_a_name(cluster: EmbeddedCluster, is_old: bool, kind: str) -> None:
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
    specs = {"DeviceClass": {}, "ReplicationController": {"selector": {"a": "b"}, "template": template}}
    version = "resource.k8s.io/v1" if kind == "DeviceClass" else "v1"
    metadata = {"name": "a", "generateName": "Upper", **({} if kind == "DeviceClass" else {"namespace": "default"})}
    content = {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": specs[kind]}
    if is_old:
        with pytest.raises(Invalid, match=r"metadata\.generateName"):
            cluster.create(content)
    else:
        assert cluster.create(content)["metadata"]["generateName"] == "Upper"


@pytest.mark.parametrize("cluster", ["1.34", "1.35", "1.36"], indirect=True)
def test_metadata_of_a_claim_is_kept_by_a_write_to_its_status(cluster: EmbeddedCluster) -> None:
    requests = [{"name": "a", "exactly": {"deviceClassName": "a"}}]
    made = cluster.create(an_object("resource.k8s.io/v1", "ResourceClaim", {"devices": {"requests": requests}}))
    metadata = {**made["metadata"], "finalizers": ["Wrong"], "labels": {"a": "b"}, "generateName": "other-"}
    changed = cluster.replace({**made, "metadata": metadata}, subresource="status")
    assert {"finalizers", "labels"} & changed["metadata"].keys() == set()
    assert changed["metadata"]["generateName"] == "other-"
