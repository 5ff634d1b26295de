"""A served cluster for programs that talk to it."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ..conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Path]:
    """The kubeconfig of `kubemerge serve`, which runs in a separate process."""
    kubeconfig = tmp_path / "kubeconfig"
    words = ["serve", "--cluster", str(tmp_path / "cluster.db"), "--port", "0", "--kubeconfig", str(kubeconfig)]
    process = subprocess.Popen(
        [sys.executable, "-m", "kubemerge", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    assert "is served at" in process.stdout.readline()
    process.stdout.readline()
    yield kubeconfig
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=20)
    assert "Traceback" not in said
