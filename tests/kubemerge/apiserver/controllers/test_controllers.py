"""Controllers can be disabled, as with kube-controller-manager."""

from __future__ import annotations

import re

import pytest

from kubemerge.apiserver.controllers.names import ALL, enabled
from kubemerge.cluster import BadRequest, Reference, open_cluster

from ..conftest import config_map, config_map_ref, namespace
from .test_protection import CLAIM, claim

SHOP = Reference("v1", "Namespace", "shop")
GC, NAMESPACES, CLAIMS = (
    "garbage-collector-controller",
    "namespace-controller",
    "persistentvolumeclaim-protection-controller",
)


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ("*", ALL),
        ("-*", frozenset()),
        (f"{GC}, {NAMESPACES}", {GC, NAMESPACES}),
        (f"*,-{GC}", ALL - {GC}),
        (f"-{GC}", frozenset()),
    ],
)
def test_a_list_of_controllers(listed: str, expected: frozenset[str]) -> None:
    assert enabled(listed) == expected


@pytest.mark.parametrize("listed", ["job-controller", "*,-none"])
def test_an_unknown_controller_is_refused(listed: str) -> None:
    with pytest.raises(BadRequest, match=re.escape(f"there is no controller {listed.rpartition(',')[2]!r}")):
        enabled(listed)


def test_without_controllers_nothing_follows() -> None:
    """As on an API server alone, such as that of envtest."""
    with open_cluster(":memory:", controllers="-*") as cluster:
        cluster.create(namespace())
        assert list(cluster.list("v1", "ServiceAccount")) == []
        owner = cluster.create(config_map("owner"))
        reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["metadata"]["uid"]}
        owned = config_map("owned")
        cluster.create({**owned, "metadata": {**owned["metadata"], "ownerReferences": [reference]}})
        cluster.delete(config_map_ref("owner"))
        assert cluster.get(config_map_ref("owned"))
        cluster.create(claim())
        for one in (CLAIM, SHOP):
            cluster.delete(one)
            assert cluster.get(one)["metadata"]["deletionTimestamp"]


def test_one_controller_is_enough_for_its_own_work() -> None:
    with open_cluster(":memory:", controllers=CLAIMS) as cluster:
        cluster.create(namespace())
        cluster.create(claim())
        cluster.delete(CLAIM)
        assert list(cluster.list("v1", "PersistentVolumeClaim")) == []
