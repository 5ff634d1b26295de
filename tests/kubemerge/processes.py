"""The command in a separate process, for tests in which processes meet or die."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from ..conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def started(folder: Path, *words: str) -> subprocess.Popen[str]:
    """The command, running in a folder."""
    return running("-m", "kubemerge", *words, cwd=folder)


def running(*words: str, cwd: Path = ROOT) -> subprocess.Popen[str]:
    """Python, running these words."""
    return subprocess.Popen(
        [sys.executable, *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
