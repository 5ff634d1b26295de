"""Settings that let clients find only the served cluster of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubemerge.pytest_plugin import kube_dump, kube_release, kube_server, kube_store, kube_tls

if TYPE_CHECKING:
    from pathlib import Path

    from kubemerge.apiserver.http.listening.running import Serving

__all__ = ["kube_dump", "kube_release", "kube_server", "kube_store", "kube_tls"]


@pytest.fixture(autouse=True)
def _only_the_served_cluster(kube_server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", str(kube_server.kubeconfig))
    monkeypatch.setenv("HOME", str(tmp_path))
