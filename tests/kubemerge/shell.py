"""Run commands in an empty folder, with the embedded cluster in its usual place."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from kubemerge.cli.main import as_kubectl

from ..codegen.sample_specs import kubemerge
from .objects import write

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


class Shell:
    """Runs commands, and keeps the output of the last one."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        self.code, self.out, self.err = 0, "", ""

    def write(self, name: str, *objects: Any) -> str:
        """Write a file in the folder, and return its name."""
        write(self.folder, name, *objects)
        return name

    def run(self, *words: object) -> int:
        """The exit code of a command."""
        self._capsys.readouterr()
        self.code = kubemerge(*words)
        said = self._capsys.readouterr()
        self.out, self.err = said.out, said.err
        assert "Traceback" not in self.err
        assert "this is a bug" not in self.err
        return self.code

    def done(self, *words: object) -> str:
        """The output of a command that succeeds without messages."""
        assert self.run(*words) == 0, self.err
        assert self.err == ""
        return self.out

    def fails(self, *words: object) -> str:
        """The one sentence with which a command fails. The beginning of kubectl's sentences is left out."""
        assert self.run(*words) == (1 if as_kubectl(words) else 2)
        if as_kubectl(words):
            said = self.err.removesuffix("\n").replace("\nhint: ", "; ")
            begin = re.match(r"error: |Error from server( \(\w+\))?: |The (?=\w+ \S* is invalid)|The request", said)
            assert begin, said
            return said if said.startswith("The ") else said[begin.end() :]
        (line,) = self.err.splitlines()
        assert line.startswith("kubemerge: ")
        return line.removeprefix("kubemerge: ")

    def create(self, *objects: Any) -> None:
        """Put objects into the cluster."""
        self.done("create", "-f", self.write("created.yaml", *objects))

    def live(self, *words: str) -> dict[str, Any]:
        """A live object, named as for `get`."""
        found: dict[str, Any] = json.loads(self.done("get", *words, "-o", "json", "--show-managed-fields"))
        return found
