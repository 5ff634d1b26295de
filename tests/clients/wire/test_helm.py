"""Helm installs, upgrades, rolls back and uninstalls a chart with a definition on a served cluster."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.apiserver.kubectl import REAL_API

if TYPE_CHECKING:
    from kubemerge.apiserver.http.listening.running import Serving

CHART = Path(__file__).parent / "chart"
HELM = shutil.which("helm", path=os.pathsep.join((os.environ.get(REAL_API, ""), os.environ.get("PATH", ""))))
PATIENCE = 180

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(HELM is None, reason=f"there is no helm, on the PATH or in the folder of {REAL_API}"),
]


def helm(*words: str) -> str:
    """The output of helm, which must exit 0."""
    done = subprocess.run([str(HELM), *words], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, f"helm {' '.join(words)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def seen(kube_server: Serving) -> dict[str, Any]:
    """The objects of the chart in the cluster."""
    cluster = kube_server.cluster
    shops = [one["spec"]["image"] for one in cluster.list("example.com/v1", "Shop")]
    maps = [one["metadata"]["name"] for one in cluster.list("v1", "ConfigMap")]
    deployments = [one["spec"]["replicas"] for one in cluster.list("apps/v1", "Deployment")]
    return {"shops": shops, "settings": maps, "replicas": deployments}


def test_a_chart_comes_changes_and_goes(kube_server: Serving) -> None:
    helm("install", "toys", str(CHART))
    assert seen(kube_server) == {"shops": ["shop:1"], "settings": [], "replicas": [1]}
    helm("upgrade", "toys", str(CHART), "--set", "image=shop:2,replicas=3")
    assert seen(kube_server) == {"shops": ["shop:2"], "settings": ["toys-settings"], "replicas": [3]}
    (release,) = json.loads(helm("list", "-o", "json"))
    assert (release["name"], release["revision"], release["status"]) == ("toys", "2", "deployed")
    helm("rollback", "toys", "1")
    assert seen(kube_server) == {"shops": ["shop:1"], "settings": [], "replicas": [1]}
    assert len(json.loads(helm("history", "toys", "-o", "json"))) == 3
    helm("uninstall", "toys")
    assert seen(kube_server) == {"shops": [], "settings": [], "replicas": []}
    assert [one["metadata"]["name"] for one in kube_server.cluster.list("v1", "Secret")] == []
    definitions = kube_server.cluster.list("apiextensions.k8s.io/v1", "CustomResourceDefinition")
    assert [one["metadata"]["name"] for one in definitions] == ["shops.example.com"]  # Helm never removes them
