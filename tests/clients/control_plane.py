"""A served cluster with TLS, and the real kube-controller-manager."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from ..conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ADDRESS = re.compile(r"https?://127\.0\.0\.1:(\d+)")
CONTROLLERS = "kube-controller-manager"


def program(name: str) -> str | None:
    """A program of the folder KUBEMERGE_REAL_API, or None."""
    folder = os.environ.get("KUBEMERGE_REAL_API")
    return shutil.which(name, path=folder) if folder else None


class ControlPlane(NamedTuple):
    """The port and the kubeconfig of a cluster."""

    port: int
    kubeconfig: Path


@contextlib.contextmanager
def serving(folder: Path, *words: str) -> Iterator[ControlPlane]:
    """`kubemerge serve` in a separate process."""
    kubeconfig = folder / "kubeconfig"
    command = ["-m", "kubemerge", "serve", "--cluster", ":memory:", "--port", "0", "--kubeconfig", str(kubeconfig)]
    with (
        (folder / "serve.log").open("w", encoding="utf-8") as log,
        subprocess.Popen(
            [sys.executable, *command, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        assert process.stdout is not None
        found = _ADDRESS.search(process.stdout.readline())
        assert found is not None, (folder / "serve.log").read_text(encoding="utf-8")
        process.stdout.readline()
        try:
            yield ControlPlane(int(found[1]), kubeconfig)
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)


@contextlib.contextmanager
def controlling(folder: Path, kubeconfig: Path, *words: str) -> Iterator[None]:
    """The kube-controller-manager with the flags of docs/how-to/real-controllers.md, and more."""
    path = program(CONTROLLERS)
    assert path is not None
    flags = [f"--kubeconfig={kubeconfig}", "--leader-elect=false", "--secure-port=0"]
    with (
        (folder / "controllers.log").open("w", encoding="utf-8") as log,
        subprocess.Popen([path, *flags, *words], cwd=folder, stdout=log, stderr=log) as process,
    ):
        try:
            yield
        finally:
            process.terminate()
            process.wait(timeout=60)
