"""Replacement for the conftest.py of kr8s, which makes a kind cluster: this one uses the cluster of KUBECONFIG."""

from __future__ import annotations

import gc
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


SEEDS = """
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: node}}
- apiVersion: v1
  kind: Pod
  metadata: {name: dns, namespace: kube-system, labels: {k8s-app: kube-dns}}
  spec: {nodeName: node, containers: [{name: dns, image: dns}]}
"""
"""Objects of a kind cluster that the tests rely on."""


class Cluster:
    """The part of pytest-kind's cluster that the tests use."""

    kubeconfig_path = Path(os.environ.get("KUBECONFIG", ""))
    kubectl_path = "kubectl"

    def kubectl(self, *words: str, **more: Any) -> str:
        """The standard output of kubectl."""
        done: subprocess.CompletedProcess[str] = subprocess.run(
            ["kubectl", *words], check=True, stdout=subprocess.PIPE, text=True, **more
        )
        return done.stdout


@pytest.fixture(scope="session", autouse=True)
def k8s_cluster() -> Cluster:
    """The cluster, with the objects of a kind cluster."""
    cluster = Cluster()
    cluster.kubectl("apply", "--server-side", "-f", "-", input=SEEDS)
    runs = '{"status": {"phase": "Running"}}'
    cluster.kubectl("patch", "pod", "dns", "--namespace=kube-system", "--subresource=status", "-p", runs)
    return cluster


@pytest.fixture
def ensure_gc() -> Iterator[None]:
    gc.collect()
    yield
    gc.collect()
