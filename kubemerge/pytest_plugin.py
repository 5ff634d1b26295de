"""Fixtures for other people's tests: an embedded cluster in memory, alone or as an API server, for each test that asks.

pytest finds this module by itself wherever kubemerge is installed. Tests that do not ask for one are not affected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .apiserver.cluster import EmbeddedCluster
    from .apiserver.http.listening.running import Serving


@pytest.fixture
def kube_release() -> str | None:
    """The Kubernetes release of `kube_store`: the newest. Override it to test with another one, or with several."""
    return None


@pytest.fixture
def kube_dump() -> str | Path | None:
    """A file with what `kube_store` holds at first, as `kubemerge cluster export` prints it: none. Override it."""
    return None


@pytest.fixture
def kube_store(kube_release: str | None, kube_dump: str | Path | None) -> Iterator[EmbeddedCluster]:
    """A new cluster in memory, with its namespaces and what `kube_dump` holds; gone after the test."""
    from .cluster import open_cluster

    with open_cluster(":memory:", release=kube_release) as cluster:
        if kube_dump is not None:
            from .manifests.files import Files
            from .manifests.objects import read_manifests

            cluster.load([one.content for one in read_manifests([str(kube_dump)], Files())])
        yield cluster


@pytest.fixture
def kube_server(kube_store: EmbeddedCluster, tmp_path: Path) -> Iterator[Serving]:
    """`kube_store` as an API server on this machine: `.url`, `.kubeconfig`, `.cluster`, and `.faults` to come."""
    from .apiserver.http.listening.running import served

    with served(kube_store) as serving:
        serving.write_kubeconfig(tmp_path / "kubeconfig")
        yield serving
