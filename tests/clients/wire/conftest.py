"""A served cluster for each test, and what keeps clients from finding another one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from kubemerge.cluster import open_cluster
from kubemerge.serve.sockets.kubeconfig import kubeconfig, write
from kubemerge.serve.sockets.running import Place, served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kubemerge.cluster.embedded.cluster import EmbeddedCluster


@dataclass(frozen=True)
class Served:
    """A cluster that is served, and how clients find it."""

    url: str
    kubeconfig: str
    cluster: EmbeddedCluster


@pytest.fixture
def kube_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A new cluster that is served, and that clients find by KUBECONFIG."""
    file = tmp_path / "kubeconfig"
    with open_cluster(str(tmp_path / "cluster.db")) as cluster, served(cluster) as serving:
        write(file, kubeconfig(serving.url, Place()))
        monkeypatch.setenv("KUBECONFIG", str(file))
        monkeypatch.setenv("HOME", str(tmp_path))
        yield Served(serving.url, str(file), cluster)
