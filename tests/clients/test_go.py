"""Programs in Go against a served cluster: client-go with protobuf bodies, informers, and controller-runtime."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT
from tests.docs.pages import text_of
from tests.docs.test_programs import OWNERSHIP, named_programs

if TYPE_CHECKING:
    from collections.abc import Iterator

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


DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
"""
KUBEMERGE = [sys.executable, "-m", "kubemerge"]
PATIENCE = 60


def built(name: str, folder: Path, sources: Path = SOURCES) -> Path:
    """The program. Skips the test if its modules cannot be fetched."""
    target = folder / "program"
    done = subprocess.run(
        ["go", "build", "-o", str(target), f"./{name}"],
        cwd=sources,
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


@contextmanager
def recorded(folder: Path) -> Iterator[tuple[Path, Path]]:
    """The kubeconfig of a server with a Deployment, and the file in which it records writes."""
    kubeconfig, record, cluster = folder / "kubeconfig", folder / "writes.jsonl", str(folder / "cluster.db")
    (folder / "web.yaml").write_text(DEPLOYMENT, encoding="utf-8")
    subprocess.run([*KUBEMERGE, "apply", "-f", folder / "web.yaml", "--cluster", cluster], cwd=ROOT, check=True)
    words = ["--cluster", cluster, "--port", "0", "--kubeconfig", str(kubeconfig), "--record", str(record)]
    with subprocess.Popen([*KUBEMERGE, "serve", *words], cwd=ROOT) as server:
        try:
            subprocess.run([*KUBEMERGE, "serve", "--wait", "--kubeconfig", kubeconfig], cwd=ROOT, check=True)
            yield kubeconfig, record
        finally:
            server.terminate()


def test_an_operator_of_controller_runtime_owns_its_annotation(tmp_path: Path) -> None:
    sources = tmp_path / "counter"
    sources.mkdir()
    for name in ("go.mod", "go.sum"):
        shutil.copy(SOURCES / name, sources)
    (sources / "main.go").write_text(named_programs(OWNERSHIP)["main.go"], encoding="utf-8")
    (command,) = re.findall(r"`kubemerge (writes \S+ --manager my-operator --allow '[^`]*)`", text_of(OWNERSHIP))
    program = built(".", tmp_path, sources)
    with recorded(tmp_path) as (kubeconfig, record):
        with subprocess.Popen([program], env={**os.environ, "KUBECONFIG": str(kubeconfig)}) as operator:
            ends = time.monotonic() + PATIENCE
            while not (record.exists() and '"my-operator"' in record.read_text(encoding="utf-8")):
                assert time.monotonic() < ends
                time.sleep(0.05)
            operator.terminate()
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        run = [*KUBEMERGE, *shlex.split(command)]
        found = subprocess.run(run, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith("my-operator: 1 field in 1 write")
