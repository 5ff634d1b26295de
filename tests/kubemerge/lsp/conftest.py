"""A served cluster for commands that use an API server."""

from __future__ import annotations

from kubemerge.pytest_plugin import kube_dump, kube_release, kube_server, kube_store, kube_tls

__all__ = ["kube_dump", "kube_release", "kube_server", "kube_store", "kube_tls"]
