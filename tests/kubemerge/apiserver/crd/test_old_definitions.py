"""Definitions of v1beta1, whose versions may be a single name."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.cluster import Invalid, open_cluster


def definition(**spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1beta1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "as.a.example"},
        "spec": {"group": "a.example", "scope": "Cluster", "names": {"plural": "as", "kind": "A"}, **spec},
    }


VERSIONS = [{"name": "v1", "served": True, "storage": True}, {"name": "v2", "served": False, "storage": False}]


def test_a_definition_with_a_single_version_is_served() -> None:
    with open_cluster(":memory:", release="1.16") as cluster:
        cluster.create(definition(version="v1"))
        cluster.create({"apiVersion": "a.example/v1", "kind": "A", "metadata": {"name": "a"}})
        assert [one["metadata"]["name"] for one in cluster.list("a.example/v1", "A")] == ["a"]


def test_the_version_is_the_first_one() -> None:
    with open_cluster(":memory:", release="1.16") as cluster:
        with pytest.raises(Invalid) as refused:
            cluster.create(definition(version="v2", versions=VERSIONS))
        wanted = 'spec.version: Invalid value: "v2": must match the first version in spec.versions'
        assert [*map(str, refused.value.problems)] == [wanted]
        cluster.create(definition(version="v1", versions=VERSIONS))
