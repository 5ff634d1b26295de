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
    from pathlib import Path

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

    def __init__(self, file: Path, release: str) -> None:
        self._file, self._release = file, release
        with open_cluster(file, release=release) as cluster:
            cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        self.apply(CRDS)

    def apply(self, folder: Path) -> str:
        """Apply a folder. Return what kubemerge prints."""
        command = [sys.executable, "-m", "kubemerge", "apply", "-f", str(folder), "--cluster", str(self._file)]
        return _output(command, dict(os.environ))

    def live(self, triples: list[Triple]) -> dict[int, Object]:
        """The live objects by their seeds."""
        found: dict[int, Object] = {}
        with open_cluster(self._file) as cluster:
            for one in triples:
                with suppress(ClusterError):
                    found[one.seed] = cluster.get(reference(one))
        return found

    def patch(self, triples: list[Triple]) -> None:
        """Send the patches of triples, which may be rejected."""
        with open_cluster(self._file) as cluster:
            for one in triples:
                patched(cluster, reference(one), one.patch)


def patched(cluster: Any, at: Reference, patch: Object) -> None:
    """Send a patch, which may be rejected."""
    if patch:
        asked = {"manager": patch["manager"], "subresource": patch["subresource"] or None}
        with suppress(ClusterError):
            cluster.patch(at, patch["body"], patch["type"], force=patch["type"] == "apply", **asked)


def reference(one: Triple) -> Reference:
    """The object of a triple."""
    return Reference(one.version, one.kind.kind, one.name, "" if one.kind.cluster else NAMESPACE)


def _output(command: list[str], env: dict[str, str]) -> str:
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=env
    ).stdout
