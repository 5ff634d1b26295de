"""A live cluster is only read, with GET requests. The recorded conversation ends with an apply without force."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_text import documents
from kubemerge.cluster import ApplyConflict, ConnectError, Reference, connect
from kubemerge.mcpserver.calls import call
from kubemerge.mcpserver.tools import TOOLS
from kubemerge.mcpserver.workspace import Settings, Workspace
from kubemerge.pytest_plugin import kube_dump, kube_release, kube_server, kube_store, kube_tls

from .recorded import CONVERSATION, differences, filled, texts_of, value_at

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["kube_dump", "kube_release", "kube_server", "kube_store", "kube_tls"]

WEB = Reference("apps/v1", "Deployment", "web", "shop")


def loaded(server: Any) -> dict[str, str]:
    """Put the recorded live objects into the cluster. Returns the texts of the conversation."""
    texts = texts_of(CONVERSATION)
    (live,) = documents(texts["live"])
    shop = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    server.cluster.create(shop)
    server.cluster.load(live["items"])
    return texts


def test_the_changed_manifest_of_the_conversation_applies_without_force(kube_server: Any, tmp_path: Path) -> None:
    texts = loaded(kube_server)
    for step in CONVERSATION["steps"]:
        answer = call(Settings(str(tmp_path)), step["tool"], filled(step["arguments"], texts))
        assert differences(step["result"], answer.result) == []
        for name, path in step.get("keep", {}).items():
            texts[name] = value_at(answer.result, path)
    (config,), (changed,) = documents(texts["config"]), documents(texts["changed"])
    with connect(str(kube_server.kubeconfig)) as cluster:
        with pytest.raises(ApplyConflict):
            cluster.patch(WEB, config, "apply", manager="helm")
        stored = cluster.patch(WEB, changed, "apply", manager="helm")
    spec = stored["spec"]
    assert spec["template"]["spec"]["containers"][0]["image"] == "nginx:1.30"
    assert (spec["replicas"], spec["template"]["spec"]["terminationGracePeriodSeconds"]) == (5, 60)


def test_a_cluster_gets_only_get_requests(kube_server: Any, tmp_path: Path) -> None:
    """Every tool is called. The audit log of the server has all requests."""
    log = tmp_path / "audit.jsonl"
    server = kube_server(audit_log=log)
    texts = loaded(server)
    manifest = texts["config"]
    before = len(server.writes())
    settings = Settings(str(tmp_path), kubeconfig=str(server.kubeconfig))
    calls: dict[str, dict[str, Any]] = {
        "predict_apply": {"config": manifest, "method": "server-side", "manager": "helm"},
        "conflicts": {"config": manifest, "manager": "helm"},
        "field_owners": {"object": "deployment/web", "namespace": "shop"},
        "why": {"config": manifest},
        "explain_field": {"field": "deployment.spec"},
        "lint": {"config": manifest},
        "plan": {"tool": "helm", "config": manifest, "release_name": "shop", "namespace": "shop"},
        "compare_releases": {"left": "1.36", "right": "1.37", "config": manifest},
    }
    assert {*calls} == {*TOOLS}
    found = {name: call(settings, name, arguments) for name, arguments in calls.items()}
    assert {name: answer.error for name, answer in found.items() if answer.error} == {}
    requests = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert {one["verb"] for one in requests} <= {"get", "list"}
    assert any(one["requestURI"] == "/apis/apps/v1/namespaces/shop/deployments/web" for one in requests)
    assert len(server.writes()) == before
    results = {name: answer.result for name, answer in found.items() if answer.result is not None}
    assert results["predict_apply"]["objects"][0]["conflicts"][0]["path"] == "spec.replicas"
    assert results["conflicts"]["objects"][0]["smallest_change"]["kind"] == "edit_config"
    assert results["field_owners"]["objects"][0]["object"] == "deployment.apps/web"
    assert any(one["path"] == "spec.replicas" and one["before"] == 5 for one in results["why"]["fields"])


def test_only_tools_that_read_the_cluster_announce_it(kube_server: Any, tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    server = kube_server(audit_log=log)
    manifest = loaded(server)["config"]
    settings = Settings(str(tmp_path), kubeconfig=str(server.kubeconfig))
    size = log.stat().st_size
    more = {"compare_releases": {"left": "1.36", "right": "1.37"}, "plan": {"tool": "kubectl"}}
    for name, tool in TOOLS.items():
        texts = {one.name: one.text for one in tool.arguments}
        if "config" in texts:
            assert call(settings, name, {"config": manifest, **more.get(name, {})}).error == ""
            was, size = size, log.stat().st_size
            assert ("the cluster that the server was started with" in texts["live"]) == (size > was), name


def test_the_client_of_a_tool_rejects_writes(kube_server: Any, tmp_path: Path) -> None:
    loaded(kube_server)
    settings = Settings(str(tmp_path), kubeconfig=str(kube_server.kubeconfig))
    with Workspace(settings, {}) as workspace:
        cluster = workspace.cluster
        assert cluster is not None
        assert cluster.get(WEB)["metadata"]["name"] == "web"
        before = len(kube_server.writes())
        with pytest.raises(ConnectError, match="read-only here, so no PATCH request was sent"):
            cluster.patch(WEB, {}, "merge", dry_run=True)
        with pytest.raises(ConnectError, match="no DELETE request"):
            cluster.delete(WEB)
        assert len(kube_server.writes()) == before


def test_without_a_cluster_none_is_used(kube_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kubeconfig in the environment is not enough."""
    loaded(kube_server)
    monkeypatch.setenv("KUBECONFIG", str(kube_server.kubeconfig))
    answer = call(Settings(str(tmp_path)), "field_owners", {"object": "deployment/web", "namespace": "shop"})
    assert answer.error == "no live object. Pass live objects in live, or paths in live_files"


def test_the_cluster_has_its_own_release(kube_server: Any, tmp_path: Path) -> None:
    settings = Settings(str(tmp_path), kubeconfig=str(kube_server.kubeconfig))
    answer = call(settings, "predict_apply", {"config": texts_of(CONVERSATION)["config"], "release": "1.30"})
    assert "the cluster has its own release. Omit the argument release" in answer.error
    explained = call(settings, "explain_field", {"field": "deployment.spec", "release": "1.30"}).result
    assert explained is not None
    assert explained["release"] == "1.30"
