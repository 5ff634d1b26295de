"""A shell that is just large enough for the documentation, and runs kubemerge in this process, which is quick.

It supports pipes, `>` and `<`, `||`, `cd`, `echo $?`, `test $? -eq N`, `export`, comments, and a few programs that
every machine has. Both outputs go to one terminal. A server that is started with `&` listens on any port that is free.
A fleet has one worker, as each takes a second to start.
"""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kubemerge.cli.main import main
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAMS = frozenset({"cat", "cp", "git", "grep", "head", "kubectl", "ls", "rm", "sed", "tail", "tar"})
"""Programs that may be run beside kubemerge."""


class Shell:
    """Where the reader of a page is: a folder, and how the last command ended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.code = 0
        self.server: subprocess.Popen[str] | None = None
        self._exported: dict[str, str] = {}
        self._terminal = io.BytesIO()

    def stop(self) -> None:
        """End the server that was started with `&`."""
        if self.server is not None:
            self.server.terminate()
            self.server.communicate(timeout=60)

    def run(self, line: str) -> str:
        """Run a line, and return the text on the terminal."""
        self._terminal = io.BytesIO()
        if line.endswith(" &"):
            self._start(_words(line.removesuffix("&")))
            return ""
        for words in _parted(_words(line), "||"):
            self._pipe(list(_parted(words, "|")))
            if not self.code:
                break
        return self._terminal.getvalue().decode("utf-8")

    def _start(self, words: list[str]) -> None:
        """Start a server, and wait until it is ready."""
        assert words[0].removeprefix(".venv/bin/") == "kubemerge"
        self.server = subprocess.Popen(
            [sys.executable, "-m", "kubemerge", *words[1:], "--port=0"],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.server.stdout is not None
        said = self.server.stdout.readline()
        assert "is served at" in said, said
        self.code = 0

    def _pipe(self, stages: list[list[str]]) -> None:
        data = b""
        for stage in stages[:-1]:
            pipe = io.BytesIO()
            self._stage(stage, data, pipe)
            data = pipe.getvalue()
        self._stage(stages[-1], data, self._terminal)

    def _stage(self, words: list[str], data: bytes, out: io.BytesIO) -> None:
        """Run one command of a line."""
        words, files = _redirected(words)
        if "<" in files:
            data = (self.folder / files["<"]).read_bytes()
        if ">" in files:
            out = io.BytesIO()
        self._command(words, data, out)
        if ">" in files:
            (self.folder / files[">"]).write_bytes(out.getvalue())

    def _command(self, words: list[str], data: bytes, out: io.BytesIO) -> None:
        words = words[words[0] == "uvx" :]  # which would install it first
        name = words[0].removeprefix(".venv/bin/")
        if name == "kubemerge":
            self._kubemerge(words[1:], data, out)
        elif words == ["echo", "$?"]:
            out.write(f"{self.code}\n".encode())
            self.code = 0
        elif words[:3] == ["test", "$?", "-eq"]:
            self.code = int(str(self.code) != words[3])
        elif name == "export":
            variable, _, value = words[1].partition("=")
            self._exported[variable], self.code = str(self.folder / value), 0
        elif name == "cd":
            self.folder, self.code = (self.folder / words[1]).resolve(), 0
            assert self.folder.is_dir(), self.folder
        else:
            assert name in PROGRAMS, f"{name} is no command that the documentation may use; see tests/docs/shell.py"
            env = {**os.environ, **self._exported}
            done = subprocess.run(words, cwd=self.folder, input=data, capture_output=True, check=False, env=env)
            out.write(done.stdout)
            self._terminal.write(done.stderr)
            self.code = done.returncode

    def _kubemerge(self, arguments: list[str], data: bytes, out: io.BytesIO) -> None:
        if arguments[:1] == ["fleet"]:
            arguments = [*arguments, "--workers=1"]
        with _at(self.folder), _streams(io.BytesIO(data), out, self._terminal):
            try:
                main(arguments)
            except SystemExit as end:
                self.code = int(end.code or 0)


def _words(line: str) -> list[str]:
    words = shlex.shlex(line, posix=True, punctuation_chars="|<>")
    words.whitespace_split = True
    words.commenters = "#"
    return list(words)


def _parted(words: list[str], at: str) -> Iterator[list[str]]:
    """Split a line at a word."""
    part: list[str] = []
    for word in words:
        if word == at:
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _redirected(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """The command without its redirections, and the files of these."""
    files = {word: words[at + 1] for at, word in enumerate(words) if word in ("<", ">")}
    ends = [at for at, word in enumerate(words) if word in files]
    return words[: ends[0]] if ends else words, files


@contextmanager
def _at(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _streams(read: io.BytesIO, out: io.BytesIO, err: io.BytesIO) -> Iterator[None]:
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(read, encoding="utf-8")
    wrapped = [io.TextIOWrapper(stream, encoding="utf-8", write_through=True) for stream in (out, err)]
    sys.stdout, sys.stderr = wrapped
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        for stream in wrapped:
            stream.detach()
