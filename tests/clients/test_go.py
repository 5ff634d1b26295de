"""Programs in Go against a served cluster: client-go with protobuf bodies, informers, and controller-runtime."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("go") is None, reason="there is no Go here to build the programs with"),
]
SOURCES = Path(__file__).parent / "go"
CLIENT = """\
deployments are created, read, changed, scaled and deleted
objects of other kinds keep what they were sent with
what exists or is out of date is refused
a watch tells of changes
parts of objects are posted to
several are deleted at once
clients of metadata see metadata
informers are told of all changes
"""
MANAGER = """\
keeps settings
created web nginx:1
updated web nginx:2
created web nginx:2
let go of settings
ended
"""


def built(name: str, folder: Path) -> Path:
    """The program. Skips the test if its modules cannot be fetched."""
    target = folder / name
    done = subprocess.run(
        ["go", "build", "-o", str(target), f"./{name}"],
        cwd=SOURCES,
        env={**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"the program cannot be built: {done.stderr.strip()[-300:]}")
    return target


def run(program: Path, kubeconfig: Path) -> str:
    done = subprocess.run([program, kubeconfig], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_client_go(served: Path, tmp_path: Path) -> None:
    assert run(built("client", tmp_path), served) == CLIENT


def test_controller_runtime(served: Path, tmp_path: Path) -> None:
    assert run(built("manager", tmp_path), served) == MANAGER
