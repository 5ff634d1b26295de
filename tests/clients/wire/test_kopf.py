"""A kopf operator, in a separate process, works on a served cluster, and goes on where it was stopped."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import NotFound, Reference

from ..test_client_objects import module
from .objects import definition, shop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubemerge.apiserver.cluster import EmbeddedCluster
    from kubemerge.apiserver.http.listening.running import Serving

OPERATOR = Path(__file__).parent / "operator_of_shops.py"
FINALIZER = "kopf.zalando.org/KopfFinalizerMarker"
PATIENCE = 60


@contextmanager
def operator(log: Path) -> Iterator[None]:
    """The operator, while it runs; it ends by a signal, as it does in production."""
    module("kopf")
    words = ["-m", "kopf", "run", "--standalone", "--namespace=default", str(OPERATOR)]
    with log.open("ab") as out, subprocess.Popen([sys.executable, *words], stdout=out, stderr=out) as process:
        try:
            yield
        finally:
            process.terminate()
            process.wait(PATIENCE)


def eventually(check: Callable[[], Any], log: Path) -> Any:
    """Wait until a check finds something, and return that."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        found = check()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(log.read_text(encoding="utf-8"))


def live(cluster: EmbeddedCluster, kind: str, name: str) -> dict[str, Any]:
    """An object; empty if it is not there."""
    api_version = "example.com/v1" if kind == "Shop" else "v1"
    try:
        return cluster.get(Reference(api_version, kind, name, "default"))
    except NotFound:
        return {}


@pytest.mark.slow
def test_an_operator_reconciles_and_goes_on_after_a_restart(kube_server: Serving, tmp_path: Path) -> None:
    cluster, log = kube_server.cluster, tmp_path / "operator.log"
    cluster.create(definition())
    for name in ("toys", "books"):
        cluster.create(shop(name))
    toys, books = (Reference("example.com/v1", "Shop", name, "default") for name in ("toys", "books"))

    def image_of(name: str) -> Any:
        return live(cluster, "ConfigMap", name).get("data", {}).get("image")

    with operator(log):
        eventually(lambda: image_of("toys") and image_of("books"), log)
        found = eventually(lambda: live(cluster, "Shop", "toys").get("status") and live(cluster, "Shop", "toys"), log)
        assert found["status"] == {"roll_out": {"image": "shop:1"}}
        assert found["metadata"]["finalizers"] == [FINALIZER]
        assert live(cluster, "ConfigMap", "toys")["metadata"]["ownerReferences"][0]["uid"] == found["metadata"]["uid"]
        cluster.patch(toys, {"spec": {"image": "shop:2"}}, "merge")
        eventually(lambda: image_of("toys") == "shop:2", log)
        eventually(lambda: any(one["reason"] == "RolledOut" for one in cluster.list("v1", "Event")), log)

    cluster.delete(books)  # the stopped operator cannot remove its finalizer
    cluster.patch(toys, {"spec": {"image": "shop:3"}}, "merge")
    time.sleep(0.5)
    assert live(cluster, "Shop", "books")["metadata"]["deletionTimestamp"]
    assert image_of("toys") == "shop:2"

    with operator(log):
        eventually(lambda: not live(cluster, "Shop", "books"), log)
        assert live(cluster, "ConfigMap", "books-is-gone")
        eventually(lambda: image_of("toys") == "shop:3", log)
    assert live(cluster, "Shop", "toys")["metadata"]["finalizers"] == [FINALIZER]
    assert not live(cluster, "ConfigMap", "toys-is-gone")
