"""Recording a cluster over its API, for tests that start with the record."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.http.listening.running import served
from kubemerge.cluster import open_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from ..shell import Shell

RECORDS = """
import pytest

@pytest.fixture
def kube_dump():
    return "dump.json"

def test_it_is_there(kube_store, kube_server):
    assert kube_store.list("example.com/v1", "Shop", namespace="shop")
    (secret,) = kube_store.list("v1", "Secret", namespace="shop")
    assert secret["data"] == {"password": ""}
    assert kube_server.cluster is kube_store
"""
SECRET = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {
        "name": "s",
        "namespace": "shop",
        "annotations": {
            "kubectl.kubernetes.io/last-applied-configuration": '{"data":{"password":"aHVzaA=="}}',
            "a": "b",
        },
    },
    "data": {"password": "aHVzaA=="},
}


def definition() -> dict[str, Any]:
    names = {"kind": "Shop", "plural": "shops", "singular": "shop", "listKind": "ShopList"}
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    versions = [
        {"name": name, "served": True, "storage": name == "v1", "schema": schema} for name in ("v1", "v1alpha1")
    ]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "shops.example.com"},
        "spec": {"group": "example.com", "names": names, "scope": "Namespaced", "versions": versions},
    }


@pytest.fixture
def dump(shell: Shell, tmp_path: Path) -> str:
    """The dump of a served cluster."""
    with open_cluster(":memory:", release="1.37") as cluster:
        cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}})
        cluster.create(definition())
        cluster.create({"apiVersion": "example.com/v1", "kind": "Shop", "metadata": {"name": "a", "namespace": "shop"}})
        cluster.create(SECRET)
        with served(cluster) as serving:
            serving.write_kubeconfig(tmp_path / "kubeconfig")
            plain = shell.done("cluster", "export", "--kubeconfig", tmp_path / "kubeconfig", "--secrets", "-o", "json")
            assert json.loads(plain)["items"] == sorted_as_printed(json.loads(plain)["items"], cluster)
            return shell.done("cluster", "export", "--kubeconfig", tmp_path / "kubeconfig", "-o", "json")


def sorted_as_printed(items: list[dict[str, Any]], cluster: Any) -> list[dict[str, Any]]:
    """The stored objects of the cluster, in the order of these."""
    stored = {(one["kind"], one["metadata"].get("namespace"), one["metadata"]["name"]): one for one in cluster.dump()}
    found = [stored.pop((one["kind"], one["metadata"].get("namespace"), one["metadata"]["name"])) for one in items]
    assert not stored
    return found


def test_everything_is_recorded_once_and_secrets_lose_their_values(dump: str) -> None:
    objects = json.loads(dump)["items"]
    assert sum(one["kind"] == "Shop" for one in objects) == 1
    (secret,) = (one for one in objects if one["kind"] == "Secret")
    assert (secret["data"], secret["metadata"]["annotations"]) == ({"password": ""}, {"a": "b"})
    assert "aHVzaA" not in dump


@pytest.mark.slow
def test_tests_begin_with_it(dump: str, tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_text(dump, encoding="utf-8")
    (tmp_path / "test_it.py").write_text(RECORDS, encoding="utf-8")
    whole = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_it.py"]
    done = subprocess.run(whole, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout


def test_kinds_that_may_not_be_listed_are_named(shell: Shell, tmp_path: Path) -> None:
    with open_cluster(":memory:", release="1.37") as cluster, served(cluster) as serving:
        serving.write_kubeconfig(tmp_path / "kubeconfig")
        serving.faults.fail(403, path="/api/v1/secrets*")
        assert shell.run("cluster", "export", "--kubeconfig", tmp_path / "kubeconfig", "-o", "json") == 0
    assert "secrets" in shell.err
    assert json.loads(shell.out)["items"]
