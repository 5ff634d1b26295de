"""Patches to a Scale that cannot be decoded, in the words of a 1.37.1 API server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import Invalid, Reference

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

DEPLOYMENT = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web"},
    "spec": {
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "c", "image": "nginx"}]},
        },
    },
}
NO_INTEGER = "into Go struct field ScaleSpec.spec.replicas of type int32"
SCHEME = 'in scheme "pkg/runtime/scheme.go:111"'

PATCHES: list[tuple[Any, str, str]] = [
    ({"spec": {"replicas": 2.5}}, "merge", f"json: cannot unmarshal number 2.5 {NO_INTEGER}"),
    ({"spec": {"replicas": 2147483648}}, "merge", f"json: cannot unmarshal number 2147483648 {NO_INTEGER}"),
    (
        [{"op": "replace", "path": "/spec/replicas", "value": "q"}],
        "json",
        f"json: cannot unmarshal string {NO_INTEGER}",
    ),
    ({"spec": [1]}, "merge", "json: cannot unmarshal array into Go struct field Scale.spec of type v1.ScaleSpec"),
    ({"kind": "Foo"}, "merge", f'no kind "Foo" is registered for version "autoscaling/v1" {SCHEME}'),
    ({"apiVersion": "autoscaling/v2"}, "merge", f'no kind "Scale" is registered for version "autoscaling/v2" {SCHEME}'),
    (
        {"apiVersion": "apps/v1", "kind": "Deployment"},
        "merge",
        "converting (v1.Deployment) to (autoscaling.Scale): unknown conversion",
    ),
]


@pytest.mark.parametrize(("patch", "patch_type", "error"), PATCHES, ids=[error for _, _, error in PATCHES])
def test_a_patch_that_cannot_be_decoded(cluster: EmbeddedCluster, patch: Any, patch_type: str, error: str) -> None:
    place = Reference.of(cluster.create(DEPLOYMENT))
    with pytest.raises(Invalid) as caught:
        cluster.patch(place, patch, patch_type, subresource="scale")
    assert str(caught.value).startswith(' "" is invalid: patch: Invalid value: "{')
    assert f'}}": {error}' in str(caught.value)
    assert cluster.get(place)["spec"]["replicas"] == 1
