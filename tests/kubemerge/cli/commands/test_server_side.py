"""`apply --server-side` and `diff --server-side`, beyond the comparison with kubectl in `serverside/`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.output.object_text import without_managed_fields

from ....conftest import needs_posix
from ...objects import config_map, deployment

if TYPE_CHECKING:
    from ...shell import Shell

CONFLICT = 'Error from server (Conflict): Apply failed with 1 conflict: conflict with "you" using v1: .data.k\n'


def managers(live: dict[str, Any]) -> set[str]:
    return {f"{one.manager} {one.operation}" for one in engine.field_owners(live)}


@pytest.fixture
def filled(shell: Shell) -> Shell:
    shell.write("a.yaml", config_map("a", {"k": "1"}, namespace="default"))
    shell.write("a2.yaml", config_map("a", {"k": "2"}, namespace="default"))
    shell.done("create", "--field-manager=you", "-f", "a.yaml")
    return shell


def test_safe_is_not_for_the_server(filled: Shell) -> None:
    said = filled.fails("apply", "--server-side", "--safe", "-f", "a.yaml")
    assert said.startswith("--safe requires client-side apply. Omit --server-side")


def test_a_conflict_beside_another_failure(filled: Shell) -> None:
    filled.write("odd.yaml", {**deployment("web"), "spec": {"foo": 1}})
    assert filled.run("apply", "--server-side", "-f", "a2.yaml", "-f", "odd.yaml") == 1
    first, *_, last = filled.err.splitlines()
    assert first == 'Apply failed with 1 conflict: conflict with "you" using v1: .data.k'
    assert last.startswith("Error from server: failed to create typed patch object")


def test_quiet_keeps_conflicts(filled: Shell) -> None:
    assert filled.run("apply", "--server-side", "-f", "a2.yaml", "-q") == 1
    assert filled.err.startswith("error: Apply failed with 1 conflict")


# ---- diff ------------------------------------------------------------------------------------------------------------


def test_a_difference_of_files(filled: Shell) -> None:
    live = filled.live("cm", "a")
    filled.write("live.yaml", live)
    (filled.folder / ".kubemerge" / "cluster.db").unlink()
    words = ("diff", "--server-side", "--live", "live.yaml", "-f", "a2.yaml")
    assert filled.run(*words) == 2
    assert filled.err.startswith(CONFLICT)
    assert filled.run(*words, "--force-conflicts") == 1
    assert '-  k: "1"\n+  k: "2"\n' in filled.out
    assert filled.run(*words, "--field-manager=me", "--force-conflicts", "-o", "json") == 1
    (fact,) = json.loads(filled.out)
    assert (fact["path"], fact["before"], fact["after"]) == ("data.k", "1", "2")
    assert "owned by me" in fact["reason"]


def test_a_difference_to_a_new_cluster(shell: Shell) -> None:
    shell.write("a.yaml", config_map("a", {"k": "1"}, namespace="shop"))
    assert shell.run("diff", "--server-side", "-f", "a.yaml") == 1
    assert '+  k: "1"\n' in shell.out
    assert "uid" not in shell.out
    assert not (shell.folder / ".kubemerge" / "cluster.db").exists()


def test_a_difference_writes_nothing(filled: Shell) -> None:
    before = filled.live("cm", "a")
    assert filled.run("diff", "--server-side", "--force-conflicts", "-f", "a2.yaml") == 1
    assert filled.live("cm", "a") == before


def test_force_conflicts_is_for_the_server(filled: Shell) -> None:
    assert filled.run("diff", "--force-conflicts", "-f", "a2.yaml") == 2
    assert filled.err.startswith("kubemerge: --force-conflicts only works with --server-side")


# ---- managers of other commands --------------------------------------------------------------------------------------


@needs_posix
def test_what_was_applied_last_is_edited_by_client_side_apply(filled: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    filled.done("apply", "set-last-applied", "--create-annotation", "-f", "a.yaml")
    assert managers(filled.live("cm", "a")) == {"you Update", "kubectl Update"}
    monkeypatch.setenv("KUBE_EDITOR", "sed -i s/1/3/")
    filled.done("apply", "edit-last-applied", "cm/a", "--field-manager=me")
    assert managers(filled.live("cm", "a")) == {"you Update", "kubectl Update", "me Update"}


@pytest.mark.parametrize("words", ["label cm/a x=y", "annotate cm/a x=y", "scale deploy/web --replicas=3", "get cm/a"])
def test_managed_fields_are_printed_only_if_they_are_asked_for(filled: Shell, words: str) -> None:
    filled.create(deployment("web"))
    shown = json.loads(filled.done(*words.split(), "-o", "json"))
    whole = json.loads(filled.done(*words.split(), "-o", "json", "--show-managed-fields"))
    assert "managedFields" not in shown["metadata"]
    assert "managedFields" in whole["metadata"]
    assert without_managed_fields(whole)["kind"] == shown["kind"]


def test_a_file_of_an_older_version_is_read_as_it_is(filled: Shell) -> None:
    """Its objects have no managedFields: they are not tracked until they are applied on the server."""
    live = without_managed_fields(filled.live("cm", "a"))
    filled.done("cluster", "import", filled.write("dump.yaml", live), "-q")
    filled.done("label", "cm/a", "x=y")
    assert "managedFields" not in filled.live("cm", "a")["metadata"]
    filled.done("apply", "--server-side", "-f", "a.yaml")
    assert managers(filled.live("cm", "a")) == {"kubectl Apply", "before-first-apply Update"}
