"""Pytest fixtures: an embedded cluster in memory for each test that uses it, alone or as an API server.

pytest loads this module automatically if kubemerge is installed. Tests that do not use the fixtures are not affected.
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
    """The Kubernetes release of `kube_store`: the newest. Override it to test with another release, or with several."""
    return None


@pytest.fixture
def kube_dump() -> str | Path | None:
    """A file with the initial objects of `kube_store`, as printed by `kubemerge cluster export`: none. Override it."""
    return None


@pytest.fixture
def kube_store(kube_release: str | None, kube_dump: str | Path | None) -> Iterator[EmbeddedCluster]:
    """A new cluster in memory, with its namespaces and the objects of `kube_dump`; removed after the test."""
    from .cluster import open_cluster

    with open_cluster(":memory:", release=kube_release) as cluster:
        if kube_dump is not None:
            from .manifests.files import Files
            from .manifests.live import read_live

            cluster.load([one.content for one in read_live([str(kube_dump)], Files())])
        yield cluster


@pytest.fixture
def kube_tls() -> bool:
    """Whether `kube_server` serves TLS: no. Override it for programs in Go, which send tokens only over TLS."""
    return False


@pytest.fixture
def kube_server(kube_store: EmbeddedCluster, kube_tls: bool, tmp_path: Path) -> Iterator[Serving]:
    """`kube_store` as a local API server: `.url`, `.kubeconfig`, `.cluster`, `.faults` to inject, and the recorded
    `.permissions()` and `.writes()`.

    `kube_server(authorization="rbac")` makes it decide by Roles and their bindings. `kube_server(audit_log=FILE)`
    writes an audit log. `kube_server(services={...})` sets the URLs of Services that webhooks name:
    `{"default/hooks": "https://127.0.0.1:9443"}`. `kube_server(static_manifests=[FOLDER])` evaluates static policies.
    """
    from .apiserver.http.listening.running import LOOPBACK, listen_address, served

    with listen_address(LOOPBACK, 0, None, None, tls=kube_tls) as place, served(kube_store, place=place) as serving:
        serving.write_kubeconfig(tmp_path / "kubeconfig")
        serving.record_permissions()
        serving.record_writes()
        yield serving
