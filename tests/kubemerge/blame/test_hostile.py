"""Repositories, files and authors made to deceive: blame starts nothing, ends soon, and continues without commits."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from kubemerge.blame import history
from kubemerge.blame.history import Commit, Histories
from kubemerge.linting.repository.git import asked

from .repository import Repository

if TYPE_CHECKING:
    from pathlib import Path

    from ..shell import Shell

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="no git")

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    return Repository(tmp_path)


def author(shell: Shell, *words: str) -> str | None:
    """The author of the value of a file."""
    assert shell.run("blame", *words, "--field", "data.k", "-o", "json") == 0, shell.err
    (row,) = json.loads(shell.out)
    commit = row["config"]["commit"]
    return None if commit is None else str(commit["author"])


@pytest.mark.parametrize(
    "name",
    [
        "--output=x.yaml",
        "-Cx.yaml",
        "--contents=x.yaml",
        ":(glob)*.yaml",
        ":!a.yaml",
        "HEAD",
        "a\nb.yaml",
        "a\x1b[31m.yaml",
        'quoted "x".yaml',
        "é 日.yaml",
        " spaced .yaml",
        "a\\b.yaml",
    ],
)
def test_names_that_mean_something_to_git(name: str, repository: Repository, shell: Shell) -> None:
    repository.commit("Ann", {"other.yaml": MAP})
    repository.commit("Bob", {name: MAP})
    assert author(shell, "-f", name) == "Bob"
    assert {one.name for one in shell.folder.iterdir()} == {".git", "other.yaml", name}
    assert shell.run("blame", "-f", name) == 0
    assert "\x1b" not in shell.out


@pytest.mark.parametrize("words", ["-f .", ".", "./--k.yaml", "-o json -- --k.yaml"])
def test_files_are_arguments_or_options(words: str, repository: Repository, shell: Shell) -> None:
    repository.commit("Ann", {"--k.yaml": MAP})
    assert shell.run("blame", "--field", "data.k", "-o", "json", *words.split()) == 0, shell.err
    assert json.loads(shell.out)[0]["config"]["commit"]["author"] == "Ann"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("setting", ["blame.ignoreRevsFile", "mailmap.file"])
def test_no_file_that_the_repository_names_is_read(setting: str, repository: Repository, shell: Shell) -> None:
    """A pipe would be read forever."""
    repository.commit("Ann", {"a.yaml": MAP})
    os.mkfifo(shell.folder / "pipe")
    repository.git("config", setting, str(shell.folder / "pipe"))
    assert author(shell, "a.yaml") == "Ann"


def test_ignored_revisions_are_blamed(repository: Repository, shell: Shell) -> None:
    repository.commit("Ann", {"a.yaml": MAP})
    second = repository.commit("Bob", {"a.yaml": MAP.replace("k: v", "k: w")})
    repository.write({"ignored": f"{second}\n"})
    repository.git("config", "blame.ignoreRevsFile", "ignored")
    assert author(shell, "a.yaml") == "Bob"


def test_a_git_file_that_leads_elsewhere(repository: Repository, shell: Shell) -> None:
    repository.commit("Ann", {"inner/a.yaml": MAP})
    repository.write({"inner/.git": "gitdir: /nowhere/at/all\n"})
    assert author(shell, "inner/a.yaml") is None
    assert f"no commits of inner/a.yaml: {history.NO_REPOSITORY}" in shell.err
    other = shell.folder / "other"
    other.mkdir()
    Repository(other).commit("Eve", {"a.yaml": MAP.replace("k: v", "k: x")})
    repository.write({"inner/.git": f"gitdir: {other}/.git\n"})
    assert author(shell, "inner/a.yaml") is None  # the value differs from that of the other repository
    assert "not committed" in (shell.run("blame", "inner/a.yaml", "--field", "data.k"), shell.out)[1]


def test_replaced_commits_are_blamed_as_they_were(repository: Repository, shell: Shell) -> None:
    first = repository.commit("Ann", {"a.yaml": MAP})
    forged = repository.commit("Eve", {"a.yaml": MAP})
    repository.git("replace", first, forged)
    assert author(shell, "a.yaml") == "Ann"


NAMES = ["re\x1b[31md", "a\rb", "right\u202eleft", "a ::error::x", "##[group]x", "x" * 500, "日" * 200, "\udcff"]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: repr(name[:12]))
def test_authors_and_summaries_are_escaped_and_cut(name: str, repository: Repository, shell: Shell) -> None:
    repository.commit(name, {"a.yaml": MAP}, summary=f"{name} of everything")
    assert shell.run("blame", "a.yaml") == 0
    (line,) = [line for line in shell.out.splitlines() if '"v" ' in line]
    assert line.isprintable()
    assert len(line) <= 120
    assert not any(sign in shell.out for sign in ("\x1b", "\r", "\u202e", "##["))
    assert not any(line.lstrip().startswith("::") for line in shell.out.splitlines())
    found = author(shell, "a.yaml")
    assert found == name.replace("\udcff", "\xff")  # git reads bytes that are not UTF-8 as Latin-1


def test_links_count_as_the_files_that_they_lead_to(repository: Repository, shell: Shell) -> None:
    repository.commit("Ann", {"base/real.yaml": MAP})
    (shell.folder / "link.yaml").symlink_to("base/real.yaml")
    repository.commit("Bob")
    assert author(shell, "link.yaml") == "Ann"
    (shell.folder / "folder").symlink_to("base")
    assert author(shell, "folder/real.yaml") == "Ann"


def test_a_committed_link_that_is_a_file_on_disk(repository: Repository, shell: Shell) -> None:
    (shell.folder / "a.yaml").symlink_to("somewhere")
    repository.commit("Ann")
    (shell.folder / "a.yaml").unlink()
    repository.write({"a.yaml": MAP})
    assert author(shell, "a.yaml") is None
    assert history.NO_TEXT in shell.err


@pytest.mark.parametrize("large", ["disk", "HEAD"])
def test_large_files_are_not_blamed(
    large: str, repository: Repository, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    comment = "# long\n" * 100
    repository.commit("Ann", {"a.yaml": MAP + (comment if large == "HEAD" else "")})
    repository.write({"a.yaml": MAP + (comment if large == "disk" else "")})
    monkeypatch.setattr(history, "MAX_BYTES", 500)
    assert author(shell, "a.yaml") is None
    assert history.TOO_LARGE in shell.err


def test_a_shallow_clone_is_marked(repository: Repository, shell: Shell, tmp_path: Path) -> None:
    repository.commit("Ann", {"a.yaml": MAP})
    repository.commit("Bob", {"b.yaml": MAP})
    repository.git("clone", "-q", "--depth=1", f"file://{tmp_path}", "clone")
    assert shell.run("blame", "clone/a.yaml", "--field", "data.k") == 0
    assert "  ^" in shell.out
    assert "Bob" in shell.out
    assert "the clone is shallow" in shell.err
    assert shell.run("blame", "a.yaml") == 0
    assert "^" not in shell.out + shell.err


def test_without_git(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    (shell.folder / "a.yaml").write_text(MAP)
    monkeypatch.setattr(history, "program", lambda: None)
    assert author(shell, "a.yaml") is None
    assert shell.err.startswith(f"no commits of a.yaml: {history.NO_GIT}\n")


def test_a_failure_of_git_blame(repository: Repository, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit("Ann", {"a.yaml": MAP})
    monkeypatch.setattr(history, "asked", lambda *words, at: None if "blame" in words else asked(*words, at=at))
    assert author(shell, "a.yaml") is None
    assert history.FAILED in shell.err


@pytest.mark.parametrize("time", [10**30, -(10**30), 2**63])
@pytest.mark.parametrize("zone", ["+0200", "+9999", "", "x", "-0000"])
def test_impossible_dates_are_empty(time: int, zone: str) -> None:
    assert Commit("1", "a", "b", time, zone, time, "c").date == ""


def test_dates_have_the_zone_of_their_author() -> None:
    assert Commit("1", "a", "b", 0, "-0230", 0, "c").date == "1969-12-31T21:30:00-02:30"


def test_git_runs_once_for_each_file_and_twice_for_each_folder(
    repository: Repository, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"{folder}/{number}.yaml" for folder in ("x", "y") for number in range(3)]
    for name in names:
        objects = [MAP.replace("name: a", f"name: {name[0]}{name[2]}{number}") for number in range(5)]
        repository.write({name: "---\n".join(objects)})
    repository.commit("Ann")
    runs: list[str] = []

    def counted(*words: str, at: str) -> bytes | None:
        runs.append(next(word for word in words if word in ("blame", "ls-tree", "rev-parse")))
        return asked(*words, at=at)

    monkeypatch.setattr(history, "asked", counted)
    assert shell.run("blame", "-R", ".", "-o", "json") == 0, shell.err
    assert len({row["object"] for row in json.loads(shell.out)}) == 30
    assert {name: runs.count(name) for name in runs} == {"rev-parse": 2, "ls-tree": 2, "blame": 6}


def test_a_file_is_read_once_more_even_if_it_is_gone(repository: Repository) -> None:
    repository.commit("Ann", {"a.yaml": MAP})
    path = repository.folder / "a.yaml"
    path.unlink()
    assert Histories().of(str(path), b"").lines == (None,)
