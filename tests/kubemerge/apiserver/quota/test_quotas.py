"""ResourceQuotas limit the objects of a namespace. Responses of a server are in tests/conformance/quotas."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.pipeline import Server
from kubemerge.cluster import AlreadyExists, ClusterError, Forbidden, Reference, open_cluster

from ..conftest import config_map, config_map_ref, crontab, crontabs, namespace

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

QUOTA = Reference("v1", "ResourceQuota", "few")
POD = Reference("v1", "Pod", "p")


def quota(*, name: str = "few", at: str = "default", **hard: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": at}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard}}


def pod(name: str = "p", at: str = "default", **requests: str) -> dict[str, Any]:
    container = {"name": "c", "image": "i", "resources": {"requests": requests}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": at},
        "spec": {"containers": [container], "terminationGracePeriodSeconds": 30},
    }


def used(cluster: EmbeddedCluster, reference: Reference = QUOTA) -> Any:
    return cluster.get(reference)["status"].get("used", {})


def managers(content: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["manager"], one.get("subresource", "")) for one in content["metadata"]["managedFields"]]


def test_the_server_charges_and_the_controller_releases(cluster: EmbeddedCluster) -> None:
    cluster.create(quota(pods="1"))
    assert managers(cluster.get(QUOTA)) == [("kube-controller-manager", "status"), ("kubemerge", "")]
    cluster.create(pod())
    assert used(cluster) == {"pods": "1"}
    assert ("kube-apiserver", "status") in managers(cluster.get(QUOTA))
    with pytest.raises(Forbidden) as error:
        cluster.create(pod("other"))
    said = "exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1"
    assert str(error.value) == f'pods "other" is forbidden: {said}'
    cluster.delete(POD)
    assert used(cluster) == {"pods": "0"}


def test_a_dry_run_is_checked_and_not_charged(cluster: EmbeddedCluster) -> None:
    cluster.create(quota(**{"count/configmaps": "1"}))
    cluster.create(config_map(), dry_run=True)
    assert used(cluster) == {"count/configmaps": "0"}
    cluster.create(config_map())
    with pytest.raises(Forbidden):
        cluster.create(config_map("more"), dry_run=True)


def test_a_rejected_request_uses_nothing(cluster: EmbeddedCluster) -> None:
    cluster.create(config_map())
    cluster.create(quota(**{"count/configmaps": "2"}))
    with pytest.raises(AlreadyExists):
        cluster.create(config_map())
    assert used(cluster) == {"count/configmaps": "1"}


def test_without_controllers_the_usage_is_unknown() -> None:
    with open_cluster(":memory:", controllers="-*") as cluster:
        cluster.create(quota(pods="5"))
        cluster.create(pod())  # the limits are not in effect yet
        for status, why in (
            ({"hard": {"pods": "5"}}, "status unknown for quota: few, resources: pods"),
            ({"hard": {"pods": "5"}, "used": {"pods": "5"}}, "exceeded quota: few, requested: pods=1"),
        ):
            cluster.patch(QUOTA, {"status": status}, "merge", subresource="status")
            with pytest.raises(Forbidden, match=why):
                cluster.create(pod("other"))


@pytest.mark.parametrize(
    ("release", "why"),
    [
        ("1.14", "failed quota: few: must specify requests.cpu"),
        ("1.23", "failed quota: few: must specify requests.cpu"),
        ("1.24", "failed quota: few: must specify requests.cpu for: c"),
    ],
)
def test_a_container_without_an_amount(release: str, why: str) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        cluster.create(quota(**{"requests.cpu": "1"}))
        with pytest.raises(Forbidden) as error:
            cluster.create(pod(memory="1"))
        assert str(error.value) == f'pods "p" is forbidden: {why}'


@pytest.mark.parametrize(("release", "why"), [("1.14", ""), ("1.15", ", resources: pods")])
def test_a_quota_without_usage_in_a_release(release: str, why: str) -> None:
    with open_cluster(":memory:", release=release, controllers="-*") as cluster:
        cluster.create(quota(pods="5"))
        cluster.patch(QUOTA, {"status": {"hard": {"pods": "5"}}}, "merge", subresource="status")
        with pytest.raises(Forbidden) as error:
            cluster.create(pod())
        assert str(error.value) == f'pods "p" is forbidden: status unknown for quota: few{why}'


def test_a_pod_is_charged_until_its_grace_period_is_over(cluster: EmbeddedCluster) -> None:
    cluster.create(quota(pods="1", cpu="1"))
    cluster.create(pod(cpu="500m"))
    cluster.bind(POD, {"kind": "Node", "name": "n"})
    cluster.delete(POD)
    assert used(cluster) == {"cpu": "500m", "pods": "1"}
    cluster.delete(POD, grace_period=0)
    assert used(cluster) == {"cpu": "0", "pods": "0"}


def test_other_limits_are_in_effect_at_once(cluster: EmbeddedCluster) -> None:
    cluster.create(config_map())
    cluster.create(quota(pods="1"))
    cluster.patch(QUOTA, {"spec": {"hard": {"pods": None, "configmaps": "1"}}}, "merge")
    assert cluster.get(QUOTA)["status"] == {"hard": {"configmaps": "1"}, "used": {"configmaps": "1"}}
    with pytest.raises(Forbidden, match="exceeded quota"):
        cluster.create(config_map("more"))


def test_custom_resources_are_counted(cluster: EmbeddedCluster) -> None:
    name = "count/crontabs.stable.example.com"
    cluster.create(quota(**{name: "1"}))
    assert used(cluster) == {}
    cluster.create(crontabs())
    assert used(cluster) == {name: "0"}
    cluster.create(crontab())
    assert used(cluster) == {name: "1"}
    with pytest.raises(Forbidden, match=f"exceeded quota: few, requested: {name}=1"):
        cluster.create({**crontab(), "metadata": {"name": "more", "namespace": "default"}})


def test_default_objects_of_a_namespace_are_counted(cluster: EmbeddedCluster) -> None:
    cluster.create(namespace("shop"))
    reference = Reference("v1", "ResourceQuota", "few", "shop")
    cluster.create(quota(at="shop", **{"count/serviceaccounts": "1"}))
    cluster.delete(Reference("v1", "ServiceAccount", "default", "shop"))
    assert used(cluster, reference) == {"count/serviceaccounts": "1"}


def test_a_namespace_with_a_quota_is_deleted(cluster: EmbeddedCluster) -> None:
    cluster.create(namespace("shop"))
    cluster.create(quota(at="shop", pods="5"))
    cluster.create(pod(at="shop"))
    cluster.delete(Reference("v1", "Namespace", "shop"))
    assert list(cluster.list("v1", "ResourceQuota")) == []
    assert list(cluster.list("v1", "Pod")) == []
    cluster.create(namespace("shop"))
    cluster.create(pod(at="shop"))


def test_a_quota_of_another_process_is_seen(tmp_path: Any) -> None:
    file = str(tmp_path / "cluster.db")
    with open_cluster(file) as cluster, open_cluster(file) as other:
        cluster.create(config_map())
        other.create(quota(configmaps="1"))
        with pytest.raises(Forbidden, match="exceeded quota"):
            cluster.create(config_map("more"))
        other.delete(QUOTA)
        cluster.create(config_map("more"))
        assert cluster.get(config_map_ref("more"))


FULL = {**quota(pods="1"), "status": {"hard": {"pods": "1"}, "used": {"pods": "1"}}}


@pytest.mark.parametrize(("is_complete", "is_allowed"), [(True, False), (False, True)])
def test_predictions_use_the_status_of_complete_clusters(*, is_complete: bool, is_allowed: bool) -> None:
    server = Server("1.37", objects=[FULL], is_complete=is_complete)
    assert (server.create(pod()).object is not None) is is_allowed


def test_a_prediction_of_an_existing_object_does_not_charge_it_twice() -> None:
    server = Server("1.37", objects=[FULL, pod()], is_complete=True)
    assert server.create(pod()).object is not None
    result = server.create(pod("other"))
    assert "exceeded quota" in str(result.problems[0])


def test_predictions_of_a_quota_keep_its_status() -> None:
    server = Server("1.37", objects=[FULL], is_complete=True)
    after = server.kubectl_apply(quota(pods="3"), FULL, manager="kubectl").object
    assert after is not None
    assert after["spec"] == {"hard": {"pods": "3"}}
    assert after["status"] == FULL["status"]


def test_a_resize_is_charged(cluster: EmbeddedCluster) -> None:
    cluster.create(quota(cpu="1"))
    cluster.create(pod(cpu="500m"))

    def resize(cpu: str) -> None:
        body = {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": cpu}}}]}}
        cluster.patch(POD, body, "strategic", subresource="resize")

    with pytest.raises(ClusterError, match="exceeded quota: few, requested: cpu=600m, used: cpu=500m, limited: cpu=1"):
        resize("1100m")
    resize("1")
    assert used(cluster) == {"cpu": "1"}
    resize("200m")
    assert used(cluster) == {"cpu": "200m"}


def test_without_quotas_nothing_is_imported() -> None:
    program = (
        "import sys\nfrom kubemerge.cluster import open_cluster\n"
        "with open_cluster(':memory:') as cluster:\n"
        "    cluster.create({'apiVersion': 'v1', 'kind': 'ConfigMap', 'metadata': {'name': 'a'}})\n"
        "assert not [one for one in sys.modules if one.startswith('kubemerge.apiserver.quota.')]\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
