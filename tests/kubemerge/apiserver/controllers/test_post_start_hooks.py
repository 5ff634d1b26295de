"""The objects that a server creates at its start, and keeps. `http/wire` compares those of 1.37 with a real server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.apiserver.errors import NotFound
from kubemerge.apiserver.http.discovery.served import served_by
from kubemerge.apiserver.metadata import Origins
from kubemerge.cluster import Reference, open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.apiserver.cluster import EmbeddedCluster

Object = dict[str, Any]
REGISTRATION, FLOW, NETWORKING = "apiregistration.k8s.io", "flowcontrol.apiserver.k8s.io", "networking.k8s.io"
SINCE = 11


def minor(release: str) -> int:
    return int(release.partition(".")[2])


def names(cluster: EmbeddedCluster, api_version: str, kind: str) -> set[str]:
    return {one["metadata"]["name"] for one in cluster.list(api_version, kind)}


def in_all_namespaces(cluster: EmbeddedCluster) -> set[tuple[str, str]]:
    return {(one["kind"], one["metadata"]["name"]) for one in cluster.dump()}


@pytest.fixture
def cluster() -> Iterator[EmbeddedCluster]:
    with open_cluster(":memory:") as found:
        found.run_post_start_hooks()
        yield found


def definition(plural: str, *served: str) -> Object:
    kind = plural.capitalize()
    schema = {"openAPIV3Schema": {"type": "object"}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": kind, "plural": plural},
            "scope": "Namespaced",
            "versions": [
                {"name": name, "served": name in served, "storage": name == "v1", "schema": schema}
                for name in ("v1", "v2")
            ],
        },
    }


def test_a_cluster_that_is_not_served_has_none() -> None:
    with open_cluster(":memory:") as found:
        before = in_all_namespaces(found)
        found.create(definition("things", "v1"))
        assert in_all_namespaces(found) - before == {("CustomResourceDefinition", "things.example.com")}


@pytest.mark.parametrize("release", engine.releases())
def test_each_served_api_version_has_an_api_service(release: str) -> None:
    with open_cluster(":memory:", release=release) as found:
        found.run_post_start_hooks()
        served = served_by(found).versions
        wanted = {f"{version}.{group}" for group in served if group != REGISTRATION for version in served[group]}
        assert minor(release) < SINCE or names(found, f"{REGISTRATION}/v1", "APIService") == wanted


@pytest.mark.parametrize(
    ("release", "version", "levels", "schemas"),
    [
        ("1.20", "v1beta1", 7, 10),
        ("1.22", "v1beta1", 8, 12),
        ("1.25", "v1beta2", 8, 13),
        ("1.28", "v1beta3", 8, 13),
        ("1.33", "v1", 8, 13),
        ("1.34", "v1", 8, 11),
    ],
)
def test_objects_of_flow_control_of_a_release(release: str, version: str, levels: int, schemas: int) -> None:
    with open_cluster(":memory:", release=release) as found:
        found.run_post_start_hooks()
        assert len(names(found, f"{FLOW}/{version}", "PriorityLevelConfiguration")) == levels
        listed = list(found.list(f"{FLOW}/{version}", "FlowSchema"))
        assert len(listed) == schemas
        entries = listed[0]["metadata"]["managedFields"]
        operation = "Apply" if minor(release) >= 26 else "Update"
        assert (entries[0]["manager"][-11:], entries[0]["operation"]) == ("consumer-v1", operation)
        assert entries[0].get("subresource") == ("status" if minor(release) >= 22 else None)
        manager = "api-priority-and-fairness-config-producer-v1" if minor(release) >= 22 else "kube-apiserver"
        assert entries[1]["manager"] == manager


@pytest.mark.parametrize("release", ["1.7", "1.19"])
def test_older_releases_have_no_objects_of_flow_control(release: str) -> None:
    with open_cluster(":memory:", release=release) as found:
        found.run_post_start_hooks()
        assert {kind for kind, _ in in_all_namespaces(found)} - {"APIService"} <= {
            "Namespace",
            "PriorityClass",
            "Service",
            "ServiceAccount",
        }


@pytest.mark.parametrize(("release", "is_there"), [("1.26", False), ("1.27", True), ("1.37", True)])
def test_the_day_since_when_tokens_are_tracked(release: str, is_there: bool) -> None:
    with open_cluster(":memory:", release=release) as found:
        found.run_post_start_hooks()
        listed = [one for one in found.list("v1", "ConfigMap") if one["metadata"]["namespace"] == "kube-system"]
        assert [one["data"]["since"] for one in listed] == [
            one["metadata"]["creationTimestamp"][:10] for one in listed[: int(is_there)]
        ]
        assert len(listed) == is_there


@pytest.mark.parametrize(("release", "is_there"), [("1.32", False), ("1.33", True)])
def test_ip_addresses_of_a_release(release: str, is_there: bool) -> None:
    with open_cluster(":memory:", release=release) as found:
        found.run_post_start_hooks()
        found.create(service("a", "10.0.7.7"))
        kinds = {(kind, name) for kind, name in in_all_namespaces(found) if kind in ("IPAddress", "ServiceCIDR")}
        wanted = {("IPAddress", "10.0.0.1"), ("IPAddress", "10.0.7.7"), ("ServiceCIDR", "kubernetes")}
        assert kinds == (wanted if is_there else set())


def service(name: str, address: str) -> Object:
    spec = {"clusterIP": address, "ports": [{"port": 80}]}
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "namespace": "default"},
        "spec": spec,
    }


def test_a_second_start_creates_only_missing_objects(cluster: EmbeddedCluster) -> None:
    before, version = in_all_namespaces(cluster), cluster.version()
    cluster.run_post_start_hooks()
    assert cluster.version() == version
    probes = Reference(f"{FLOW}/v1", "FlowSchema", "probes")
    cluster.patch(Reference(f"{FLOW}/v1", "FlowSchema", "exempt"), {"spec": {"matchingPrecedence": 7}}, "merge")
    cluster.delete(probes)
    with pytest.raises(NotFound):
        cluster.get(probes)
    cluster.run_post_start_hooks()
    assert in_all_namespaces(cluster) == before
    assert cluster.get(Reference(f"{FLOW}/v1", "FlowSchema", "exempt"))["spec"]["matchingPrecedence"] == 7


def test_a_start_creates_the_addresses_of_existing_services() -> None:
    with open_cluster(":memory:") as found:
        one = service("a", "10.0.7.7")
        one["metadata"] |= {"uid": "x"}
        found.load([one])
        found.run_post_start_hooks()
        assert names(found, f"{NETWORKING}/v1", "IPAddress") == {"10.0.0.1", "10.0.7.7"}


@pytest.mark.parametrize(("kind", "name"), [("ServiceCIDR", "kubernetes"), ("IPAddress", "10.0.0.1")])
def test_deleted_objects_are_created_again(cluster: EmbeddedCluster, kind: str, name: str) -> None:
    reference = Reference(f"{NETWORKING}/v1", kind, name)
    before = cluster.get(reference)
    cluster.delete(reference)
    after = cluster.get(reference)
    assert after["metadata"]["uid"] != before["metadata"]["uid"]
    assert after["spec"] == before["spec"]


def test_the_addresses_of_a_namespace_are_released(cluster: EmbeddedCluster) -> None:
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}})
    one = service("a", "10.0.7.7")
    cluster.create({**one, "metadata": {"name": "a", "namespace": "shop"}})
    cluster.delete(Reference("v1", "Namespace", "shop"))
    assert names(cluster, f"{NETWORKING}/v1", "IPAddress") == {"10.0.0.1"}


def test_chosen_addresses_avoid_those_of_other_owners() -> None:
    """With equal uids, each Service would get the same address."""
    parent = {"group": "gateway.networking.k8s.io", "resource": "gateways", "name": "g", "namespace": "default"}
    with open_cluster(":memory:", origins=Origins(uid=lambda: "x")) as found:
        first = found.create(service("a", ""))["spec"]["clusterIP"]
        found.delete(Reference("v1", "Service", "a", "default"))
        content: Object = {"apiVersion": f"{NETWORKING}/v1", "kind": "IPAddress", "metadata": {"name": first}}
        found.create({**content, "spec": {"parentRef": parent}})
        assert found.create(service("b", ""))["spec"]["clusterIP"] != first
        found.delete(Reference("v1", "Service", "b", "default"))
        assert names(found, f"{NETWORKING}/v1", "IPAddress") == {first}


class TestVersionsOfDefinitions:
    def of_example(self, cluster: EmbeddedCluster) -> set[str]:
        return {one for one in names(cluster, f"{REGISTRATION}/v1", "APIService") if one.endswith(".example.com")}

    def test_served_ones_are_registered(self, cluster: EmbeddedCluster) -> None:
        cluster.create(definition("things", "v1"))
        assert self.of_example(cluster) == {"v1.example.com"}
        cluster.create(definition("others", "v1", "v2"))
        assert self.of_example(cluster) == {"v1.example.com", "v2.example.com"}

    def test_a_version_stays_while_any_definition_serves_it(self, cluster: EmbeddedCluster) -> None:
        cluster.create(definition("things", "v1"))
        cluster.create(definition("others", "v1", "v2"))
        cluster.delete(Reference("apiextensions.k8s.io/v1", "CustomResourceDefinition", "others.example.com"))
        assert self.of_example(cluster) == {"v1.example.com"}
        cluster.patch(
            Reference("apiextensions.k8s.io/v1", "CustomResourceDefinition", "things.example.com"),
            {"spec": definition("things", "v2")["spec"]},
            "merge",
        )
        assert self.of_example(cluster) == {"v2.example.com"}

    def test_a_deleted_one_is_registered_again(self, cluster: EmbeddedCluster) -> None:
        cluster.create(definition("things", "v1"))
        registered = Reference(f"{REGISTRATION}/v1", "APIService", "v1.example.com")
        before = cluster.get(registered)["metadata"]["uid"]
        cluster.delete(registered)
        assert cluster.get(registered)["metadata"]["uid"] != before

    def test_one_of_a_user_stays(self, cluster: EmbeddedCluster) -> None:
        registered = Reference(f"{REGISTRATION}/v1", "APIService", "v1.example.com")
        cluster.create(definition("things", "v1"))
        cluster.patch(registered, {"metadata": {"labels": None}}, "merge")
        cluster.delete(Reference("apiextensions.k8s.io/v1", "CustomResourceDefinition", "things.example.com"))
        assert self.of_example(cluster) == {"v1.example.com"}
        cluster.delete(registered)
        assert self.of_example(cluster) == set()

    def test_existing_definitions_are_registered_at_the_start(self) -> None:
        with open_cluster(":memory:") as found:
            found.create(definition("things", "v1"))
            found.run_post_start_hooks()
            assert self.of_example(found) == {"v1.example.com"}
