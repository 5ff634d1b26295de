"""kubectl on a real server, and `kubemerge` on an embedded cluster of the same release."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kubemerge.cluster import ClusterError, Reference, open_cluster

from ..ownership.real.kinds import CRDS
from ..ownership.real.server import NAMESPACE, path_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kubemerge.apiserver.cluster import EmbeddedCluster

    from ..ownership.real.server import Server
    from .draw import Triple

Object = dict[str, Any]


class Kubectl:
    """A kubectl, with the server of KUBECONFIG."""

    def __init__(self, program: str, server: Server, cache: Path) -> None:
        self._program, self.server, self._env = program, server, {**os.environ, "KUBECACHEDIR": str(cache)}

    def apply(self, folder: Path) -> str:
        """Apply a folder. Return what kubectl prints."""
        return _output([self._program, "apply", "-f", str(folder)], self._env)

    def live(self, one: Triple) -> Object | None:
        """The live object, in the version of the configs."""
        answer = self.server.ask("GET", path_of(one.kind, one.version, one.name))
        return answer.body if answer.done else None

    def patch(self, one: Triple) -> None:
        """Send the patch of a triple, which may be rejected."""
        patch = one.patch
        force = "true" if patch["type"] == "apply" else ""
        path = path_of(one.kind, one.version, one.name, patch["subresource"])
        self.server.ask("PATCH", path, patch["body"], kind=patch["type"], fieldManager=patch["manager"], force=force)

    def delete(self, one: Triple) -> None:
        """Delete the object, including its finalizers."""
        path = path_of(one.kind, one.version, one.name)
        self.server.ask("PATCH", path, {"metadata": {"finalizers": None}}, kind="merge")
        self.server.ask("DELETE", path, {"gracePeriodSeconds": 0, "propagationPolicy": "Background"})
        self.server.ask("PATCH", path, {"metadata": {"finalizers": None}}, kind="merge")


class Kubemerge:
    """`kubemerge apply` on a cluster in a file."""

    def __init__(self, file: Path, release: str, run: Callable[[list[str]], str] | None = None) -> None:
        self._file, self._run = file, run or _separately
        with open_cluster(str(file), release=release) as cluster:
            cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})

    def apply(self, folder: Path) -> str:
        """Apply a folder. Return what kubemerge prints."""
        return self._run(["apply", "-f", str(folder), "--cluster", str(self._file)])

    def prepare(self) -> None:
        """Create the definitions of custom resources."""
        self.apply(CRDS)

    def live(self, configs: list[Object]) -> list[Object | None]:
        """The live objects of configs."""
        with open_cluster(str(self._file)) as cluster:
            return [_live(cluster, Reference.of(config)) for config in configs]

    def patch(self, patches: list[tuple[Object, Object]]) -> None:
        """Send patches of the objects of configs, which may be rejected."""
        with open_cluster(str(self._file)) as cluster:
            for config, patch in patches:
                if patch:
                    with suppress(ClusterError):
                        _patched(cluster, Reference.of(config), patch)


def _live(cluster: EmbeddedCluster, at: Reference) -> Object | None:
    try:
        return cluster.get(at)
    except ClusterError:
        return None


def _patched(cluster: EmbeddedCluster, at: Reference, patch: Object) -> None:
    cluster.patch(
        at,
        patch["body"],
        patch["type"],
        manager=patch["manager"],
        subresource=patch["subresource"] or None,
        force=patch["type"] == "apply",
    )


def _separately(words: list[str]) -> str:
    return _output([sys.executable, "-m", "kubemerge", *words], dict(os.environ))


def _output(command: list[str], env: dict[str, str]) -> str:
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=env
    ).stdout
