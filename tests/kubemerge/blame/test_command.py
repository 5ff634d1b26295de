"""The command: its arguments, its text, and objects that a real server has recorded."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..objects import deployment
from .repository import Repository

if TYPE_CHECKING:
    from ..shell import Shell

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="no git")

RECORDED: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "ownership" / "who_set.json").read_text(encoding="utf-8")
)
"""Deployments of a real server, with their managedFields."""
MAP = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
data:
  plain: v
  text: |
    one
    two
  again: &again x
  long: a value that is much longer than all of the others in this file
  alias: *again
"""


TEXT = """\
configmap/a  a.yaml:1
  apiVersion          unchanged: config and live agree
    config  "v1"          line 1  1st ANN
  data.again          unchanged: config and live agree
    config  "x"           line 10  1st ANN
    live    "x"           kubectl-client-side-apply (Update T)
  data.alias          unchanged: config and live agree
    config  "x"           line 10 by the alias on line 12  1st ANN
    live    "x"           kubectl-client-side-apply (Update T)
  data.long           unchanged: config and live agree
    config  "a value that is much longer than al ...  line 11  1st 2026-10-01 Ann: Add the settings of the appli...
    live    "a value that is much longer than al ...  kubectl-client-side-apply (Update T)
  data.plain          set: config differs from live
    config  "w"           line 6  2nd 2026-10-02 Bob: A word A word A word A word A word A word A word A word A ...
    live    "v"           kubectl-client-side-apply (Update T)
  data.text           set: config differs from live
    config  "one\\n2\\n"    lines 7-9  not committed
    live    "one\\ntwo\\n"  kubectl-client-side-apply (Update T)
  kind                unchanged: config and live agree
    config  "ConfigMap"   line 2  1st ANN
  metadata.name       unchanged: config and live agree
    config  "a"           line 4  1st ANN
  metadata.namespace  unchanged: config and live agree
    config  "default"     not in the file
"""


@pytest.fixture
def repository(shell: Shell) -> Repository:
    made = Repository(shell.folder)
    made.commit("Ann", {"a.yaml": MAP, ".gitignore": ".kubemerge\n"}, summary="Add the settings of the application")
    return made


def test_the_text_has_columns(repository: Repository, shell: Shell) -> None:
    shell.done("apply", "-f", "a.yaml")
    commit = repository.commit("Bob", {"a.yaml": MAP.replace("plain: v", "plain: w")}, summary="A word " * 30)[:8]
    repository.write({"a.yaml": MAP.replace("plain: v", "plain: w").replace("two", "2")})
    assert shell.run("blame", "a.yaml", "--color=never") == 0
    first = repository.git("rev-parse", "--short=8", "HEAD^").strip()
    texts = {" 2026-10-01 Ann: Add the settings of the application": " ANN", first: "1st", commit: "2nd"}
    found = shell.out
    for text, short in texts.items():
        found = found.replace(text, short)
    assert re.sub(r"since [^)]+", "T", found) == TEXT
    assert max(map(len, shell.out.splitlines())) <= 120


def test_colours(repository: Repository, shell: Shell) -> None:
    assert repository
    assert shell.run("blame", "a.yaml", "--color=always") == 0
    plain = shell.out
    assert "\x1b[33m" in plain  # the commit, as in git
    assert shell.run("blame", "a.yaml", "--color=never") == 0
    assert "\x1b" not in shell.out


@pytest.mark.parametrize("name", [name for name in RECORDED if name != "config"])
def test_each_field_of_a_real_server_has_an_origin(name: str, repository: Repository, shell: Shell) -> None:
    """Of every value in live, a manager, the server or a default value is known."""
    repository.commit("Ann", {"config.json": json.dumps(RECORDED["config"], indent=1)})
    shell.write("live.json", RECORDED[name])
    assert shell.run("blame", "config.json", "--live", "live.json", "--all", "-o", "json", "--release", "1.37") == 0
    rows = {row["path"]: row for row in json.loads(shell.out)}
    for path, row in rows.items():
        if row["config"] is not None:
            assert row["config"]["commit"]["author"] == "Ann", path
        identity = path in ("apiVersion", "kind", "metadata.name", "metadata.namespace")
        server = row["setBy"] == "server" or path == "metadata.generation"
        assert row["owners"] or server or identity or row["before"] is None, path
        assert row["reason"] != "kept: only in live, set by another writer", path
    assert {row["default"]["release"] for row in rows.values() if row["default"]} == {"1.37"}


REAL = [
    ("by_people", "spec.replicas", [("kubectl", "scale", "person")]),
    ("by_people", "metadata.labels.app", [("team-b", None, "apply")]),
    ("by_people", "spec.template.spec.containers[name=side].image", [("kubectl-patch", None, "person")]),
    ("by_controllers", "spec.replicas", [("kube-controller-manager", "scale", "controller")]),
    (
        "by_controllers",
        "status.conditions[type=Available].status",
        [("kube-controller-manager", "status", "controller")],
    ),
]


@pytest.mark.parametrize(("name", "path", "owners"), REAL, ids=str)
def test_managers_of_a_real_server(name: str, path: str, owners: list[tuple[str, ...]], shell: Shell) -> None:
    shell.write("config.json", RECORDED["config"])
    shell.write("live.json", RECORDED[name])
    assert shell.run("blame", "-f", "config.json", "--live", "live.json", path, "-o", "json") == 0
    (row,) = [one for one in json.loads(shell.out) if one["path"] == path]
    assert [(one["manager"], one["subresource"], one["kind"]) for one in row["owners"]] == owners


def test_a_kustomization_has_no_commits(
    repository: Repository, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "kustomize"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\ncat a.yaml\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    assert repository
    assert shell.run("blame", "-k", ".", "data.plain", "-o", "json") == 0, shell.err
    (row,) = json.loads(shell.out)
    assert (row["config"]["state"], row["config"]["commit"]) == ("unknown", None)
    assert "no commits of kustomization:.: only files have lines in git" in shell.err


def test_an_api_server_is_read_only(repository: Repository, shell: Shell, kube_server: Any) -> None:
    assert repository
    live = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"plain": "x"}}
    kube_server.cluster.create(live, manager="team-a")
    assert shell.run("blame", "a.yaml", "--kubeconfig", kube_server.kubeconfig, "--field", "data.plain") == 0, shell.err
    assert shell.out.splitlines()[1] == "  data.plain  set: config differs from live"
    assert '    live    "x"  team-a (Update since ' in shell.out
    assert [write.manager for write in kube_server.writes()] == ["team-a"]


def test_a_broken_object_does_not_hide_the_others(repository: Repository, shell: Shell) -> None:
    repository.commit("Bob", {"a.yaml": MAP + "---\nkind: Pod\n---\n" + MAP.replace("name: a", "name: b")})
    assert shell.run("blame", "a.yaml", "--field", "data.plain", "-o", "json") == 2
    found = {row["object"]: row["config"]["commit"]["author"] for row in json.loads(shell.out)}
    assert found == {"configmap/a": "Ann", "configmap/b": "Bob"}
    assert "a.yaml:14: Pod has no apiVersion" in shell.err


def test_a_conflict_of_one_object_is_no_failure(repository: Repository, shell: Shell) -> None:
    assert repository
    shell.done("apply", "--server-side", "--field-manager=other", "-f", "a.yaml")
    repository.write({"a.yaml": MAP.replace("plain: v", "plain: w")})
    assert shell.run("blame", "a.yaml", "--server-side") == 0
    assert "  data.plain          conflict with other (Apply since " in shell.out
    assert shell.out.endswith("  the server rejects the apply: 1 conflict\n")


MISTAKES = {
    (): "pass the files of the config: `kubemerge blame FILE --live FILE`",
    ("-f", "a.yaml", "x", "y"): "with -f, only one PATH may be given",
    ("-f", "a.yaml", "x", "--field", "y"): "with -f, only one PATH may be given",
    ("a.yaml", "--force-conflicts"): "--force-conflicts only works with --server-side",
    ("nowhere.yaml",): "nowhere.yaml: No such file or directory. Pass a readable file",
    ("a.yaml", "data.plain"): "data.plain: no such file. If it is a field, pass `--field data.plain`",
    ("a.yaml", "--field", "data["): "data[",
    ("d.yaml", "--field", "spec.replica"): "Did you mean spec.replicas?",
    ("a.yaml", "--live", "a.yaml", "--context", "x"): "--live (a file) and --context (a server) exclude each other",
}


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_mistakes(words: tuple[str, ...], repository: Repository, shell: Shell) -> None:
    assert repository
    shell.write("d.yaml", deployment())
    assert MISTAKES[words] in shell.fails("blame", *words)
