"""kubectl as a player, on a real API server or on the served embedded cluster."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.http.listening.running import served
from kubemerge.cluster import open_cluster

from .ours import RELEASE, objects_in
from .play import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .scenarios import Step

PAUSE = float(os.environ.get("KUBEMERGE_REAL_PAUSE", "0"))
"""Seconds to wait after each command, for controllers."""
REAL_API = "KUBEMERGE_REAL_API"
"""The variable with the folder of kubectl."""
MISSING = f"there is no kubectl of the newest release: {REAL_API} does not name the folder that holds it"


def program() -> str | None:
    """The kubectl whose output was recorded, or None if it is missing."""
    folder = os.environ.get(REAL_API)
    return shutil.which("kubectl", path=folder) if folder else None


class Kubectl:
    """Runs kubectl commands on the cluster of KUBECONFIG."""

    def __init__(self, cache: str) -> None:
        self._env = {"KUBECACHEDIR": cache}

    def run(self, step: Step, env: dict[str, str], folder: Path) -> Said:
        """The output of a command line."""
        said = self._kubectl(step.words, env, folder, step.stdin)
        if "customresourcedefinition" in said.out and "--dry-run" not in " ".join(step.words):
            self._kubectl(["wait", "crd", "--all", "--for=condition=Established", "--timeout=20s"], {}, folder)
            time.sleep(1.5)  # until discovery has it
        time.sleep(PAUSE)
        return said

    def look(self, namespace: str, names: list[str]) -> list[dict[str, Any]]:
        """The existing ones of these objects."""
        found: list[dict[str, Any]] = []
        words = ["get", "-n", namespace, "-o", "json", "--show-managed-fields", "--ignore-not-found"]
        said = self._kubectl([*words, *names], {}, Path())
        if said.code and len(names) > 1:  # an unknown kind hides the others
            return [one for name in names for one in self.look(namespace, [name])]
        if said.code == 0 and said.out:
            answer = json.loads(said.out)
            found = answer["items"] if answer["kind"] == "List" else [answer]
        return found

    def _kubectl(self, words: list[str], env: dict[str, str], folder: Path, stdin: str | None = None) -> Said:
        given = (folder / stdin).read_text(encoding="utf-8") if stdin else ""
        done = subprocess.run(
            [str(program()), *words],
            check=False,
            capture_output=True,
            text=True,
            cwd=folder,
            input=given,
            env={**os.environ, **self._env, **env},
        )
        return Said(done.returncode, done.stdout, done.stderr)


class ServedKubectl(Kubectl):
    """Runs kubectl commands on a served cluster file."""

    def __init__(self, file: str, cache: str, config: str) -> None:
        super().__init__(cache)
        self._file = file
        self._env["KUBECONFIG"] = config

    def run(self, step: Step, env: dict[str, str], folder: Path) -> Said:
        """The output of a command line."""
        return self._kubectl(step.words, env, folder, step.stdin)

    def look(self, namespace: str, names: list[str]) -> list[dict[str, Any]]:
        """The existing ones of these objects."""
        return objects_in(self._file, namespace, names)


@contextmanager
def served_kubectl() -> Iterator[ServedKubectl]:
    """kubectl on a new embedded cluster, which is served."""
    with tempfile.TemporaryDirectory() as folder:
        file, config = f"{folder}/cluster.db", Path(folder) / "config"
        with open_cluster(file, release=RELEASE) as cluster, served(cluster) as serving:
            serving.write_kubeconfig(config)
            yield ServedKubectl(file, f"{folder}/cache", str(config))
