"""An eviction uses a disruption that a PodDisruptionBudget allows. A server of 1.37 stores the same."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.cluster import EmbeddedCluster
from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.messages import Request
from kubemerge.apiserver.metadata import Origins

if TYPE_CHECKING:
    from collections.abc import Iterator

NOW = "2024-05-01T12:00:00Z"
READY: dict[str, Any] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
BUDGET = {
    "apiVersion": "policy/v1",
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "b", "namespace": "default"},
    "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "w"}}},
}
POD = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "p", "namespace": "default", "labels": {"app": "w"}},
    "spec": {"nodeName": "n", "containers": [{"name": "c", "image": "a"}]},
}
EVICTED = {
    "type": "DisruptionTarget",
    "status": "True",
    "lastProbeTime": None,
    "lastTransitionTime": NOW,
    "reason": "EvictionByEvictionAPI",
    "message": "Eviction API: evicting",
}
NONE_LEFT = {
    "type": "DisruptionAllowed",
    "status": "False",
    "reason": "InsufficientPods",
    "message": "",
    "lastTransitionTime": NOW,
    "observedGeneration": 1,
}


@pytest.fixture
def cluster() -> Iterator[EmbeddedCluster]:
    clock = lambda: datetime.fromisoformat(NOW.replace("Z", "+00:00")).astimezone(timezone.utc)  # noqa: E731
    with EmbeddedCluster(":memory:", release="1.37", origins=Origins(clock=clock)) as found:
        yield found


def given(cluster: EmbeddedCluster, pod: Any, **counts: Any) -> None:
    """A Pod with this status, and a budget with these counts."""
    made = cluster.create(POD)
    cluster.replace({**made, "status": {**made["status"], **pod}}, subresource="status")
    budget = cluster.create(BUDGET)
    cluster.replace({**budget, "status": {"expectedPods": 2, "observedGeneration": 1, **counts}}, subresource="status")


def evict(cluster: EmbeddedCluster, query: dict[str, list[str]] | None = None) -> tuple[int, Any]:
    body = json.dumps({"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}}).encode()
    headers = {"content-type": "application/json", "host": "h"}
    path = "/api/v1/namespaces/default/pods/p/eviction"
    response: Any = Application(cluster).answer(Request("POST", path, query or {}, headers, body))
    return response.status, json.loads(response.body)


def stored(cluster: EmbeddedCluster, kind: str, version: str = "v1") -> dict[str, Any]:
    found: dict[str, Any] = next(iter(cluster.list(version, kind, namespace="default")))
    return found


def test_an_eviction_uses_one_disruption(cluster: EmbeddedCluster) -> None:
    given(cluster, READY, currentHealthy=2, desiredHealthy=1, disruptionsAllowed=1)
    assert evict(cluster)[0] == 201
    status = stored(cluster, "PodDisruptionBudget", "policy/v1")["status"]
    assert (status["disruptionsAllowed"], status["disruptedPods"]) == (0, {"p": NOW})
    assert status["conditions"] == [NONE_LEFT]
    pod = stored(cluster, "Pod")
    assert pod["status"]["conditions"][-1] == EVICTED
    assert pod["metadata"]["deletionGracePeriodSeconds"] == 30


def test_a_dry_run_changes_nothing(cluster: EmbeddedCluster) -> None:
    given(cluster, READY, currentHealthy=2, desiredHealthy=1, disruptionsAllowed=1)
    before = [stored(cluster, "Pod"), stored(cluster, "PodDisruptionBudget", "policy/v1")]
    assert evict(cluster, {"dryRun": ["All"]})[0] == 201
    assert [stored(cluster, "Pod"), stored(cluster, "PodDisruptionBudget", "policy/v1")] == before


@pytest.mark.parametrize(
    ("pod", "counts", "why"),
    [
        (READY, {"currentHealthy": 1, "desiredHealthy": 1}, "needs 1 healthy pods and has 1 currently"),
        (READY, {"currentHealthy": 2, "desiredHealthy": 1}, "does not allow evicting pods currently"),
        ({"phase": "Running"}, {"currentHealthy": 0, "desiredHealthy": 1}, "needs 1 healthy pods and has 0 currently"),
        (READY, {"observedGeneration": 0}, "is still being processed by the server."),
    ],
)
def test_a_budget_without_disruptions_protects_its_pods(
    pod: Any, counts: Any, why: str, cluster: EmbeddedCluster
) -> None:
    given(cluster, pod, **counts)
    code, body = evict(cluster)
    causes = [{"reason": "DisruptionBudget", "message": f"The disruption budget b {why}"}]
    assert (code, body["details"]["causes"]) == (429, causes)
    assert "deletionTimestamp" not in stored(cluster, "Pod")["metadata"]


UNREADY_FIRST = {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}, *READY["conditions"]]}
"""A server uses the first condition of a type."""


@pytest.mark.parametrize("pod", [{"phase": "Running"}, UNREADY_FIRST, {"phase": "Succeeded"}, {"phase": "Pending"}])
def test_pods_that_do_not_serve_may_go(pod: Any, cluster: EmbeddedCluster) -> None:
    """A running Pod that is not ready may go while enough others are ready."""
    given(cluster, pod, currentHealthy=1, desiredHealthy=1, disruptionsAllowed=0)
    assert evict(cluster)[0] == 201
    assert stored(cluster, "PodDisruptionBudget", "policy/v1")["status"]["disruptionsAllowed"] == 0
