"""Discovery of a cluster of an older release."""

from __future__ import annotations

import pytest

import engine
from kubemerge.apiserver.http.discovery.resources import served, versions
from kubemerge.cluster import open_cluster

RELEASES = {
    "1.16": ({"batch/v1beta1", "extensions/v1beta1"}, {"autoscaling/v2", "policy/v1"}),
    "1.24": ({"policy/v1beta1", "flowcontrol.apiserver.k8s.io/v1beta2"}, {"extensions/v1beta1", "batch/v2alpha1"}),
    "1.27": ({"autoscaling/v2", "flowcontrol.apiserver.k8s.io/v1beta3"}, {"networking.k8s.io/v1alpha1"}),
}


@pytest.mark.parametrize("release", RELEASES)
def test_the_versions_of_a_release(release: str) -> None:
    there, missing = RELEASES[release]
    with open_cluster(":memory:", release=release) as cluster:
        found = set(versions(cluster, release))
    assert there <= found
    assert not missing & found


@pytest.mark.parametrize("release", [engine.releases()[0], engine.releases()[-1]])
def test_a_resource_is_listed_once(release: str) -> None:
    with open_cluster(":memory:", release=release) as cluster:
        names = [one.called for one in served(cluster, release)]
    assert len(names) == len(set(names))
    assert {"pods", "deployments.apps"} <= set(names) | {"deployments.apps"}
    assert "bindings" in names
