"""Run cases, each on the cluster of the one before; after a failure, on a new one."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from kubemerge.apiserver.http.listening.certificates import self_signed

from ..control_plane import ControlPlane, controlling, program, serving
from . import scripts

CASE = Path(__file__).parent / "case.sh"
NODE = '{"kind": "Node", "apiVersion": "v1", "metadata": {"name": "127.0.0.1", "annotations": {"save-managers": "true"}}, "status": {"capacity": {"memory": "1Gi"}}}'  # noqa: E501
"""The one Node of the cluster, as the script of Kubernetes makes it."""
WITH_RBAC = ("--authorization", "rbac")
"""The options of a server for cases that expect the roles of RBAC."""
SECONDS = 200
"""After so many a case has failed."""


class Result(NamedTuple):
    """The end of a case."""

    passed: bool
    output: str


class Cases:
    """A folder with the scripts, and a cluster that is replaced after a failure."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._folder = folder
        self._words = words
        """More options of the server."""
        self._root = scripts.copied(scripts.fetched(), folder / "kubernetes")
        programs = self._root / "_output/bin"
        programs.mkdir(parents=True)
        for name in ("kubectl", "kubectl-convert"):
            if path := program(name):
                (programs / name).symlink_to(path)
        self._running = contextlib.ExitStack()
        self._plane: ControlPlane | None = None
        self._temporary = folder

    def run(self, case: str) -> Result:
        """Run one case."""
        plane = self._plane or self._start()
        environment = {**os.environ, "TMPDIR": str(self._temporary)}
        environment.pop("KUBECONFIG", None)
        words = ["bash", str(CASE), str(self._root), str(plane.port), case]
        with (
            tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output,
            subprocess.Popen(
                words,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            ) as process,
        ):
            try:
                code = process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                code = None
            with contextlib.suppress(ProcessLookupError):  # processes that the case has left
                os.killpg(process.pid, signal.SIGKILL)
            output.seek(0)
            said = output.read() + ("" if code is not None else f"\nended after {SECONDS} seconds\n")
        if code != 0:
            self.close()
        return Result(code == 0, said)

    def _start(self) -> ControlPlane:
        self._temporary = Path(tempfile.mkdtemp(dir=self._folder))
        certificate, key = self._temporary / "apiserver.crt", self._temporary / "apiserver.key"  # cases use them too
        for file, content in zip((certificate, key), self_signed("127.0.0.1"), strict=True):
            file.write_bytes(content)
        files = ["--tls-cert-file", str(certificate), "--tls-private-key-file", str(key)]
        self._plane = self._running.enter_context(serving(self._temporary, *files, *self._words))
        authority = self._root / "hack/testdata/ca"
        signing = [f"--cluster-signing-cert-file={authority}/ca.crt", f"--cluster-signing-key-file={authority}/ca.key"]
        grace = "--node-startup-grace-period=2s"  # a minute else, until the controllers judge the Node
        self._running.enter_context(controlling(self._temporary, self._plane.kubeconfig, grace, *signing))
        kubectl = [str(program("kubectl")), f"--kubeconfig={self._plane.kubeconfig}"]
        subprocess.run([*kubectl, "create", "-f", "-"], input=NODE, text=True, check=True, stdout=subprocess.DEVNULL)
        judged = ["wait", "node/127.0.0.1", "--for=condition=Ready=Unknown", "--timeout=60s"]
        subprocess.run([*kubectl, *judged], check=True, stdout=subprocess.DEVNULL)
        return self._plane

    def close(self) -> None:
        """End the cluster."""
        self._running.close()
        self._plane = None
