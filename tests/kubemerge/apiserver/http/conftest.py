"""The fixtures of kubemerge itself. Its plugin is not loaded here, so that coverage includes it."""

from __future__ import annotations

from kubemerge.pytest_plugin import kube_dump, kube_release, kube_server, kube_store, kube_tls

__all__ = ["kube_dump", "kube_release", "kube_server", "kube_store", "kube_tls"]
