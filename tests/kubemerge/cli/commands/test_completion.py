"""`kubemerge completion`, and the completions that a shell gets when a user presses Tab."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import engine
from kubemerge.cli.group import COMMANDS

from ....codegen.sample_specs import kubemerge
from ....conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

VARIABLE = "_KUBEMERGE_COMPLETE"
SHELLS = ["bash", "zsh", "fish"]


def completed(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The completions that bash gets for a line with the cursor at its end: a type and a word each."""
    monkeypatch.setenv(VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
    assert kubemerge() == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out.split()


WORDS: dict[str, list[str]] = {
    "kubemerge las": ["plain,last-applied"],
    "kubemerge ": [f"plain,{name}" for name in COMMANDS],
    "kubemerge last-applied ": ["plain,check", "plain,set", "plain,view"],
    "kubemerge completion ": ["plain,bash", "plain,zsh", "plain,fish"],
    "kubemerge lint --stat": ["plain,--statistics"],
    "kubemerge lint -o s": ["plain,sarif"],
    "kubemerge lint --select km00": [f"plain,KM00{digit}" for digit in range(1, 10)],
    "kubemerge lint --ignore KM001,dup": [
        *("plain,KM001,duplicate-merge-key", "plain,KM001,duplicate-keys-in-live", "plain,KM001,duplicate-value"),
    ],
    "kubemerge lint --explain gh": ["plain,ghost"],
    "kubemerge kinds --release 1.3": [
        f"plain,{name}" for name in reversed(engine.releases()) if name.startswith("1.3")
    ],
    "kubemerge explain deplo": ["plain,deployment", "plain,deployment."],
    "kubemerge explain DaemonS": ["plain,DaemonSet", "plain,DaemonSet."],
    "kubemerge explain node": ["plain,node", "plain,node."],
    "kubemerge explain deploy.spec.re": ["plain,deploy.spec.replicas", "plain,deploy.spec.revisionHistoryLimit"],
    "kubemerge explain deploy.spec.te": ["plain,deploy.spec.template", "plain,deploy.spec.template."],
    "kubemerge explain deploy.spec.pa": ["plain,deploy.spec.paused"],
    "kubemerge explain pod.spec.containers[0].image": [
        "plain,pod.spec.containers[0].image",
        "plain,pod.spec.containers[0].imagePullPolicy",
    ],
    "kubemerge explain --release 1.26 pod.spec.containers.resi": ["file,pod.spec.containers.resi"],
    "kubemerge explain --release 1.27 pod.spec.containers.resi": [
        "plain,pod.spec.containers.resizePolicy",
        "plain,pod.spec.containers.resizePolicy.",
    ],
    "kubemerge explain apps/v1/Deployment.spec.pa": ["plain,apps/v1/Deployment.spec.paused"],
    "kubemerge merge -f some": ["file,some"],
    "kubemerge lint some": ["file,some"],
}


@pytest.mark.parametrize("line", WORDS)
def test_words(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert completed(line, monkeypatch, capsys) == WORDS[line]


def test_kinds_of_a_schema_are_completed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    crd = ROOT / "tests" / "data" / "specs" / "crd-v1.yaml"
    found = completed(f"kubemerge explain --schema {crd.as_posix()} widget.spec.ma", monkeypatch, capsys)
    assert found == ["plain,widget.spec.matrix"]


@pytest.mark.parametrize(
    "line",
    [
        "kubemerge explain nonsense.",
        "kubemerge explain pod.spec.nonsense.",
        "kubemerge explain pod.spec[.",
        "kubemerge explain --release 1.99 pod.",
        "kubemerge explain --schema missing.yaml po",
        "kubemerge nonsense ",
    ],
)
def test_what_is_wrong_so_far_is_completed_by_nothing_and_says_nothing(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [word for word in completed(line, monkeypatch, capsys) if not word.startswith("file,")] == []


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_printed_without_any_shell(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert kubemerge("completion", shell) == 0
    said = capsys.readouterr()
    assert f"{VARIABLE}={shell}_complete" in said.out
    assert said.err == ""


@pytest.mark.parametrize(("words", "message"), [((), "Missing argument"), (("csh",), "'csh' is not one of")])
def test_a_failure_is_one_sentence_on_standard_error(
    words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kubemerge("completion", *words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert said.err.count("\n") == 1


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A PATH on which `kubemerge` runs the tested code."""
    command = tmp_path / "kubemerge"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m kubemerge "$@"\n')
    command.chmod(0o755)
    return f"{tmp_path}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_can_read_its_script(shell: str, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell} here")
    kubemerge("completion", shell)
    script = capsys.readouterr().out
    done = subprocess.run([shell, "-n"], input=script, env={"PATH": path}, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("kubemerge lint --sel", ["--select"]),
        ("kubemerge explain pod.spec.nodeS", ["pod.spec.nodeSelector"]),
        ("kubemerge kinds --release = 1.37", ["1.37"]),
        ("kubemerge kinds --release =", [*reversed(engine.releases())]),
    ],
)
def test_bash_completes_by_the_script(line: str, expected: list[str], path: str) -> None:
    program = """
        source <(kubemerge completion bash)
        COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _kubemerge_completion kubemerge
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    command = ["bash", "--norc", "-c", program, "bash", line]
    done = subprocess.run(command, env={"PATH": path}, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.split() == expected


FINISHED = {
    "kubemerge las": ["last-applied"],
    "kubemerge lint --stat": ["--statistics"],
    "kubemerge lint -o s": ["sarif"],
    "kubemerge explain daemons": ["daemonset", "daemonset."],
    "kubemerge explain pod.spec.nodeS": ["pod.spec.nodeSelector"],
    "kubemerge explain deploy.spec.re": ["deploy.spec.replicas", "deploy.spec.revisionHistoryLimit"],
    "kubemerge kinds --release 1.3": [name for name in reversed(engine.releases()) if name.startswith("1.3")],
    "kubemerge kinds --release=1.3": [
        f"--release={name}" for name in reversed(engine.releases()) if name.startswith("1.3")
    ],
    "kubemerge completion ": ["bash", "zsh", "fish"],
    "kubemerge lint some-f": ["some-file.yaml"],
}
"""Typed words -> completions of the shell."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the shell is in, with a file in it."""
    there = tmp_path / "folder"
    there.mkdir()
    (there / "some-file.yaml").touch()
    monkeypatch.chdir(there)
    return there


@pytest.mark.skipif(not shutil.which("fish"), reason="there is no fish here")
@pytest.mark.parametrize("line", FINISHED)
def test_fish_completes_by_the_script(line: str, path: str, folder: Path) -> None:
    program = "kubemerge completion fish | source; complete -C $argv[1]"
    command = ["fish", "--no-config", "-c", program, line]
    environment = {"PATH": path, "HOME": str(folder), "TERM": "dumb"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert sorted(found.split("\t")[0] for found in done.stdout.splitlines()) == sorted(FINISHED[line])


ZSHRC = """
autoload -Uz compinit
compinit -D -u
source <(kubemerge completion zsh)
every() { _main_complete; compstate[insert]=all; compstate[list]= }
zle -C every complete-word every
zle-line-init() { BUFFER=$LINE; CURSOR=$#BUFFER; zle every; print -r -- "$BUFFER" > found; exit }
zle -N zle-line-init
"""
"""The script is read, the line is typed, and all that it may be finished to is written down."""


@pytest.mark.skipif(not shutil.which("zsh"), reason="there is no zsh here")
@pytest.mark.parametrize("line", FINISHED)
def test_zsh_completes_by_the_script(line: str, path: str, folder: Path) -> None:
    (folder / ".zshrc").write_text(ZSHRC)
    environment = {"PATH": path, "ZDOTDIR": str(folder), "HOME": str(folder), "TERM": "dumb", "LINE": line}
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()  # it completes at a terminal only
    with subprocess.Popen(["zsh", "-d", "-i"], env=environment, stdin=theirs, stdout=theirs, stderr=theirs) as shell:
        os.close(theirs)
        shell.wait(30)
    os.close(ours)
    before, _, _ = line.rpartition(" ")
    found = (folder / "found").read_text().removeprefix(before).split()
    assert sorted(found) == sorted(FINISHED[line])
