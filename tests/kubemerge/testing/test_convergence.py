"""Operators that change nothing in their last run."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from kubemerge.cluster import Reference
from kubemerge.pytest_plugin import kube_dump, kube_release, kube_server, kube_store, kube_tls
from kubemerge.testing import assert_converges

if TYPE_CHECKING:
    from kubemerge.apiserver.http.listening.running import Serving

__all__ = ["kube_dump", "kube_release", "kube_server", "kube_store", "kube_tls"]
WEB = Reference("v1", "ConfigMap", "web", "default")


@pytest.fixture
def server(kube_server: Serving) -> Serving:
    content = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web", "namespace": "default"}}
    kube_server.cluster.create(content, manager="user")
    return kube_server


def test_an_operator_that_never_settles_is_named_with_its_writes(server: Serving) -> None:
    numbers = count()

    def reconcile() -> None:
        server.cluster.patch(WEB, {"data": {"n": str(next(numbers))}}, "merge", manager="operator")

    with pytest.raises(AssertionError) as error:
        assert_converges(server, reconcile)
    assert str(error.value) == (
        "run 2 of the reconcile function changed objects again:\n"
        "  configmaps web in default: patch by operator changed data.n"
    )


def test_an_operator_may_need_several_runs(server: Serving) -> None:
    def reconcile() -> None:
        done = len(server.cluster.get(WEB).get("data", {}))
        if done < 3:
            server.cluster.patch(WEB, {"data": {str(done): ""}}, "merge", manager="operator")

    with pytest.raises(AssertionError, match="run 3 of the reconcile function"):
        assert_converges(server, reconcile, runs=2)
    assert_converges(server, reconcile)
