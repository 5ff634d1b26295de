"""`kubemerge diff --prune`, and an object that is in the config twice: as `kubectl diff` shows them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kubemerge.diff.difference import Show
from kubemerge.diff.external import Folders
from kubemerge.diff.removal import Removal

from ...objects import config_map

if TYPE_CHECKING:
    from pathlib import Path

    from ...shell import Shell

ONE = config_map("one", {"a": "1"}, labels={"app": "web"})
CHANGED = config_map("one", {"a": "2"}, labels={"app": "web"})
OLD = config_map("old", {"a": "1"}, labels={"app": "web"})
OTHER = config_map("other", {"a": "1"}, labels={"app": "x"})
DEPRECATED = "Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\n"
SECRET = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"password": "hunter2"}}


@pytest.fixture
def applied(shell: Shell) -> Shell:
    """A cluster in which three ConfigMaps were applied, and one was created."""
    shell.done("apply", "-f", shell.write("all.yaml", ONE, OLD, OTHER))
    shell.create(config_map("never-applied", labels={"app": "web"}))
    shell.write("one.yaml", ONE)
    return shell


def removed(shell: Shell, *words: str) -> list[str]:
    """The objects that a diff with --prune shows as removed."""
    shell.run("diff", "--prune", "-o", "json", "-q", *words)
    assert shell.code == (1 if shell.out != "[]\n" else 0), shell.err
    return [one["object"] for one in json.loads(shell.out) if one["action"] == "removed"]


def test_what_would_be_pruned_is_shown_as_removed(applied: Shell) -> None:
    assert applied.run("diff", "--prune", "-f", "one.yaml", "-l", "app=web") == 1
    lines = applied.out.splitlines()
    assert lines[:3] == [
        "diff -u -N LIVE/v1.ConfigMap.default.old MERGED/v1.ConfigMap.default.old",
        "--- LIVE/v1.ConfigMap.default.old",
        "+++ MERGED/v1.ConfigMap.default.old",
    ]
    assert lines[3].startswith("@@ -1,")
    assert lines[3].endswith(" +0,0 @@")
    assert all(line.startswith("-") for line in lines[4:])
    assert applied.err == f"{DEPRECATED}0 of 1 object would change, 1 would be pruned\n"
    assert applied.live("cm", "old")


def test_it_comes_behind_what_would_change(applied: Shell) -> None:
    applied.run("diff", "--prune", "-f", applied.write("changed.yaml", CHANGED), "-l", "app=web", "-q")
    names = [line.rpartition(".")[2] for line in applied.out.splitlines() if line.startswith("diff ")]
    assert names == ["one", "old"]
    assert applied.done("diff", "-f", "one.yaml", "-q") == ""


def test_which_objects_go_is_what_apply_prunes(applied: Shell) -> None:
    assert removed(applied, "-f", "one.yaml") == ["configmap/old", "configmap/other"]
    assert removed(applied, "-f", "one.yaml", "-l", "app=web") == ["configmap/old"]
    assert removed(applied, "-f", "one.yaml", "-l", "app=nobody") == []
    assert removed(applied, "-f", "one.yaml", "--prune-allowlist", "core/v1/Secret") == []
    assert removed(applied, "-f", "all.yaml") == []
    assert applied.run("apply", "-f", "one.yaml", "--prune", "-l", "app=web") == 0
    assert applied.err == DEPRECATED
    lines = applied.out.splitlines()
    assert lines == ["configmap/one unchanged", "configmap/old pruned"]
    assert removed(applied, "-f", "one.yaml", "-l", "app=web") == []


def test_only_namespaces_of_the_config_are_looked_into(applied: Shell) -> None:
    applied.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "prod"}})
    applied.done("apply", "-f", "one.yaml", "-n", "prod")
    applied.write("prod.yaml", config_map("new"))
    assert removed(applied, "-f", "prod.yaml", "-n", "prod") == ["configmap/one"]


def test_the_values_of_a_secret_that_goes_are_masked(applied: Shell) -> None:
    applied.done("apply", "-f", applied.write("secret.yaml", SECRET))
    words = ("diff", "--prune", "-f", "one.yaml", "--prune-allowlist", "core/v1/Secret")
    assert applied.run(*words) == 1
    assert "***" in applied.out
    assert "aHVudGVyMg==" not in applied.out
    assert "hunter2" not in applied.out
    applied.run(*words, "--show-secrets")
    assert "aHVudGVyMg==" in applied.out


def test_a_program_that_shows_differences_finds_it_in_live_only(tmp_path: Path) -> None:
    both = Folders(tmp_path / "live", tmp_path / "merged")
    both.live.mkdir()
    both.merged.mkdir()
    removal = Removal(OLD, Show())
    both.add(removal.name, *removal.texts)
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["v1.ConfigMap..old"]
    assert (both.live / "v1.ConfigMap..old").exists()


def test_nothing_is_pruned_where_something_failed(applied: Shell) -> None:
    assert applied.run("diff", "--prune", "-f", "one.yaml", "-f", "gone.yaml") == 2
    assert "pruning is not predicted, because 1 object failed" in applied.err
    assert applied.out == ""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--live", "one.yaml"), "--prune requires a cluster. Omit it with --live"),
        (("--last-applied", "one.yaml"), "Omit it with --last-applied"),
        (("--html", "page.html"), "Omit it with --html"),
        (("--prune-allowlist", "core/v1/Nope"), 'no matches for kind "Nope" in version "v1"'),
        (("--prune-allowlist", "bad"), "--prune-allowlist 'bad' is not a kind"),
    ],
)
def test_what_cannot_be_pruned_is_refused(words: tuple[str, ...], message: str, applied: Shell) -> None:
    assert message in applied.fails("diff", "--prune", "-f", "one.yaml", *words)


# ---- an object that is in the config twice ------------------------------------------------------------------------


def test_the_last_of_two_counts(applied: Shell) -> None:
    file = applied.write("twice.yaml", CHANGED, config_map("one", {"a": "3"}, labels={"app": "web"}))
    assert applied.run("diff", "-f", file) == 1
    assert applied.out.count("diff -u") == 1
    assert '+  a: "3"' in applied.out
    said = "twice.yaml:3: configmap/one is also in twice.yaml:1. The last one is used"
    assert applied.err.splitlines() == [said, "1 of 1 object would change"]


def test_the_last_of_two_may_be_as_live(applied: Shell) -> None:
    file = applied.write("twice.yaml", CHANGED, ONE)
    assert applied.run("diff", "-f", file, "-q") == 0
    assert applied.out == ""


def test_objects_of_one_name_in_two_namespaces_are_two(applied: Shell) -> None:
    applied.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "prod"}})
    file = applied.write("two.yaml", CHANGED, config_map("one", namespace="prod"))
    assert applied.run("diff", "-f", file) == 1
    assert applied.err == "2 of 2 objects would change\n"


def test_objects_whose_names_are_made_up_are_never_the_same(applied: Shell) -> None:
    run = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "run-"}}
    applied.run("diff", "-f", applied.write("two.yaml", run, run))
    assert "already" not in applied.err
