"""The files of a workspace are untrusted: none runs a program, blocks the server, or reaches outside."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from kubemerge.linting.repository.settings import BadSettings, Settings, inside
from kubemerge.linting.runs import about_paths
from kubemerge.lsp.checking import Checker
from kubemerge.lsp.definitions import definition
from kubemerge.lsp.repository import Repository
from kubemerge.manifests import kustomize

from .editor import Editor
from .hostile import CRD

SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {type: Nope, ports: [{port: 80}]}\n"
WIDGET = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {colour: green}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "repository"
    found.mkdir()
    subprocess.run(["git", "init", "-q", str(found)], check=True)
    monkeypatch.chdir(found)
    return found


def check(name: str, text: str, said: list[str] | None = None) -> list[str]:
    """The codes of a document."""
    repository = Repository(str(Path.cwd()), pytest.fail if said is None else said.append)
    found = Checker(name, repository).check(text, {name: text.encode()}, lambda: True, alone=False)
    return [one.code for one in found]


def add() -> None:
    subprocess.run(["git", "add", "-A"], check=True)


@pytest.mark.parametrize("name", ["a.yaml", "kustomization:x.yaml", "kustomization:x.yaml/a.yaml", "-/a.yaml"])
def test_a_file_with_the_name_of_a_kustomization_runs_nothing(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kustomize, "build", pytest.fail)
    for one in ("x.yaml", "-", "kustomization:x.yaml") if "/" in name else ("x.yaml",):
        (folder / one).mkdir()
        (folder / one / "a.yaml").write_text(SERVICE, encoding="utf-8")
    if "/" not in name:
        (folder / "kustomization:x.yaml").write_text(CRD, encoding="utf-8")
    add()
    assert check(name, SERVICE) == ["KM103"]


def test_a_new_file_with_a_comma_is_one_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kustomize, "build", pytest.fail)
    (folder / "x.yaml").mkdir()
    assert check("a,kustomization:x.yaml", SERVICE) == ["KM103"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="There are no pipes in folders on this system")
def test_pipes_and_the_messages_of_the_client_are_not_read(tmp_path: Path) -> None:
    """A server whose root is no repository, so that nothing is left out by git."""
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "input.yaml").symlink_to("/dev/stdin")
    (tmp_path / "sub").mkdir()
    editor = Editor(tmp_path)
    for name in ("sub/a.yaml", "b.yaml", "pipe.yaml", "input.yaml"):
        editor.diagnostics(editor.open(name, SERVICE))
    assert editor.quit() == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="There are no pipes in folders on this system")
def test_a_pipe_that_is_no_longer_open_is_not_read(folder: Path) -> None:
    os.mkfifo(folder / "pipe.yaml")
    checker = Checker("pipe.yaml", Repository(str(folder), pytest.fail))
    assert checker.check(SERVICE, {}, lambda: True, alone=False) == []


def test_a_link_out_of_the_repository_defines_nothing(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(CRD, encoding="utf-8")
    (folder / "link.yaml").symlink_to(tmp_path / "crd.yaml")
    add()
    outside = check("sub/a.yaml", WIDGET)
    (folder / "link.yaml").unlink()
    (folder / "crd.yaml").write_text(CRD, encoding="utf-8")
    add()
    assert outside == []
    assert check("sub/a.yaml", WIDGET) != []


def test_a_deleted_definition_has_no_place(folder: Path) -> None:
    (folder / "crd.yaml").write_text(CRD, encoding="utf-8")
    add()
    checker = Checker("a.yaml", Repository(str(folder), pytest.fail))
    checker.check(WIDGET, {}, lambda: True, alone=True)
    offset = WIDGET.index("colour")
    assert definition(WIDGET, offset, checker.rules(), {}) is not None
    (folder / "crd.yaml").unlink()
    assert definition(WIDGET, offset, checker.rules(), {}) is None


@pytest.mark.parametrize("key", ["schemas", "policies"])
def test_settings_that_lead_out_are_rejected_before_a_walk(
    key: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole disk would take minutes, on each change of a document."""
    walked: list[str] = []
    walk, rglob = os.walk, Path.rglob

    def walking(top: str, *rest: Any, **named: Any) -> Any:
        walked.append(str(top))
        return iter(()) if top == "/" else walk(top, *rest, **named)

    def searching(self: Path, *rest: Any, **named: Any) -> Any:
        walked.append(str(self))
        return iter(()) if str(self) == "/" else rglob(self, *rest, **named)

    monkeypatch.setattr(os, "walk", walking)
    monkeypatch.setattr(Path, "rglob", searching)
    (folder / "kubemerge.toml").write_text(f'{key} = ["/"]\n', encoding="utf-8")
    said: list[str] = []
    assert check("a.yaml", SERVICE, said) == ["KM103"]
    assert "/" not in walked
    assert len(said) == 1
    assert "leads out of the settings folder" in said[0]
    with pytest.raises(BadSettings):
        inside(Settings(folder=str(folder)), key, "/")
    assert "/" not in walked


POLICY = """\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [services]}]
  validations: [{expression: "object."}]
"""


@pytest.mark.parametrize("text", [POLICY, "a: b\n", "apiVersion: ["], ids=["CEL", "no policy", "no YAML"])
def test_an_invalid_policy_is_a_message_and_ends_no_diagnostics(text: str, folder: Path) -> None:
    (folder / "kubemerge.toml").write_text('policies = ["policies/p.yaml"]\n', encoding="utf-8")
    (folder / "policies").mkdir()
    (folder / "policies" / "p.yaml").write_text(text, encoding="utf-8")
    said: list[str] = []
    assert check("a.yaml", SERVICE, said) == ["KM103"]
    assert len(said) == 1


def test_a_link_to_nothing_in_a_folder_of_schemas_ends_no_diagnostics(folder: Path) -> None:
    (folder / "kubemerge.toml").write_text('schemas = ["schemas"]\n', encoding="utf-8")
    (folder / "schemas").mkdir()
    (folder / "schemas" / "crd.yaml").write_text(CRD, encoding="utf-8")
    (folder / "schemas" / "link").symlink_to("nowhere")
    assert check("a.yaml", SERVICE) == ["KM103"]
    assert about_paths(["schemas"]) is None
    assert about_paths(["schemas/crd.yaml"]) is not None
