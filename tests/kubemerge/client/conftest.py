"""A fake server, and a cluster that calls it without pauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubemerge.client.access.kubeconfig import load_access
from kubemerge.client.cluster import RemoteCluster

from .fake import Fake

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def nothing_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without kubeconfig, proxy and cache of this machine."""
    for name in ("KUBECONFIG", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "KUBERNETES_SERVICE_HOST"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))


@pytest.fixture
def fake() -> Iterator[Fake]:
    """The server."""
    found = Fake()
    server = found.start()
    yield found
    server.shutdown()
    server.server_close()


@pytest.fixture
def pauses() -> list[float]:
    """The pauses so far."""
    return []


@pytest.fixture
def cluster(fake: Fake, tmp_path: Path, pauses: list[float]) -> Iterator[RemoteCluster]:
    """The cluster of the fake server."""
    with RemoteCluster(load_access(fake.kubeconfig(tmp_path)), pauses.append) as found:
        yield found
