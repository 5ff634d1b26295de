"""`kubemerge wait`: another process changes the watched object."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from kubemerge.cluster import Reference, open_cluster

from ...objects import config_map, deployment

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...shell import Shell

AFTER = 0.3


def meanwhile(shell: Shell, change: Callable[[Any], Any]) -> threading.Thread:
    """Change the cluster a little later, as another process would."""
    file = str(shell.folder / ".kubemerge" / "cluster.db")

    def run() -> None:
        time.sleep(AFTER)
        with open_cluster(file) as cluster:
            change(cluster)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_an_object_that_is_deleted_meanwhile(shell: Shell) -> None:
    shell.create(config_map("a"))
    thread = meanwhile(shell, lambda cluster: cluster.delete(Reference("v1", "ConfigMap", "a", "default")))
    assert shell.done("wait", "cm/a", "--for=delete", "--timeout=10s") == "configmap/a condition met\n"
    thread.join()


def test_an_object_that_is_created_meanwhile(shell: Shell) -> None:
    shell.create(config_map("a"))
    thread = meanwhile(shell, lambda cluster: cluster.create(config_map("b", namespace="default")))
    assert shell.done("wait", "cm/b", "--for=create", "--timeout=10s") == "configmap/b condition met\n"
    thread.join()


def available(cluster: Any) -> None:
    status = {"observedGeneration": 1, "replicas": 1, "updatedReplicas": 1, "readyReplicas": 1, "availableReplicas": 1}
    patch = {"status": {**status, "conditions": [{"type": "Available", "status": "True"}]}}
    cluster.patch(Reference("apps/v1", "Deployment", "web", "default"), patch, "merge", subresource="status")


def test_a_condition_that_is_met_meanwhile(shell: Shell) -> None:
    shell.create(deployment("web", replicas=1))
    thread = meanwhile(shell, available)
    assert shell.done("wait", "deploy/web", "--for=condition=Available", "--timeout=10s") == (
        "deployment.apps/web condition met\n"
    )
    thread.join()
