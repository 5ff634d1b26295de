"""kubectl talks to a served cluster. tests/apiserver compares its responses with a real server's."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import yaml

from kubemerge.cluster import Reference
from tests.apiserver.kubectl import MISSING, program

from .objects import config_map, definition, deployment, shop

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kubemerge.apiserver.http.listening.running import Serving

pytestmark = [pytest.mark.slow, pytest.mark.skipif(program() is None, reason=MISSING)]
PATIENCE = 120
WEB = Reference("apps/v1", "Deployment", "web", "default")


class Said(NamedTuple):
    """kubectl's result."""

    code: int
    out: str
    err: str


class Kubectl:
    """Runs kubectl in a folder, on the cluster of KUBECONFIG."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, line: str, stdin: str = "", code: int = 0) -> Said:
        """The result of a command line, which has to end with this code."""
        with self.started(line) as process:
            out, err = process.communicate(stdin, PATIENCE)
            assert process.returncode == code, f"kubectl {line}\n{out}\n{err}"
            return Said(process.returncode, out, err)

    def started(self, line: str) -> subprocess.Popen[str]:
        """kubectl, while it runs."""
        pipe = subprocess.PIPE
        words = [str(program()), *line.split()]
        return subprocess.Popen(words, cwd=self.folder, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def write(self, name: str, *documents: dict[str, Any]) -> None:
        """A file of manifests."""
        (self.folder / name).write_text(yaml.safe_dump_all(documents), encoding="utf-8")


@pytest.fixture
def kubectl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kubectl:
    monkeypatch.setenv("KUBECACHEDIR", str(tmp_path / "cache"))
    folder = tmp_path / "work"
    folder.mkdir()
    return Kubectl(folder)


def meanwhile(*changes: Callable[[], Any]) -> threading.Thread:
    """Make changes, one after the other, while something else is going on."""

    def run() -> None:
        for change in changes:
            time.sleep(1)
            change()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_objects_are_applied_shown_and_deleted(kubectl: Kubectl) -> None:
    kubectl.write("web.yaml", deployment("web"), config_map("a", x="1"))
    assert kubectl("apply -f web.yaml").out == "deployment.apps/web created\nconfigmap/a created\n"
    assert kubectl("apply -f web.yaml").out == "deployment.apps/web unchanged\nconfigmap/a unchanged\n"
    kubectl.write("web.yaml", deployment("web", "web:2"), config_map("a", x="1"))
    assert "+      - image: web:2" in kubectl("diff -f web.yaml", code=1).out
    assert kubectl("apply -f web.yaml").out == "deployment.apps/web configured\nconfigmap/a unchanged\n"
    kubectl("diff -f web.yaml")
    assert '"annotations":{}' in kubectl("diff --server-side -f web.yaml", code=1).out  # only last-applied differs
    assert kubectl("get deploy,cm -o name").out == "deployment.apps/web\nconfigmap/a\n"
    assert kubectl("get deploy web").out.split()[:6] == ["NAME", "READY", "UP-TO-DATE", "AVAILABLE", "AGE", "web"]
    assert kubectl("get deploy web -o jsonpath={.spec.template.spec.containers[0].image}").out == "web:2"
    described = kubectl("describe deployment web").out
    assert "RollingUpdateStrategy:  25% max unavailable, 25% max surge" in described
    assert kubectl("delete -f web.yaml").out.count("deleted from default namespace") == 2
    assert "NotFound" in kubectl("get deploy web", code=1).err


def test_server_side_apply_and_its_conflicts(kubectl: Kubectl) -> None:
    kubectl.write("a.yaml", config_map("a", x="1"))
    assert kubectl("apply --server-side -f a.yaml").out == "configmap/a serverside-applied\n"
    kubectl.write("a.yaml", config_map("a", x="2"))
    assert '+  x: "2"' in kubectl("diff --server-side -f a.yaml", code=1).out
    refused = kubectl("apply --server-side --field-manager=other -f a.yaml", code=1)
    assert 'conflict with "kubectl": .data.x' in refused.err
    forced = kubectl("apply --server-side --field-manager=other --force-conflicts -f a.yaml")
    assert forced.out == "configmap/a serverside-applied\n"


def test_what_is_not_applied_any_more_is_pruned(kubectl: Kubectl, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = config_map("a"), config_map("b")
    for content in (one, other):
        content["metadata"]["labels"] = {"app": "shop"}
    kubectl.write("all.yaml", one, other)
    kubectl("apply --prune -l app=shop -f all.yaml")
    kubectl.write("all.yaml", one)
    assert "configmap/b pruned" in kubectl("apply --prune -l app=shop -f all.yaml").out
    monkeypatch.setenv("KUBECTL_APPLYSET", "true")
    kubectl.write("set.yaml", config_map("c"), config_map("d"))
    kubectl("apply --prune --applyset=secrets/parent -n default -f set.yaml")
    kubectl.write("set.yaml", config_map("d"))
    assert "configmap/c pruned" in kubectl("apply --prune --applyset=secrets/parent -n default -f set.yaml").out
    assert kubectl("get cm -o name").out == "configmap/a\nconfigmap/d\n"


def test_generators_send_protobuf(kubectl: Kubectl) -> None:
    assert kubectl("create namespace team").out == "namespace/team created\n"
    kubectl("create configmap a --from-literal=x=1 -n team")
    kubectl("create secret generic s --from-literal=password=p -n team")
    kubectl("create deployment web --image=web:1 --replicas=2 -n team")
    kubectl("create role reads --verb=get,list --resource=pods,deployments.apps -n team")
    kubectl("create serviceaccount robot -n team")
    kubectl("create job once --image=job:1 -n team")
    kubectl("create ingress front --rule=shop.example.com/*=web:80 -n team")
    kubectl("create quota q --hard=cpu=1,pods=3 -n team")
    assert kubectl("create token robot -n team").out.count(".") == 2
    kubectl("expose deployment web --port=80 -n team")
    kubectl("run one --image=one:1 -n team")
    kubectl("autoscale deployment web --max=4 -n team")
    assert kubectl("auth can-i delete pods -n team").out == "yes\n"
    assert "Username" in kubectl("auth whoami").out
    found = json.loads(kubectl("get all,cm,role -n team -o json").out)["items"]
    names = {f"{one['kind']}/{one['metadata']['name']}" for one in found}
    assert {"ConfigMap/a", "Role/reads", "Deployment/web", "Service/web", "Pod/one", "Job/once"} < names
    assert kubectl("delete namespace team").out == 'namespace "team" deleted\n'
    kubectl("get namespace team", code=1)


def test_live_objects_are_changed(kubectl: Kubectl, monkeypatch: pytest.MonkeyPatch) -> None:
    kubectl.write("web.yaml", deployment("web"))
    kubectl("create -f web.yaml")
    assert kubectl("label deploy web tier=front").out == "deployment.apps/web labeled\n"
    assert kubectl("annotate deploy web note=seen").out == "deployment.apps/web annotated\n"
    assert kubectl("scale deploy web --replicas=5").out == "deployment.apps/web scaled\n"
    assert kubectl("set image deploy/web web=web:3").out == "deployment.apps/web image updated\n"
    editor = kubectl.folder / "editor"
    editor.write_text('#!/bin/sh\nsed -i "s/replicas: 5/replicas: 6/" "$1"\n', encoding="utf-8")
    editor.chmod(0o700)
    monkeypatch.setenv("KUBE_EDITOR", str(editor))
    assert kubectl("edit deploy web").out == "deployment.apps/web edited\n"
    kubectl('patch deploy web -p {"spec":{"paused":true}}')
    kubectl('patch deploy web --type=json -p [{"op":"remove","path":"/spec/paused"}]')
    kubectl('patch deploy web --subresource=status --type=merge -p {"status":{"replicas":6}}')
    live = json.loads(kubectl("get deploy web -o json --show-managed-fields").out)
    assert (live["spec"]["replicas"], live["status"]["replicas"]) == (6, 6)
    managers = {one["manager"] for one in live["metadata"]["managedFields"]}
    assert {"kubectl-create", "kubectl-label", "kubectl-annotate", "kubectl-edit", "kubectl-set"} <= managers
    assert kubectl("replace -f web.yaml").out == "deployment.apps/web replaced\n"
    assert kubectl("replace --force -f web.yaml").out.endswith("deployment.apps/web replaced\n")


def test_watches(kubectl: Kubectl, kube_server: Serving) -> None:
    cluster = kube_server.cluster
    cluster.create(config_map("a", x="1"))
    with kubectl.started("get cm -w --no-headers") as process:
        assert process.stdout is not None
        assert process.stdout.readline().split()[:2] == ["a", "1"]
        meanwhile(lambda: cluster.create(config_map("b", x="1", y="2")))
        assert process.stdout.readline().split()[:2] == ["b", "2"]
        process.terminate()
    cluster.create(deployment("web"))
    ready = {"type": "Available", "status": "True"}
    done = {
        "observedGeneration": 1,
        "replicas": 2,
        "updatedReplicas": 2,
        "readyReplicas": 2,
        "availableReplicas": 2,
        "conditions": [ready],
    }
    thread = meanwhile(lambda: cluster.patch(WEB, {"status": done}, "merge", subresource="status"))
    assert "successfully rolled out" in kubectl("rollout status deploy/web --timeout=60s").out
    thread.join()
    assert (
        kubectl("wait deploy/web --for=condition=Available --timeout=60s").out == "deployment.apps/web condition met\n"
    )
    thread = meanwhile(lambda: cluster.delete(WEB))
    assert kubectl("wait deploy/web --for=delete --timeout=60s").out == "deployment.apps/web condition met\n"
    thread.join()
    assert "timed out" in kubectl("wait cm/a --for=delete --timeout=1s", code=1).err


def test_a_deletion_waits_for_finalizers(kubectl: Kubectl, kube_server: Serving) -> None:
    held = config_map("a")
    held["metadata"]["finalizers"] = ["example.com/hold"]
    cluster = kube_server.cluster
    cluster.create(held)
    reference = Reference("v1", "ConfigMap", "a", "default")
    thread = meanwhile(
        lambda: cluster.get(reference)["metadata"]["deletionTimestamp"],
        lambda: cluster.patch(reference, {"metadata": {"finalizers": None}}, "merge"),
    )
    assert kubectl("delete cm a --timeout=60s").out == 'configmap "a" deleted from default namespace\n'
    thread.join()


def test_custom_resources(kubectl: Kubectl) -> None:
    kubectl.write("crd.yaml", definition())
    kubectl("apply -f crd.yaml")
    kubectl("wait crd --all --for=condition=Established --timeout=60s")
    kubectl.write("toys.yaml", shop("toys"))
    assert kubectl("apply -f toys.yaml").out == "shop.example.com/toys created\n"
    assert kubectl("apply -f toys.yaml").out == "shop.example.com/toys unchanged\n"
    kubectl.write("toys.yaml", shop("toys", "shop:2"))
    assert kubectl("apply -f toys.yaml").out == "shop.example.com/toys configured\n"
    assert kubectl("scale sh/toys --replicas=3").out == "shop.example.com/toys scaled\n"
    assert "image\t<string> -required-" in kubectl("explain shop.spec").out
    assert 'unknown field "spec.x"' in kubectl('patch shop toys --type=merge -p {"spec":{"x":1}}').err


def test_what_is_served_is_told(kubectl: Kubectl, kube_server: Serving) -> None:
    rows = [line.split() for line in kubectl("api-resources").out.splitlines()]
    assert ["deployments", "deploy", "apps/v1", "true", "Deployment"] in rows
    assert "networking.k8s.io/v1" in kubectl("api-versions").out.splitlines()
    assert f"Kubernetes control plane is running at {kube_server.url}" in kubectl("cluster-info").out
    assert f"Server Version: v{kube_server.cluster.release}" in kubectl("version").out
    assert kubectl("get --raw /readyz").out == "ok"
    assert "replicas\t<integer>" in kubectl("explain deployment.spec").out
    assert "strategy" in kubectl("explain deployment --recursive").out
    assert "No events found" in kubectl("events").err + kubectl("events").out
    kubectl.write("kustomization.yaml", {"namePrefix": "my-", "resources": ["a.yaml"]})
    kubectl.write("a.yaml", config_map("a", x="1"))
    assert kubectl("apply -k .").out == "configmap/my-a created\n"


def test_what_needs_a_node_says_so(kubectl: Kubectl) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {"containers": [{"name": "c", "image": "i"}]},
    }
    kubectl.write("pod.yaml", pod)
    kubectl("create -f pod.yaml")
    for line in ("logs p", "port-forward pod/p 7599:80", "exec p -- ls", "attach p", "cp p:/a b"):
        said = kubectl(line, code=1)
        assert "rror" in said.err, line
