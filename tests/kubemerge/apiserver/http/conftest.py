"""The fixtures of kubemerge itself. Its plugin is not loaded here, so that coverage includes it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kubemerge.apiserver.http.watch import streams
from kubemerge.pytest_plugin import kube_dump, kube_release, kube_server, kube_store, kube_tls

__all__ = ["kube_dump", "kube_release", "kube_server", "kube_store", "kube_tls"]


@pytest.fixture
def short_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Watches end after a tenth of their timeoutSeconds. Existing events are sent before the end."""
    options_of = streams._options_of

    def shorter(*asked: Any) -> streams.WatchOptions:
        found = options_of(*asked)
        return replace(found, seconds=found.seconds / 10)

    monkeypatch.setattr(streams, "_options_of", shorter)
