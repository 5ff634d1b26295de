"""Allocation for Services: unique addresses and ports."""

from __future__ import annotations

from ipaddress import IPv4Address
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.errors import UnknownReason
from kubemerge.apiserver.registry.service_addresses import IP_RANGE
from kubemerge.apiserver.registry.service_allocation import PORTS, as_read
from kubemerge.cluster import Invalid, Reference, open_cluster

from ..conftest import origins

if TYPE_CHECKING:
    from pathlib import Path

    from kubemerge.apiserver.cluster import EmbeddedCluster

TAKEN = "provided port is already allocated"


def service(name: str = "s", **spec: Any) -> dict[str, Any]:
    whole = {"ports": [{"port": 80}], **spec}
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name, "namespace": "default"}, "spec": whole}


def test_many_services_have_addresses_of_their_own(cluster: EmbeddedCluster) -> None:
    made = [cluster.create(service(f"s{number}", type="NodePort"))["spec"] for number in range(300)]
    addresses = {one["clusterIP"] for one in made}
    ports = {one["ports"][0]["nodePort"] for one in made}
    assert len(addresses) == len(ports) == 300
    assert all(port in PORTS for port in ports)
    assert all(IPv4Address(one) in IP_RANGE for one in addresses)
    assert all(one["clusterIPs"] == [one["clusterIP"]] for one in made)


def test_what_is_let_go_may_be_taken(cluster: EmbeddedCluster) -> None:
    cluster.create(service("a", clusterIP="10.0.5.5"))
    with pytest.raises(Invalid, match="provided IP is already allocated"):
        cluster.create(service("b", clusterIP="10.0.5.5"))
    cluster.delete(Reference.of(service("a")))
    assert cluster.create(service("b", clusterIP="10.0.5.5"))["spec"]["clusterIP"] == "10.0.5.5"


def test_a_port_is_let_go_with_the_type(cluster: EmbeddedCluster) -> None:
    ports = [{"port": 80, "nodePort": 30123}]
    cluster.create(service("a", type="NodePort", ports=ports))
    with pytest.raises(Invalid, match=TAKEN):
        cluster.create(service("b", type="NodePort", ports=ports))
    cluster.patch(Reference.of(service("a")), {"spec": {"type": "ClusterIP"}}, "merge")
    assert "nodePort" not in cluster.get(Reference.of(service("a")))["spec"]["ports"][0]
    assert cluster.create(service("b", type="NodePort", ports=ports))["spec"]["ports"][0]["nodePort"] == 30123


def test_node_ports_are_dropped_with_their_type_also_beside_a_new_port(cluster: EmbeddedCluster) -> None:
    cluster.create(service("a", type="NodePort", ports=[{"name": "x", "port": 80}]))
    more = {"spec": {"type": "ClusterIP", "ports": [{"name": "y", "port": 81}]}}
    changed = cluster.patch(Reference.of(service("a")), more, "strategic")
    assert [one.get("nodePort") for one in changed["spec"]["ports"]] == [None, None]


def test_what_a_failed_transaction_took_is_free(cluster: EmbeddedCluster) -> None:
    both = [{"name": "a", "port": 80, "nodePort": 30123}, {"name": "b", "port": 81, "nodePort": 1}]
    with pytest.raises(Invalid):
        cluster.create(service("a", type="NodePort", ports=both))
    cluster.create(service("b", type="NodePort", ports=both[:1]))


def test_a_port_that_stands_twice_in_an_update_is_refused_before_it_is_validated(cluster: EmbeddedCluster) -> None:
    """A real 1.37.1 returns this text with 500."""
    cluster.create(service(type="NodePort", ports=[{"port": 80, "nodePort": 30123}]))
    ports = [{"name": name, "port": port, "nodePort": 30123} for name, port in (("a", 80), ("b", 81))]
    with pytest.raises(UnknownReason, match=r"duplicate nodePort: \{TCP 30123\}"):
        cluster.patch(Reference.of(service()), {"spec": {"ports": ports}}, "merge")


def test_only_a_new_service_shares_a_node_port_between_protocols(cluster: EmbeddedCluster) -> None:
    """As in `initNodePorts` and `updateNodePorts` of Kubernetes."""
    both = [{"name": name, "port": 53, "protocol": name.upper()} for name in ("tcp", "udp")]
    new = cluster.create(service("new", type="NodePort", ports=both))["spec"]["ports"]
    assert new[0]["nodePort"] == new[1]["nodePort"]
    cluster.create(service("old", type="NodePort", ports=both[:1]))
    old = cluster.patch(Reference.of(service("old")), {"spec": {"ports": both}}, "merge")["spec"]["ports"]
    assert old[0]["nodePort"] != old[1]["nodePort"]


def test_a_file_of_an_earlier_version_stays_as_it_is(cluster: EmbeddedCluster) -> None:
    old = service(type="ClusterIP", sessionAffinity="None")
    cluster.load([old])
    after = cluster.patch(Reference.of(old), {"spec": {"selector": {"a": "b"}}}, "merge")
    assert "clusterIP" not in after["spec"]


def test_two_that_have_the_file_open_know_of_each_other(tmp_path: Path) -> None:
    file = str(tmp_path / "c.db")
    with open_cluster(file, origins=origins()) as one, open_cluster(file, origins=origins()) as other:
        one.create(service("a", clusterIP="10.0.5.5"))
        with pytest.raises(Invalid, match="already allocated"):
            other.create(service("b", clusterIP="10.0.5.5"))
        other.delete(Reference.of(service("a")))
        one.create(service("c", clusterIP="10.0.5.5"))


@pytest.mark.parametrize("release", ["1.7", "1.12", "1.19", "1.20", "1.37"])
def test_old_releases_have_fewer_fields(release: str) -> None:
    with open_cluster(":memory:", release=release, origins=origins()) as cluster:
        made = cluster.create(service())["spec"]
        assert made["clusterIP"].startswith("10.0.")
        assert ("clusterIPs" in made) == (int(release.partition(".")[2]) >= 20)
        assert cluster.get(Reference("v1", "Service", "kubernetes", "default"))["spec"]["clusterIP"] == "10.0.0.1"


DUAL = {"ipFamilies": ["IPv4", "IPv6"], "ipFamilyPolicy": "RequireDualStack"}
FOUR = {"ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack"}
SIX = {"ipFamilies": ["IPv6"], "ipFamilyPolicy": "SingleStack"}
STORED: list[tuple[dict[str, Any], dict[str, Any]]] = [
    # the spec stored by a release without families, and the fields added by a release with families on reading
    ({"clusterIP": "None"}, {"clusterIPs": ["None"], **DUAL}),
    ({"clusterIP": "None", "selector": {"a": "b"}}, {"clusterIPs": ["None"], **FOUR}),
    ({"clusterIP": "10.0.0.1"}, {"clusterIPs": ["10.0.0.1"], **FOUR}),
    ({"clusterIP": "fd00::1"}, {"clusterIPs": ["fd00::1"], **SIX}),
    ({"clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1", "fd00::1"]}, DUAL),
    ({"clusterIP": ""}, FOUR),
    ({"type": "ExternalName"}, {}),
    ({"clusterIP": "10.0.0.1", "ipFamilies": ["IPv4"]}, {}),
]


@pytest.mark.parametrize(("spec", "added"), STORED)
def test_a_service_of_an_earlier_release_is_read_with_its_families(spec: dict[str, Any], added: dict[str, Any]) -> None:
    assert as_read({"spec": spec}, 20)["spec"] == {**spec, **added}
    assert as_read({"spec": spec}, 19)["spec"] == spec


@pytest.mark.parametrize(("release", "allocated"), [("1.21", True), ("1.22", False)])
def test_node_ports_of_a_balancer_are_optional_since_1_22(release: str, allocated: bool) -> None:
    spec = {"type": "LoadBalancer", "allocateLoadBalancerNodePorts": False, "ports": [{"port": 80}]}
    metadata = {"name": "s", "namespace": "default"}
    with open_cluster(":memory:", release=release) as cluster:
        made = cluster.create({"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec})
    assert ("nodePort" in made["spec"]["ports"][0]) is allocated
    assert ("allocateLoadBalancerNodePorts" in made["spec"]) is not allocated
