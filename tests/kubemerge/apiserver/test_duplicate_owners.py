"""Duplicate ownerReferences, by release. `http/wire` compares 1.37 with a real server."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.cluster import Reference, open_cluster

MAPS = "v1", "ConfigMap"


@pytest.mark.parametrize(("release", "kept", "warned"), [("1.19", 2, 0), ("1.20", 1, 2), ("1.37", 1, 2)])
def test_they_are_removed_with_a_warning_since_1_20(release: str, kept: int, warned: int) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        warnings: list[str] = []
        cluster.on_warning = warnings.append
        owner = cluster.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "o"}})
        reference: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "name": "o"}
        reference["uid"] = owner["metadata"]["uid"]
        content = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "m", "ownerReferences": [reference] * 2},
        }
        assert len(cluster.create(content)["metadata"]["ownerReferences"]) == kept
        again = {**reference, "controller": None}
        patch = {"metadata": {"ownerReferences": [again, reference]}}
        found = cluster.patch(Reference(*MAPS, "m", "default"), patch, "merge")
        assert len(found["metadata"]["ownerReferences"]) == kept
        assert [f"observed: {reference['uid']}" in one for one in warnings] == [True] * warned
