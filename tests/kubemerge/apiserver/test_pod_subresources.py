"""Subresources of Pods, by release."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.errors import NoResource
from kubemerge.apiserver.protocol import Reference
from kubemerge.cluster import open_cluster

POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p"},
    "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]},
}
DEBUGGED = {"ephemeralContainers": [{"name": "e", "image": "i"}]}
RESIZED = {"containers": [{"name": "c", "resources": {"requests": {"cpu": "2"}}}]}


@pytest.mark.parametrize(
    ("part", "spec", "release", "served"),
    [
        ("ephemeralcontainers", DEBUGGED, "1.22", False),
        ("ephemeralcontainers", DEBUGGED, "1.23", True),
        ("resize", RESIZED, "1.32", False),
        ("resize", RESIZED, "1.33", True),
    ],
)
def test_releases_with_a_subresource(part: str, spec: dict[str, object], release: str, served: bool) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        cluster.create(POD)
        pod = Reference("v1", "Pod", "p", "default")
        if not served:
            with pytest.raises(NoResource):
                cluster.patch(pod, {"spec": spec}, "strategic", subresource=part)
            return
        found = cluster.patch(pod, {"spec": spec}, "strategic", subresource=part)["spec"]
        assert "ephemeralContainers" in found or found["containers"][0]["resources"] == {"requests": {"cpu": "2"}}
