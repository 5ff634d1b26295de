"""Aggregated ClusterRoles, in every authorization mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import Reference, open_cluster

if TYPE_CHECKING:
    from pathlib import Path

API = "rbac.authorization.k8s.io/v1"
WHOLE = Reference(API, "ClusterRole", "whole")


def role(name: str, resource: str, **labels: str) -> dict[str, Any]:
    rules = [{"apiGroups": ["example.com"], "resources": [resource], "verbs": ["get"]}]
    return {"apiVersion": API, "kind": "ClusterRole", "metadata": {"name": name, "labels": labels}, "rules": rules}


def aggregated(name: str, **labels: str) -> dict[str, Any]:
    rule = {"clusterRoleSelectors": [{"matchLabels": labels}]}
    return {"apiVersion": API, "kind": "ClusterRole", "metadata": {"name": name}, "aggregationRule": rule}


@pytest.mark.parametrize("release", ["1.14", "1.37"])
def test_rules_follow_the_selected_roles(release: str) -> None:
    with open_cluster(":memory:", release=release) as cluster:

        def resources() -> list[str]:
            return [rule["resources"][0] for rule in cluster.get(WHOLE)["rules"] or ()]

        cluster.create(aggregated("whole", part="yes"))
        assert resources() == []
        cluster.create(role("b", "twos", part="yes"))
        cluster.create(role("a", "ones", part="yes"))
        cluster.create(role("c", "ones", part="yes"))
        cluster.create(role("d", "fours", part="no"))
        assert resources() == ["ones", "twos"]
        cluster.patch(Reference(API, "ClusterRole", "d"), {"metadata": {"labels": {"part": "yes"}}}, "merge")
        cluster.delete(Reference(API, "ClusterRole", "b"))
        assert resources() == ["ones", "fours"]
        cluster.patch(WHOLE, {"rules": []}, "merge")
        assert resources() == ["ones", "fours"]


def test_an_aggregated_role_selects_another_one() -> None:
    with open_cluster(":memory:") as cluster:
        cluster.create(aggregated("whole", part="middle"))
        middle = aggregated("middle", part="leaf")
        cluster.create({**middle, "metadata": {"name": "middle", "labels": {"part": "middle"}}})
        cluster.create(role("leaf", "ones", part="leaf"))
        assert cluster.get(WHOLE)["rules"] == role("leaf", "ones")["rules"]


def test_equal_rules_occur_once() -> None:
    with open_cluster(":memory:") as cluster:
        once = role("a", "ones", part="yes")
        cluster.create({**once, "rules": [*once["rules"], *once["rules"]]})
        cluster.create(role("b", "ones", part="yes"))
        cluster.create(aggregated("whole", part="yes"))
        assert cluster.get(WHOLE)["rules"] == once["rules"]


def test_the_controller_can_be_disabled() -> None:
    with open_cluster(":memory:", controllers="*,-clusterrole-aggregation-controller") as cluster:
        cluster.create(role("leaf", "ones", part="leaf"))
        cluster.create(aggregated("whole", part="leaf"))
        assert not cluster.get(WHOLE)["rules"]


def test_roles_that_select_each_other_settle(tmp_path: Path) -> None:
    file, two = str(tmp_path / "cluster.db"), (("a", "pods", {"of": "b"}, "a"), ("b", "secrets", {"of": "a"}, "b"))
    with open_cluster(file, controllers="*,-clusterrole-aggregation-controller") as cluster:
        for name, resource, labels, selected in two:
            cluster.create({**aggregated(name, of=selected), **role(name, resource, **labels)})
    with open_cluster(file) as cluster:
        cluster.create(role("c", "nodes", of="c"))
        found = [cluster.get(Reference(API, "ClusterRole", name))["rules"] for name in ("a", "b")]
        assert found == [role("b", "secrets")["rules"]] * 2
