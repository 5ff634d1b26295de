"""The initial roles and bindings are those of real servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubemerge.cluster import Reference, open_cluster

from . import initial

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

GROUP = "rbac.authorization.k8s.io"
KINDS = ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")
VIEW = Reference(f"{GROUP}/v1", "ClusterRole", "view")


def objects(cluster: EmbeddedCluster) -> list[dict[str, object]]:
    return [one for one in cluster.dump() if one["kind"] in KINDS]


FEW = {"1.20", "1.25", max(initial.read(), key=lambda release: int(release.partition(".")[2]))}


@pytest.mark.parametrize(
    "release", [one if one in FEW else pytest.param(one, marks=pytest.mark.slow) for one in initial.read()]
)
def test_a_cluster_has_the_roles_of_a_real_server(release: str) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        cluster.use_authorization("rbac")
        assert initial.digest(objects(cluster)) == initial.read()[release]


@pytest.mark.parametrize("release", ["1.7", "1.8", "1.17", "1.18", "1.36"])
def test_other_releases_have_roles_as_well(release: str) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        cluster.use_authorization("rbac")
        assert {one["kind"] for one in objects(cluster)} == set(KINDS)


def test_a_cluster_without_rbac_has_none() -> None:
    with open_cluster(":memory:") as cluster:
        cluster.use_authorization("always-allow")
        assert objects(cluster) == []


def test_objects_belong_to_the_server_and_to_the_controller() -> None:
    with open_cluster(":memory:") as cluster:
        cluster.use_authorization("rbac")
        managed = cluster.get(VIEW)["metadata"]["managedFields"]
    assert [(one["manager"], one["operation"]) for one in managed] == [
        ("clusterrole-aggregation-controller", "Apply"),
        ("kube-apiserver", "Update"),
    ]
    assert managed[0]["fieldsV1"] == {"f:rules": {}}


def test_without_the_controller_aggregated_roles_stay_empty() -> None:
    with open_cluster(":memory:", controllers="*,-clusterrole-aggregation-controller") as cluster:
        cluster.use_authorization("rbac")
        assert cluster.get(VIEW)["rules"] is None


def test_a_second_start_repairs_roles_unless_they_are_protected() -> None:
    node, basic = (
        Reference(f"{GROUP}/v1", "ClusterRole", "system:node-bootstrapper"),
        Reference(f"{GROUP}/v1", "ClusterRole", "system:basic-user"),
    )
    bound = Reference(f"{GROUP}/v1", "ClusterRoleBinding", "system:basic-user")
    with open_cluster(":memory:") as cluster:
        cluster.use_authorization("rbac")
        rules = cluster.get(node)["rules"]
        extra = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}
        cluster.patch(node, {"rules": [extra]}, "merge")
        protection = {"annotations": {"rbac.authorization.kubernetes.io/autoupdate": "false"}}
        cluster.patch(basic, {"rules": [], "metadata": protection}, "merge")
        cluster.patch(bound, {"subjects": None}, "merge")
        version = cluster.version()
        cluster.use_authorization("rbac")
        repaired = cluster.get(node)["rules"]
        assert repaired[0] == extra
        assert {verb for rule in repaired[1:] for verb in rule["verbs"]} == set(rules[0]["verbs"])
        assert not cluster.get(basic)["rules"]
        assert [one["name"] for one in cluster.get(bound)["subjects"]] == ["system:authenticated"]
        assert cluster.version() == version + 2
        cluster.use_authorization("rbac")
        assert cluster.version() == version + 2
