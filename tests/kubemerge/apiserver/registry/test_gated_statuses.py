"""Status fields behind feature gates: dropped while the gate is off, and kept if the object used them before."""

from __future__ import annotations

from typing import Any

import pytest

from generated.feature_gates import GATES
from kubemerge.apiserver.errors import Invalid
from kubemerge.apiserver.registry.gated_statuses import STATUS_FIELDS, drop_disabled_status
from kubemerge.cluster import Cluster, open_cluster

SIZE = {"storage": "2Gi"}


def claim(**status: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "a"}, "status": status}


def pod(container: Any, **spec: Any) -> dict[str, Any]:
    return {"kind": "Pod", "spec": spec, "status": {"containerStatuses": [container]}}


def test_every_row_names_a_gate() -> None:
    assert {row.gate for row in STATUS_FIELDS} <= {row[0] for row in GATES}


@pytest.mark.parametrize(("minor", "is_kept"), [(31, False), (32, True), (37, True)])
def test_a_field_is_dropped_while_its_gate_is_off(minor: int, is_kept: bool) -> None:
    new = claim(phase="Bound", allocatedResources=SIZE)
    assert drop_disabled_status(new, claim(), minor) == (new if is_kept else claim(phase="Bound"))
    assert drop_disabled_status(new, claim(allocatedResources=SIZE), minor) == new


def test_a_field_inside_of_a_list_is_dropped() -> None:
    new = pod({"name": "c", "allocatedResourcesStatus": [{"name": "a.example/b"}]})
    assert drop_disabled_status(new, pod({}), 33) == pod({"name": "c"})
    assert drop_disabled_status(new, new, 33) == new
    assert drop_disabled_status(pod(None), pod({}), 33) == pod(None)


def test_the_status_of_a_pod_keeps_all_fields_until_1_32() -> None:
    new = pod({"name": "c", "allocatedResourcesStatus": [{"name": "a.example/b"}]})
    assert drop_disabled_status(new, pod({}), 32) == new


def service(cluster: Cluster, type_: str) -> Any:
    spec = {"type": type_, "ports": [{"port": 80}]}
    made = cluster.create({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "spec": spec})
    balanced = {"ingress": [{"ip": "1.2.3.4", "ipMode": "Proxy"}]}
    content = {**made, "status": {"loadBalancer": balanced}}
    return cluster.replace(content, subresource="status")["status"]["loadBalancer"]["ingress"]


@pytest.mark.parametrize(
    ("release", "stored"),
    [("1.29", {"ip": "1.2.3.4"}), ("1.30", {"ip": "1.2.3.4", "ipMode": "Proxy"})],
)
def test_the_mode_of_an_address_is_behind_a_gate(release: str, stored: Any) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        assert service(cluster, "LoadBalancer") == [stored]


def test_a_service_without_a_load_balancer_has_no_addresses_since_1_29() -> None:
    with open_cluster(":memory:", release="1.28") as cluster:
        assert service(cluster, "ClusterIP") == [{"ip": "1.2.3.4"}]
    with open_cluster(":memory:", release="1.29") as cluster, pytest.raises(Invalid, match="may only be used when"):
        service(cluster, "ClusterIP")
