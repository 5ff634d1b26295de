"""Helm on a real API server: charts, foreign writes, and the objects before and after each command."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kubemerge.cluster import ClusterError, NotFound, Reference, connect
from kubemerge.output.object_text import object_text

from .draw import WIDGETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kubemerge.client.cluster import RemoteCluster

Object = dict[str, Any]

HELM = Path(os.environ.get("KUBEMERGE_HELM", Path.home() / ".cache" / "kubemerge-helm"))
"""The folder with the binaries `helmv3` and `helmv4`."""
KINDS = (
    *(("v1", kind) for kind in ("ConfigMap", "Secret", "Service", "ServiceAccount", "PersistentVolumeClaim")),
    *(("v1", kind) for kind in ("LimitRange", "ResourceQuota")),
    *(("apps/v1", kind) for kind in ("Deployment", "StatefulSet", "DaemonSet")),
    *(("batch/v1", kind) for kind in ("Job", "CronJob")),
    ("autoscaling/v2", "HorizontalPodAutoscaler"),
    *(("networking.k8s.io/v1", kind) for kind in ("Ingress", "NetworkPolicy")),
    ("policy/v1", "PodDisruptionBudget"),
    *(("rbac.authorization.k8s.io/v1", kind) for kind in ("Role", "RoleBinding")),
)
"""The kinds whose objects are recorded, besides those of the definitions of a scenario."""
RELEASE = "sh.helm.release.v1."


class Real:
    """A real API server, and Helm's binaries."""

    def __init__(self, kubeconfig: str) -> None:
        self.kubeconfig = kubeconfig
        self.cluster: RemoteCluster = connect(kubeconfig)

    def namespace(self, name: str) -> None:
        """Create a namespace."""
        self.cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})

    def run(self, name: str, steps: Sequence[Object]) -> list[Object]:
        """Run a scenario in a new namespace, and return a record for each command of Helm."""
        self.namespace(name)
        found = []
        for step in steps:
            if "helm" in step:
                found.append(self.helm(name, step["helm"]))
            else:
                self.write(name, step)
        return found

    # ---- Helm -------------------------------------------------------------------------------------------------------

    def helm(self, namespace: str, command: Object) -> Object:
        """Run one command of Helm."""
        before = self.objects(namespace, command)
        with tempfile.TemporaryDirectory() as folder:
            arguments = _arguments(namespace, command, Path(folder))
            done = subprocess.run(
                [str(HELM / f"helmv{command['version']}"), "--kubeconfig", self.kubeconfig, *arguments],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, "HELM_CACHE_HOME": f"{folder}/c", "HELM_CONFIG_HOME": f"{folder}/c"},
            )
        record = {"command": command, "namespace": namespace, "exit": done.returncode}
        return {**record, "error": done.stderr[-6000:], "before": before, "after": self.objects(namespace, command)}

    def objects(self, namespace: str, command: Object) -> list[Object]:
        """The objects of a namespace, the definitions of the scenario, and its cluster-wide objects."""
        kinds = [*KINDS]
        found: list[Object] = []
        if command.get("crds") or len(command.get("definitions", ())) != 1 or command["definitions"][0] != WIDGETS:
            time.sleep(1)
            self.cluster = connect(self.kubeconfig)  # its list of kinds is cached
        for name in command.get("definitions", ()):
            with suppress(NotFound):
                definition = self.cluster.get(Reference("apiextensions.k8s.io/v1", "CustomResourceDefinition", name))
                spec = definition["spec"]
                found.append(definition)
                kinds.append((f"{spec['group']}/{spec['versions'][0]['name']}", spec["names"]["kind"]))
        for reference in command.get("cluster_wide", ()):
            with suppress(NotFound):
                found.append(self.cluster.get(Reference(*reference)))
        for version, kind in kinds:
            with suppress(ClusterError):
                found += self.cluster.list(version, kind, namespace=namespace)
        return found

    # ---- foreign writes ---------------------------------------------------------------------------------------------

    def write(self, namespace: str, step: Object) -> None:
        """One write by another manager. A rejected write changes nothing."""
        step = json.loads(json.dumps(step).replace("{namespace}", namespace))
        verb, manager = step["write"], step.get("manager", "operator")
        of: Object = step["of"]
        scoped = not step.get("cluster_wide")
        reference = Reference(of["apiVersion"], of["kind"], of["name"], namespace if scoped else None)
        with suppress(ClusterError):
            if verb == "create":
                metadata = {**step["object"]["metadata"], **({"namespace": namespace} if scoped else {})}
                self.cluster.create({**step["object"], "metadata": metadata}, manager=manager)
            elif verb == "apply":
                config = {
                    **step["object"],
                    "apiVersion": of["apiVersion"],
                    "kind": of["kind"],
                    "metadata": {**step["object"].get("metadata", {}), "name": of["name"], "namespace": namespace},
                }
                self.cluster.patch(reference, config, "apply", manager=manager, force=True)
            elif verb == "update":
                live = self.cluster.get(reference)
                self.cluster.replace(_merged(live, step["object"]), manager=manager)
            elif verb == "delete":
                self.cluster.delete(reference)
            else:
                self.cluster.patch(
                    *(reference, step["object"], verb), manager=manager, subresource=step.get("subresource")
                )

    def definition(self, content: Object) -> None:
        """Create a definition if it is missing, and wait until it is served."""
        with suppress(ClusterError):
            self.cluster.create(content)
        time.sleep(1)


def _merged(live: Any, change: Any) -> Any:
    """The object with the changed values, as an operator that writes the whole object."""
    if not isinstance(live, dict) or not isinstance(change, dict):
        return change
    found = {**live}
    for key, value in change.items():
        if value is None:
            found.pop(key, None)
        else:
            found[key] = _merged(live.get(key), value)
    return found


def _arguments(namespace: str, command: Object, folder: Path) -> list[str]:
    action, flags = command["action"], command.get("flags", {})
    words = [action, "--namespace", namespace, "--timeout", "20s"]
    if action == "rollback":
        words += ["web", str(command["revision"])]
    else:
        _write_chart(folder / "chart", command)
        words += ["web", str(folder / "chart")]
    if command["version"] == 4 and "server_side" in flags:
        words.append(f"--server-side={flags['server_side']}")
    words += ["--force-conflicts"] if flags.get("force_conflicts") else []
    words += ["--force-replace" if command["version"] == 4 else "--force"] if flags.get("force") else []
    return [*words, "--take-ownership"] if flags.get("take_ownership") else words


def _write_chart(folder: Path, command: Object) -> None:
    (folder / "templates").mkdir(parents=True)
    (folder / "Chart.yaml").write_text("apiVersion: v2\nname: chart\nversion: 1.0.0\n", encoding="utf-8")
    text = "---\n".join([object_text(one, "yaml") for one in command["objects"]])
    (folder / "templates" / "all.yaml").write_text(text.replace("{{", '{{ "{{" }}'), encoding="utf-8")
    if command.get("crds"):
        (folder / "crds").mkdir()
        crds = "---\n".join([object_text(one, "yaml") for one in command["crds"]])
        (folder / "crds" / "all.yaml").write_text(crds, encoding="utf-8")
