"""`diff`, `merge` and `why` against a cluster, where no files of live objects are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import Reference, open_cluster

from ...codegen.sample_specs import kubemerge
from ...conftest import ROOT
from ..objects import applied, config_map, deployment, write

if TYPE_CHECKING:
    from pathlib import Path

    from ..shell import Shell


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


NEW = " (no --live and no cluster, so every object counts as new)"


def stored(file: str, kind: str, name: str) -> dict[str, Any]:
    with open_cluster(file, mode="read") as found:
        return found.get(Reference("v1" if kind == "ConfigMap" else "apps/v1", kind, name, "default"))


def test_the_same_config_is_not_a_difference(cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_a_file_that_is_not_a_cluster_is_one_line(
    cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    foreign = tmp_path / "notes.txt"
    foreign.write_text("not a database\n" * 100)
    config = write(tmp_path, "c.yaml", config_map())
    assert kubemerge("diff", "-f", config, "--cluster", foreign) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "notes.txt" in line
    assert foreign.read_text() == "not a database\n" * 100


# ---- where no cluster is ---------------------------------------------------------------------------------------------


def asked(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, list[str]]:
    """The exit code, the output and the messages of a diff."""
    code = kubemerge("diff", *words)
    said = capsys.readouterr()
    return code, said.out, said.err.splitlines()


def test_diff_asks_a_new_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown, said = asked(capsys, "-f", write(tmp_path, "c.yaml", deployment("new")))
    assert (code, said) == (1, ["1 of 1 object would change" + NEW])
    assert "+  namespace: default\n" in shown
    assert "+  progressDeadlineSeconds: 600\n" in shown
    assert not list(tmp_path.glob("**/*.db"))


def test_what_a_new_cluster_refuses_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(tmp_path, "c.yaml", deployment("web", selector={"matchLabels": {"app": "other"}}), config_map())
    code, shown, said = asked(capsys, "-f", config)
    assert code == 2
    assert "v1.ConfigMap.default.settings" in shown
    assert 'Deployment.apps "web" is invalid: spec.template.metadata.labels' in said[0]
    assert said[1:] == ["1 of 1 object would change, 1 could not be merged" + NEW]


CUSTOM = {"apiVersion": "test.example/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "apps"}}


@pytest.mark.parametrize("words", [(), ("--cluster", "none.db"), ("--cluster", ":memory:")])
def test_a_custom_resource_is_new_where_no_cluster_is(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, shown, said = asked(capsys, "-f", write(tmp_path, "c.yaml", CUSTOM), *words)
    assert (code, said[-1]) == (1, "1 of 1 object would change" + NEW)
    assert "+  name: w\n+  namespace: apps\n" in shown


PARTS = "items: {type: object, x-kubernetes-preserve-unknown-fields: true}"
"""The element schema that a server requires."""


def test_a_custom_resource_is_read_by_the_definition_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(tmp_path, "c.yaml", CUSTOM)
    text = (ROOT / "tests" / "data" / "specs" / "crd-v1.yaml").read_text(encoding="utf-8")
    definition = tmp_path / "crd.yaml"
    definition.write_text(text.partition("  - name: v1alpha1")[0].replace("items: {}", PARTS), encoding="utf-8")
    assert "no schema" in asked(capsys, "-f", config)[2][0]
    assert asked(capsys, "-f", config, "-f", definition)[2] == ["2 of 2 objects would change" + NEW]
    assert asked(capsys, "-f", config, "--schema", definition)[2] == ["1 of 1 object would change" + NEW]


@pytest.mark.parametrize("key", [("extensions/v1beta1", "Ingress"), ("apps/v1", "Deploiment")])
def test_a_kind_that_no_definition_can_bring_is_refused(
    key: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    api_version, kind = key
    config = write(tmp_path, "c.yaml", {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}})
    code, shown, said = asked(capsys, "-f", config)
    assert (code, shown) == (2, "")
    assert f'no matches for kind "{kind}" in version "{api_version}"' in said[-1]


def test_a_namespace_that_is_not_there_is_not_an_error_where_no_cluster_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "apps"}}
    config = write(tmp_path, "c.yaml", config_map(namespace="apps"), space, config_map("other", namespace="apps"))
    code, shown, said = asked(capsys, "-f", config)
    assert (code, said) == (1, ["3 of 3 objects would change" + NEW])
    assert shown.count("@@ -0,0 +1,") == 3


def test_the_version_that_a_new_object_asks_for_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, shown, said = asked(capsys, "-f", write(tmp_path, "c.yaml", config_map(resourceVersion="4711")))
    assert (code, said) == (1, ["1 of 1 object would change" + NEW])
    assert "4711" not in shown


def test_merge_still_needs_no_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("merge", "-f", write(tmp_path, "c.yaml", deployment("new")), "-o", "patch") == 0
    said = capsys.readouterr()
    assert "progressDeadlineSeconds" not in said.out
    assert said.err == "deployment.apps/new created\n"


# ---- where live was taken from ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["merge", "why"])
def test_a_cluster_that_nobody_named_is_reported_once(
    command: str, cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(tmp_path, "c.yaml", config_map(data={"a": "1"}), deployment("web"))
    told = f"using live objects from {cluster} (override with --live)"
    assert kubemerge(command, "-f", config) == 0
    assert capsys.readouterr().err.splitlines().count(told) == 1
    for words in (("-q",), ("--cluster", cluster)):
        assert kubemerge(command, "-f", config, *words) == 0
        assert told not in capsys.readouterr().err


def test_diff_asks_its_cluster_as_kubectl_does(
    cluster: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(tmp_path, "c.yaml", config_map(data={"a": "2"}))
    assert asked(capsys, "-f", config)[2] == ["1 of 1 object would change"]


@pytest.mark.parametrize("command", ["diff", "merge", "why"])
def test_a_generated_name_is_reported_as_without_a_cluster(command: str, shell: Shell) -> None:
    shell.write("a.yaml", config_map("a"))
    shell.done("apply", "-f", "a.yaml")
    nameless = config_map("")
    nameless["metadata"] = {"generateName": "x-"}
    shell.write("b.yaml", nameless)
    assert shell.run(command, "-f", "b.yaml") == 2
    assert "cannot use generate name with apply" in shell.err
