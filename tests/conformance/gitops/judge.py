"""The tools' own code as programs: Flux's `ssa` package and Argo CD's `gitops-engine`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from ..build import binary

FOLDER = Path(__file__).parent / "judges"
Object = dict[str, Any]


class ProgramEnded(Exception):
    """A panic in the tool's code."""


class Judge:
    """A program that gets one request a line and prints one response a line.

    KUBEMERGE_JUDGE_FLUX and KUBEMERGE_JUDGE_ARGOCD name programs that are already built.
    """

    def __init__(self, tool: str) -> None:
        program = os.environ.get(f"KUBEMERGE_JUDGE_{tool.upper()}") or str(binary(FOLDER / tool))
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, request: Object) -> Object:
        """The response to a request."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise ProgramEnded(f"the program ended with {self._process.wait()}")
        found: Object = json.loads(line)
        return found

    def close(self) -> None:
        """End the program."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)
