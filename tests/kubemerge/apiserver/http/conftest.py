"""The fixtures of kubemerge itself: its plugin is not loaded here, so that its lines count as tested."""

from __future__ import annotations

from kubemerge.pytest_plugin import kube_dump, kube_release, kube_server, kube_store

__all__ = ["kube_dump", "kube_release", "kube_server", "kube_store"]
