"""`get --watch`: the current objects, and then their changes."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from kubemerge.apiserver.http.listening.running import served
from kubemerge.cluster import Reference, open_cluster

from ....conftest import ROOT
from ...objects import config_map, deployment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from kubemerge.apiserver.cluster import EmbeddedCluster

    from ...shell import Shell

    Lines = Callable[..., Iterator[str]]

WEB = Reference("apps/v1", "Deployment", "web", "default")
LONG = "a-name-that-is-longer"


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[EmbeddedCluster]:
    with open_cluster(str(tmp_path / "cluster.db"), release="1.37") as cluster:
        cluster.create(deployment("web"))
        yield cluster


@pytest.fixture(params=["a file", "a server"])
def lines(cluster: EmbeddedCluster, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Lines]:
    """A function that starts the command, and reads the lines it prints."""
    running: list[subprocess.Popen[str]] = []

    def start(*words: str) -> Iterator[str]:
        whole = [sys.executable, "-m", "kubemerge", "get", *words, *where]
        process = subprocess.Popen(whole, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        running.append(process)
        assert process.stdout is not None
        return (line.rstrip("\n") for line in process.stdout)

    if request.param == "a file":
        where = ["--cluster", cluster.file]
        yield start
    else:
        with served(cluster) as serving:
            serving.write_kubeconfig(tmp_path / "kubeconfig")
            where = ["--kubeconfig", str(tmp_path / "kubeconfig")]
            yield start
    for process in running:
        process.terminate()
        process.communicate(timeout=20)


def change(cluster: EmbeddedCluster) -> None:
    """A wider row is added, one is changed, and one is gone."""
    cluster.create(deployment(LONG))
    cluster.patch(WEB, {"spec": {"replicas": 10}}, "merge")
    cluster.delete(Reference("apps/v1", "Deployment", LONG, "default"))


def test_rows_are_added_to_the_table(lines: Lines, cluster: EmbeddedCluster) -> None:
    said = lines("deploy", "-w")
    assert next(said).split() == ["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE"]
    assert next(said).startswith("web    0/1     0            0           ")
    change(cluster)
    assert next(said).startswith(f"{LONG}   0/1     0            0           ")
    assert next(said).startswith(f"{'web':{len(LONG)}}   0/10    0            0           ")
    assert next(said).startswith(f"{LONG}   0/1     0            0           ")


def test_one_object_and_only_what_changes(lines: Lines, cluster: EmbeddedCluster) -> None:
    said = lines("deploy", "web", "-w", "-o", "name")
    assert next(said) == "deployment.apps/web"
    change(cluster)
    assert next(said) == "deployment.apps/web"


def test_what_has_happened(lines: Lines, cluster: EmbeddedCluster) -> None:
    said = lines("deploy", "-w", "--output-watch-events", "-o", "json")
    first = json.loads(next(said))
    assert (first["type"], first["object"]["metadata"]["name"]) == ("ADDED", "web")
    change(cluster)
    events = [json.loads(next(said)) for _ in range(3)]
    assert [one["type"] for one in events] == ["ADDED", "MODIFIED", "DELETED"]
    rows = lines("deploy", "-w", "--output-watch-events", "--no-headers")
    assert next(rows).startswith("ADDED      web   0/10   ")


def test_documents_are_separated(lines: Lines, cluster: EmbeddedCluster) -> None:
    said = lines("deploy", "-w", "-o", "yaml")
    assert next(said) == "apiVersion: apps/v1"
    change(cluster)
    assert next(line for line in said if line.startswith("---")) == "---"
    assert next(said) == "apiVersion: apps/v1"


def test_what_cannot_be_watched(shell: Shell) -> None:
    shell.write("a.yaml", config_map("a"), config_map("b"))
    shell.done("apply", "-f", "a.yaml")
    assert shell.fails("get", "cm,deploy", "-w") == "you may only specify a single resource type"
    assert shell.fails("get", "-f", "a.yaml", "-w").startswith("objects in files cannot be watched")
    assert shell.fails("get", "cm", "nope", "-w") == 'configmaps "nope" not found'
    assert shell.fails("get", "cm", "--output-watch-events").endswith("only be used with --watch or --watch-only")
    assert shell.run("get", "cm", "a", "b", "-w", "-o", "name") == 1
    assert shell.out.split() == ["configmap/a", "configmap/b"]
    assert "you may only watch a single resource or type of resource at a time" in shell.err
