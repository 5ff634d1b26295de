"""What is empty is not stored, as an API server leaves it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubemerge.cluster import Invalid

from .conftest import config_map, config_map_ref, deployment

if TYPE_CHECKING:
    from kubemerge.cluster.embedded import EmbeddedCluster


def test_empty_maps_and_lists_are_left_out(cluster: EmbeddedCluster) -> None:
    content = config_map()
    content["metadata"] |= {"labels": {}, "annotations": {}, "finalizers": []}
    found = cluster.create(content)
    assert "data" not in found
    assert not {"labels", "annotations", "finalizers"} & set(found["metadata"])


def test_an_empty_map_with_fields_of_its_own_stays(cluster: EmbeddedCluster) -> None:
    content = deployment()
    pod = content["spec"]["template"]["spec"]
    pod |= {"securityContext": {}, "volumes": [{"name": "tmp", "emptyDir": {}}], "nodeSelector": {}}
    found = cluster.create(content)["spec"]["template"]["spec"]
    assert found["volumes"] == [{"name": "tmp", "emptyDir": {}}]
    assert found["securityContext"] == {}
    assert "nodeSelector" not in found


def test_an_empty_field_in_a_patch_changes_nothing(cluster: EmbeddedCluster) -> None:
    before = cluster.create(config_map(a="1"))
    assert cluster.patch(config_map_ref(), {"metadata": {"labels": {}}, "binaryData": {}}, "merge") == before


def test_rules_of_a_role_stay_even_if_there_are_none(cluster: EmbeddedCluster) -> None:
    role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "none"}, "rules": []}
    assert cluster.create(role)["rules"] == []


@pytest.mark.parametrize("size", [262_144 - 1, 262_144])
def test_annotations_have_room_for_256_kib(cluster: EmbeddedCluster, size: int) -> None:
    content = config_map()
    content["metadata"]["annotations"] = {"k": "x" * size}
    if size < 262_144:
        cluster.create(content)
        return
    with pytest.raises(Invalid, match="annotations: Too long: may not be more than 262144 bytes"):
        cluster.create(content)
