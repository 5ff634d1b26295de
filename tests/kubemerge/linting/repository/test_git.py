"""A repository starts no program, whatever its configuration, and its revisions can still be read."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from kubemerge.linting.repository import git
from kubemerge.review import changed

from ....codegen.sample_specs import kubemerge

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="no git")

MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n"

PROGRAMS = (
    '[core]\n fsmonitor = "{program}"\n',
    '[core]\n fsmonitor = "{program}"\n untrackedCache = true\n[feature]\n manyFiles = true\n',
    "[core]\n hooksPath = hooks\n[extensions]\n worktreeConfig = true\n",
    '[core]\n pager = "{program}"\n editor = "{program}"\n sshCommand = "{program}"\n askPass = "{program}"\n',
    '[diff]\n external = "{program}"\n[diff "x"]\n command = "{program}"\n textconv = "{program}"\n',
    '[filter "x"]\n clean = "{program}"\n smudge = "{program}"\n required = true\n',
    '[filter "x"]\n process = "{program}"\n required = true\n',
    '[merge "x"]\n driver = "{program} %A"\n',
    '[gpg]\n program = "{program}"\n[log]\n showSignature = true\n',
    '[alias]\n ls-files = "!{program}"\n rev-parse = "!{program}"\n cat-file = "!{program}"\n ls-tree = "!{program}"\n',
    '[credential]\n helper = "!{program}"\n[remote "origin"]\n url = ext::{program}\n promisor = true\n',
    '[extensions]\n partialClone = origin\n[remote "origin"]\n url = ext::{program}\n[protocol]\n allow = always\n',
    '[remote "origin"]\n url = .\n uploadpack = "{program}"\n fetch = +refs/heads/*:refs/remotes/origin/*\n',
    "[include]\n path = ../more\n",
    '[includeIf "gitdir:**"]\n path = ../more\n',
)
"""Keys by which a repository names programs for git."""

COMMANDS = (
    ("lint", "."),
    ("lint", "-R", "."),
    ("lint", "deep"),
    ("lint", "--since", "HEAD", "."),
    ("lint", "--fix", "."),
    ("compare", "1.36", "1.37", "-f", "."),
    ("blame", "-R", "."),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    at = tmp_path / "repository"
    (at / "deep").mkdir(parents=True)
    monkeypatch.chdir(at)
    for variable in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(variable, raising=False)
    (at / "a.yaml").write_text(MANIFEST.format(name="a"))
    (at / "deep" / "b.yaml").write_text(MANIFEST.format(name="b"))
    (at / ".gitattributes").write_text("* filter=x diff=x merge=x\n")
    run("init", "-q")
    commit("first")
    return at


def run(*words: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgSign=false")
    done = subprocess.run(["git", *identity, *words], check=True, capture_output=True, text=True)
    return done.stdout


def commit(message: str) -> str:
    run("add", "-A")
    run("commit", "-qm", message)
    return run("rev-parse", "HEAD").strip()


@pytest.fixture
def canary(tmp_path: Path) -> Callable[[], bool]:
    """A program that leaves a file behind. The result reports whether it has run."""
    left = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{left}'\nexit 1\n")
    program.chmod(0o755)
    return left.exists


@pytest.mark.parametrize("config", PROGRAMS)
def test_no_program_of_the_repository_runs(config: str, folder: Path, canary: Callable[[], bool]) -> None:
    program = folder.parent / "program"
    text = config.format(program=program)
    (folder / "more").write_text(f'[core]\n fsmonitor = "{program}"\n')
    for hook in ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc", "fsmonitor-watchman"):
        for hooks in (folder / "hooks", folder / ".git" / "hooks"):
            hooks.mkdir(exist_ok=True)
            shutil.copy(program, hooks / hook)
    with (folder / ".git" / "config").open("a") as file:
        file.write(text)
    (folder / "a.yaml").write_text(MANIFEST.format(name="changed"))  # git would compare it by its filter
    for command in COMMANDS:
        assert kubemerge(*command) in (0, 1, 2)
        assert not canary(), command
    changed.base_of({}, "1" * 40)
    changed.changed("HEAD", ["."], folder.parent / "copy")
    assert not canary()


def test_a_folder_that_looks_like_a_repository_is_none(folder: Path, canary: Callable[[], bool]) -> None:
    program = folder.parent / "program"
    bare = folder / "deep"
    for name in ("objects", "refs", "worktree"):
        (bare / name).mkdir()
        (bare / name / ".keep").touch()
    (bare / "HEAD").write_text("ref: refs/heads/main\n")
    (bare / "config").write_text(
        f'[core]\n repositoryformatversion = 0\n bare = false\n worktree = worktree\n fsmonitor = "{program}"\n'
    )
    commit("looks like a repository")
    for command in COMMANDS:
        kubemerge(*command)
        assert not canary(), command


def test_a_commit_is_fetched_without_programs(
    tmp_path: Path, folder: Path, canary: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.yaml").write_text(MANIFEST.format(name="changed"))
    base = run("rev-parse", "HEAD").strip()
    commit("second")
    shallow = tmp_path / "shallow"
    run("clone", "-q", "--depth=1", f"file://{folder}", str(shallow))
    monkeypatch.chdir(shallow)
    program = tmp_path / "program"
    with (shallow / ".git" / "config").open("a") as file:
        file.write(f'[remote "origin"]\n uploadpack = "{program}"\n[core]\n sshCommand = "{program}"\n')
    assert changed.base_of({}, base) == base
    assert not canary()


def test_what_differs_from_a_revision_is_known_without_git_comparing_files(folder: Path) -> None:
    first = run("rev-parse", "HEAD").strip()
    then = git.Before(first)
    data = (folder / "a.yaml").read_bytes()
    assert not then.is_changed("a.yaml", data)
    assert not then.is_changed("a.yaml", data.replace(b"\n", b"\r\n")), "git may have changed the line ends"
    assert then.is_changed("a.yaml", data + b"# more\n")
    assert then.is_changed("new.yaml", data)
    assert then.content("deep/b.yaml") == (folder / "deep" / "b.yaml").read_bytes()
    assert then.content("new.yaml") is None


def test_a_protocol_that_the_repository_allows_runs_no_program(folder: Path, canary: Callable[[], bool]) -> None:
    program = folder.parent / "program"
    remote = f'[remote "o"]\n promisor = true\n url = ext::{program} %S\n'
    with (folder / ".git" / "config").open("a") as file:
        file.write(f'[protocol "ext"]\n allow = always\n[extensions]\n partialClone = o\n{remote}')
    for one in (folder / ".git" / "objects").glob("??/*"):
        if run("cat-file", "-t", one.parent.name + one.name).strip() == "blob":
            one.unlink()
    (folder / "a.yaml").write_text(MANIFEST.format(name="changed"))
    assert kubemerge("lint", "--since", "HEAD", "--server-side", ".") in (0, 1, 2)
    assert git.Before("HEAD").content("a.yaml") is None
    assert not canary()


def test_no_git_of_the_repository_is_started(
    folder: Path, canary: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(folder.parent / "program", folder / "git")
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    assert git.tracked(".", recursive=True) is not None
    assert not canary()


def test_a_tracked_file_below_a_link_that_leads_out_is_not_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "b.yaml").write_text(MANIFEST.format(name="canary") + "canary: x\n")
    shutil.rmtree(folder / "deep")
    (folder / "deep").symlink_to(outside)
    for words in (("-R", "."), ("deep",), ("deep/b.yaml",), (".", "--untracked", "-R")):
        kubemerge("lint", *words)
        printed = "".join(capsys.readouterr())
        assert "canary" not in printed, words
    assert kubemerge("lint", "-R", ".") == 2


def test_a_folder_called_like_a_home_is_that_of_the_repository(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = folder.parent / "home"
    home.mkdir()
    (home / "x.yaml").write_text("canary: [\n")
    monkeypatch.setenv("HOME", str(home))
    (folder / "~").mkdir()
    (folder / "~" / "x.yaml").write_text(MANIFEST.format(name="x"))
    assert kubemerge("lint", "~/x.yaml", "--exit-zero") == 0
    assert "canary" not in "".join(capsys.readouterr())


def test_a_tree_with_names_that_climb_writes_nothing_outside(folder: Path) -> None:
    blob = run("hash-object", "-w", "a.yaml").strip()
    base = run("rev-parse", "HEAD").strip()
    inner = bytes.fromhex(blob)
    tree = b"100644 x.yaml\0" + inner
    made = _hashed("tree", tree)
    for _ in range(2):
        made = _hashed("tree", b"40000 ..\0" + bytes.fromhex(made))
    commit = _hashed("commit", f"tree {made}\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\nx\n".encode())
    run("update-ref", "HEAD", commit)
    both = changed.changed(base, ["."], folder.parent / "copies" / "of" / "both")
    assert not both.before.files or all(".." not in name for name in both.before.files)
    assert not list(folder.parent.rglob("x.yaml"))


def _hashed(kind: str, data: bytes) -> str:
    words = ["git", "hash-object", "-t", kind, "-w", "--literally", "--stdin"]
    return subprocess.run(words, input=data, check=True, capture_output=True).stdout.decode().strip()
