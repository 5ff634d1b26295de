"""`diff`, `merge` and `why` against a cluster, where no files of live objects are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import Reference, open_cluster

from ...codegen.documents import kubemerge
from ..objects import applied, config_map, deployment, write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A cluster that holds the ConfigMap `settings` and the Deployment `web`, applied and then changed."""
    monkeypatch.chdir(tmp_path)
    file = str(tmp_path / "cluster.db")
    monkeypatch.setenv("KUBEMERGE_CLUSTER", file)
    with open_cluster(file) as found:
        found.create(applied(config_map(namespace="default", data={"a": "1"})))
        config = deployment("web", replicas=1)
        config["metadata"]["namespace"] = "default"
        found.create(applied(config))
        scale = {"spec": {"replicas": 5}}
        found.patch(Reference("apps/v1", "Deployment", "web", "default"), scale, "merge")
    return file


def stored(file: str, kind: str, name: str) -> dict[str, Any]:
    with open_cluster(file, mode="read") as found:
        return found.get(Reference("v1" if kind == "ConfigMap" else "apps/v1", kind, name, "default"))


def test_the_same_config_is_no_difference(cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("diff", "-f", write(tmp_path, "c.yaml", config_map(data={"a": "1"}))) == 0
    assert capsys.readouterr().out == ""


def test_diff_shows_what_an_apply_would_do_and_does_nothing(
    cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = stored(cluster, "ConfigMap", "settings")
    assert kubemerge("diff", "-f", write(tmp_path, "c.yaml", config_map(data={"a": "2"}))) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith(("-  ", "+  "))] == ["-  a: '1'".replace("'", '"'), '+  a: "2"']
    assert stored(cluster, "ConfigMap", "settings") == before


def test_diff_asks_the_cluster_for_default_values(
    cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kubemerge("diff", "-f", write(tmp_path, "c.yaml", deployment("new")), "--cluster", cluster) == 1
    said = capsys.readouterr().out
    assert "+  progressDeadlineSeconds: 600\n" in said
    assert "uid" not in said
    assert "creationTimestamp" not in said


def test_diff_tells_what_the_cluster_would_refuse(
    cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = deployment("web", selector={"matchLabels": {"app": "other"}})
    assert kubemerge("diff", "-q", "-f", write(tmp_path, "c.yaml", config)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "c.yaml:1: deployment.apps/web: " in line
    assert "selector" in line


def test_why_and_merge_read_the_cluster_too(cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(tmp_path, "c.yaml", deployment("web"))
    assert kubemerge("why", "-f", config, "spec.replicas") == 0
    assert "spec.replicas  cleared: in last-applied, not in config" in capsys.readouterr().out
    assert kubemerge("merge", "-f", config, "-o", "patch") == 0
    assert '"replicas":null' in capsys.readouterr().out


def test_the_usual_file_is_looked_at_when_it_is_there(
    cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KUBEMERGE_CLUSTER")
    config = write(tmp_path, "c.yaml", config_map(data={"a": "1"}))
    assert kubemerge("diff", "-f", config) == 1
    (tmp_path / ".kubemerge").mkdir()
    (tmp_path / "cluster.db").rename(tmp_path / ".kubemerge" / "cluster.db")
    assert kubemerge("diff", "-f", config) == 0


def test_files_of_live_objects_go_before_a_cluster(
    cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = write(tmp_path, "live.yaml", applied(config_map(data={"a": "9"})))
    assert kubemerge("diff", "-f", write(tmp_path, "c.yaml", config_map(data={"a": "9"})), "--live", live) == 0


def test_a_kind_that_the_cluster_does_not_serve(
    cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(tmp_path, "c.yaml", {"apiVersion": "x.test/v1", "kind": "X", "metadata": {"name": "x"}})
    assert kubemerge("diff", "-q", "-f", config) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert 'no matches for kind "X" in version "x.test/v1"' in line


def test_a_file_that_is_no_cluster_is_one_line(
    cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = tmp_path / "notes.txt"
    foreign.write_text("not a database\n" * 100)
    config = write(tmp_path, "c.yaml", config_map())
    assert kubemerge("diff", "-f", config, "--cluster", foreign) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "notes.txt" in line
    assert foreign.read_text() == "not a database\n" * 100
