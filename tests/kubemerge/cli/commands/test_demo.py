"""`kubemerge demo`: the product in a minute, using only the installed package."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cli.group import cli
from kubemerge.cli.runs import demo
from kubemerge.demo.story import CHAPTERS, files

from ....codegen.sample_specs import kubemerge
from ....conftest import ROOT, needs_posix

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and a user's cluster, which the demo must not touch."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv(demo.CLUSTER, str(tmp_path / "mine.db"))
    return folder


def test_it_shows_every_command_with_what_it_prints(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("demo") == 0
    said = capfd.readouterr()
    for chapter in CHAPTERS:
        assert chapter.question in said.out
        assert all(f"\n$ {command}\n" in said.out for command, _ in chapter.commands)
    for told in ("KM022 error", "cleared: in last-applied, not in config", "1.13 breaking", "nginx-deployment   3\n"):
        assert told in said.out
    assert said.err.endswith("0 of 1 object would change\n1 finding in 1 of 1 object\n")


def test_it_leaves_nothing_behind(here: Path) -> None:
    kubemerge("demo")
    assert list(here.parent.iterdir()) == [here]
    assert list(here.iterdir()) == []
    assert os.environ[demo.CLUSTER] == str(here.parent / "mine.db")


def test_a_folder_keeps_the_files(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("demo", "tour") == 0
    assert "The files of this demo are in tour." in capfd.readouterr().out
    for name, data in files():
        assert (here / "tour" / name).read_bytes() == data
    assert not (here.parent / "mine.db").exists()


@pytest.mark.parametrize("file", [True, False])
def test_what_is_there_is_not_written_over(here: Path, capfd: pytest.CaptureFixture[str], file: bool) -> None:
    if file:
        (here / "tour").write_text("mine")
    else:
        (here / "tour" / "dns").mkdir(parents=True)
    assert kubemerge("demo", "tour") == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err == "kubemerge: tour: the folder is not empty. Name a new folder\n"
    assert (here / "tour").is_dir() is not file


@needs_posix
def test_a_folder_that_cannot_be_made_is_one_sentence(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "file").write_text("mine")
    assert kubemerge("demo", "file/tour") == 2
    assert capfd.readouterr().err == "kubemerge: file/tour/dns: Not a directory\n"


@pytest.mark.parametrize(("color", "there"), [("always", True), ("never", False)])
def test_its_commands_have_the_colours_that_are_asked_for(
    here: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, color: str, there: bool
) -> None:
    monkeypatch.setenv("NO_COLOR" if there else "FORCE_COLOR", "1")
    assert kubemerge("demo", "--color", color) == 0
    shown = capfd.readouterr().out
    assert ("\x1b[1m$ kubemerge why" in shown) is there
    assert ("\x1b[31m\x1b[1mKM022" in shown) is there


def test_a_command_that_ends_otherwise_is_told(
    here: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = CHAPTERS[0]._replace(commands=(("kubemerge releases", 1),))
    monkeypatch.setattr(demo, "CHAPTERS", (wrong, *CHAPTERS))
    assert kubemerge("demo") == 2
    assert "kubemerge: the command exited with 0 instead of 1\n" in capfd.readouterr().err


def test_it_needs_nothing_of_the_clone(tmp_path: Path) -> None:
    """Output and messages come in the order of the story, and the clone's own folders are not needed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "kubemerge", "demo"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    assert "--live dns/live.yaml\n0 of 1 object would change\n\n$ kubemerge lint" in done.stdout


@pytest.mark.parametrize("ended", [(130, KeyboardInterrupt), (141, BrokenPipeError)])
def test_it_ends_with_a_command_that_is_ended_from_outside(
    ended: tuple[int, type[BaseException]],
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    run = cli.main

    def stopped(words: list[str], **options: Any) -> Any:
        if words != ["demo"]:
            raise ended[1]
        return run(words, **options)

    monkeypatch.setattr(cli, "main", stopped)
    assert kubemerge("demo") == ended[0]
    assert "instead of" not in capfd.readouterr().err
