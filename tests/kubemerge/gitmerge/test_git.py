"""The driver in real repositories."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from kubemerge.gitmerge import setup
from kubemerge.gitmerge.definitions import Definitions
from tests.conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from ..shell import Shell

BASE = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
  template:
    spec:
      containers:
      - name: app
        image: app:1
"""
OURS = BASE.replace("replicas: 1", "replicas: 2")
THEIRS = BASE.replace("  template", "  paused: true\n  template").replace("app:1", "app:2")


class Repository:
    """A repository with the driver."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "web.yaml"
        self.git("init", "-q", "-b", "main")

    def git(self, *words: str, fails: bool = False) -> str:
        """The output of a git command."""
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "GIT_CONFIG_GLOBAL": os.devnull}
        done = subprocess.run(
            ["git", *identity, *words], cwd=self.folder, env=environment, check=False, capture_output=True, text=True
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    def commit(self, text: str) -> None:
        """Commit a text of the file."""
        self.file.write_text(text, encoding="utf-8")
        self.git("add", "-A")
        self.git("commit", "-qm", "change")

    def branches(self, base: str, ours: str, theirs: str) -> None:
        """Commit three versions, with `theirs` on a branch of that name."""
        self.commit(base)
        self.git("checkout", "-qb", "theirs")
        self.commit(theirs)
        self.git("checkout", "-q", "main")
        self.commit(ours)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    folder = tmp_path / "a repository"
    folder.mkdir()
    found = Repository(folder)
    monkeypatch.chdir(folder)
    command = f"{shlex.quote(sys.executable)} -m kubemerge"
    monkeypatch.setattr("shutil.which", lambda _: None)
    setup.set_up(everywhere=False)
    assert command in found.git("config", "merge.kubemerge.driver")
    return found


@pytest.mark.parametrize("words", [("merge", "-q", "theirs"), ("cherry-pick", "theirs"), ("rebase", "-q", "theirs")])
def test_git_merges_by_field(repository: Repository, words: tuple[str, ...]) -> None:
    repository.branches(BASE, OURS, THEIRS)
    repository.git(*words)
    merged = THEIRS.replace("replicas: 1", "replicas: 2")
    assert repository.file.read_text(encoding="utf-8") == merged
    assert "web.yaml" not in repository.git("status", "--short")


def test_a_conflict_has_the_markers_of_the_style(repository: Repository) -> None:
    repository.branches(BASE, OURS, BASE.replace("replicas: 1", "replicas: 3").replace("app:1", "app:2"))
    repository.git("config", "merge.conflictStyle", "diff3")
    said = repository.git("merge", "theirs", fails=True)
    assert "web.yaml: 1 conflict: Deployment web: spec.replicas" in said
    found = repository.file.read_text(encoding="utf-8").splitlines()
    markers = [line[:7] for line in found if line[:1] in tuple("<|=>")]
    assert markers == ["<<<<<<<", "|||||||", "=======", ">>>>>>>"]
    assert "        image: app:2" in found
    assert repository.git("status", "--short").startswith("UU web.yaml")


@pytest.mark.parametrize("name", ["--a.yaml", "a\n--b.yaml", "a 'b' $(c) %P.yaml"])
def test_odd_file_names(repository: Repository, name: str) -> None:
    repository.file = repository.folder / name
    repository.branches(BASE, OURS, THEIRS)
    said = repository.git("merge", "theirs")
    assert "merged by line" not in said
    assert repository.file.read_text(encoding="utf-8") == THEIRS.replace("replicas: 1", "replicas: 2")


def test_links_are_merged_by_git(repository: Repository) -> None:
    target, link = repository.folder / "target.yaml", repository.folder / "link.yaml"
    target.write_text(BASE, encoding="utf-8")
    link.symlink_to("target.yaml")
    repository.commit(BASE)
    repository.git("checkout", "-qb", "theirs")
    link.unlink()
    link.symlink_to("b.yaml")
    repository.commit(THEIRS)
    repository.git("checkout", "-q", "main")
    link.unlink()
    link.symlink_to("a.yaml")
    repository.commit(OURS)
    assert "link.yaml" in repository.git("merge", "theirs", fails=True)
    assert target.read_text(encoding="utf-8") == BASE
    assert repository.file.read_text(encoding="utf-8") == THEIRS.replace("replicas: 1", "replicas: 2")


def test_a_diff_shows_paths(repository: Repository) -> None:
    secret = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  password: hidden\n"
    repository.commit(f"{BASE}---\n{secret}")
    repository.file.write_text(f"{THEIRS}---\n{secret.replace('hidden', 'other')}", encoding="utf-8")
    found = [
        line for line in repository.git("diff").splitlines() if line[:1] in ("+", "-") and line[1:3] not in ("++", "--")
    ]
    assert found == [
        "+Deployment web: spec.paused: true",
        '-Deployment web: spec.template.spec.containers[name=app].image: "app:1"',
        '+Deployment web: spec.template.spec.containers[name=app].image: "app:2"',
    ]


def test_set_up_again_changes_nothing_and_undo_restores(shell: Shell) -> None:
    subprocess.run(["git", "init", "-q"], cwd=shell.folder, check=True)
    attributes = shell.folder / ".gitattributes"
    attributes.write_text("*.png binary", encoding="utf-8")
    config = (shell.folder / ".git" / "config").read_text(encoding="utf-8")
    assert shell.run("git-setup") == 0
    assert len(shell.out.splitlines()) == 5
    assert attributes.read_text(encoding="utf-8").splitlines() == [
        "*.png binary",
        "*.yaml merge=kubemerge diff=kubemerge",
        "*.yml merge=kubemerge diff=kubemerge",
    ]
    shell.run("git-setup")
    assert shell.out == "nothing to change\n"
    shell.run("git-setup", "--undo")
    assert len(shell.out.splitlines()) == 4
    assert attributes.read_text(encoding="utf-8") == "*.png binary\n"
    assert (shell.folder / ".git" / "config").read_text(encoding="utf-8") == config
    shell.run("git-setup", "--undo")
    assert shell.out == "nothing to change\n"


def test_set_up_for_all_repositories(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(shell.folder / "config"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(shell.folder / "home"))
    shell.run("git-setup", "--global")
    assert "merge=kubemerge" in (shell.folder / "home" / "git" / "attributes").read_text(encoding="utf-8")
    assert "git-textconv" in (shell.folder / "config").read_text(encoding="utf-8")


def test_attributes_that_are_a_link_are_not_followed(shell: Shell, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=shell.folder, check=True)
    target = tmp_path / "profile"
    target.write_text("kept\n", encoding="utf-8")
    (shell.folder / ".gitattributes").symlink_to(target)
    assert "is a symbolic link, which git ignores. Replace it by a file" in shell.fails("git-setup")
    assert target.read_text(encoding="utf-8") == "kept\n"


def test_outside_of_a_repository(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(shell.folder.parent))
    assert shell.run("git-setup") == 2
    assert shell.err.startswith("kubemerge: git rev-parse --show-toplevel: not a git repository")
    assert shell.err.endswith(". Run the command in a git repository, or pass --global\n")


DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [id]
                items:
                  type: object
                  properties:
                    id: {type: string}
                    size: {type: integer}
"""


def test_a_definition_in_the_repository_has_the_merge_keys(repository: Repository) -> None:
    (repository.folder / "crds").mkdir()
    (repository.folder / "crds" / "widget.yaml").write_text(DEFINITION, encoding="utf-8")
    head = "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w\nspec:\n  parts:\n"
    base = f"{head}  - id: a\n    size: 1\n"
    repository.branches(base, f"{base}  - id: o\n    size: 2\n", f"{base}  - id: t\n    size: 3\n")
    repository.git("merge", "-q", "theirs")
    assert repository.file.read_text(encoding="utf-8") == f"{base}  - id: o\n    size: 2\n  - id: t\n    size: 3\n"
    schema = Definitions(at=str(repository.folder))("example.com/v1", "Widget")
    assert schema is not None


def test_an_unreadable_file_is_one_sentence(shell: Shell) -> None:
    assert shell.run("git-merge", "a", "b", "c") == 2
    assert shell.err == "kubemerge: a: No such file or directory. Pass a readable file\n"
