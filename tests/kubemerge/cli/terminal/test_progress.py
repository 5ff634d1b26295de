"""A progress line while many files are read: on a terminal, after a while, and always removed at the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ....codegen.sample_specs import kubemerge, release
from ....conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pty = pytest.importorskip("pty", reason="Windows has no terminals of POSIX")
DOCUMENT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a{0}}}\n---\n"
PROGRAM = """
import sys
from kubemerge.cli.terminal import progress
progress.PATIENCE = {patience}
from kubemerge.cli.main import main
main({words!r})
"""
CLEAR = b"\r\x1b[2K"


def on_a_terminal(file: Path, patience: float, *, all_of_it: bool = False) -> tuple[bytes, int]:
    """The standard error on a terminal, and the exit code. Standard output goes elsewhere, or there too."""
    words = ["merge", "-q", "-f", str(file), "-o", "name"]
    return shown_by([sys.executable, "-c", PROGRAM.format(patience=patience, words=words)], all_of_it=all_of_it)


def shown_by(command: list[str], *, all_of_it: bool = False) -> tuple[bytes, int]:
    terminal, end = pty.openpty()
    there = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
    output = end if all_of_it else subprocess.DEVNULL
    with subprocess.Popen(command, stdout=output, stderr=end, env=there) as process:
        os.close(end)
        said = b""
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # on Linux, this means that the other end is closed
                piece = b""
            if not piece:
                break
            said += piece
    os.close(terminal)
    return said, process.returncode


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("much") / "many[1].yaml"
    file.write_text("".join(DOCUMENT.format(number) for number in range(2000)), encoding="utf-8")
    return file


def test_a_bar_shows_how_far_the_reading_is_and_goes(many: Path) -> None:
    said, code = on_a_terminal(many, 0)
    assert code == 0
    assert b"many[1].yaml" in said
    assert b"%" in said
    assert b"[=" in said
    assert said.startswith(CLEAR)
    assert said.endswith(CLEAR), "nothing is left of it"
    assert b"\n" not in said


@pytest.mark.slow
def test_a_person_who_reads_the_output_sees_the_bar_too(many: Path) -> None:
    said, code = on_a_terminal(many, 0, all_of_it=True)
    pieces = said.split(CLEAR)
    bars = [piece for piece in pieces if b"%" in piece]
    output = b"".join(piece for piece in pieces if piece not in bars)
    assert code == 0
    assert b"[=" in bars[-1]
    assert not any(b"configmap/" in one for one in bars), "each line of the output begins on a line of its own"
    assert output.split() == [b"configmap/a%d" % number for number in range(2000)]


def test_lint_shows_how_many_files_it_has_looked_at(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number}.yaml").write_text(DOCUMENT.format(number), encoding="utf-8")
    program = PROGRAM.format(patience=0, words=["lint", str(tmp_path)])
    said, code = shown_by([sys.executable, "-c", program], all_of_it=True)
    assert code == 0
    assert b"[>" in said
    assert said.endswith(CLEAR + b"no findings in 30 objects\r\n")


@pytest.mark.slow
def test_an_error_finds_a_clean_terminal(many: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_bytes(many.read_bytes() + b"hello\n")
    said, code = on_a_terminal(file, 0)
    assert code == 2
    assert f"kubemerge:{file}:".encode() in b"".join(said.split()), "it may be folded"
    assert CLEAR + b"kubemerge:" in said


@pytest.mark.slow
def test_what_is_quick_needs_no_bar(many: Path) -> None:
    assert on_a_terminal(many, 60) == (b"", 0)


@pytest.mark.slow
def test_generate_shows_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # whose path may be longer than a line
    folder = tmp_path / "openapi"
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(release()))
    for name in ("1.36", "1.37"):
        assert kubemerge("spec", "add", name, "--from", spec, "--openapi", folder) == 0
    words = ["generate", "--openapi", str(folder), "--out", "mine"]
    program = (
        "from kubemerge.cli.terminal import progress; progress.PAUSE = 0; "
        f"from kubemerge.cli.main import main; main({words})"
    )
    said, code = shown_by([sys.executable, "-c", program])
    assert code == 0
    assert b"1.36.json [>" in said
    assert b"tables of 1.37 [======================>       ]  75%" in said
    assert said.rpartition(CLEAR)[2].startswith(b"mine: "), "the line is gone at the end"
