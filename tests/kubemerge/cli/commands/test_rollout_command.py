"""`kubemerge rollout`: going back to revisions that are in the cluster."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest

from ...objects import deployment

if TYPE_CHECKING:
    from ...shell import Shell

REVISION = "deployment.kubernetes.io/revision"


def owned(live: dict[str, Any]) -> list[dict[str, Any]]:
    metadata = live["metadata"]
    owner = {"apiVersion": live["apiVersion"], "kind": live["kind"], "name": metadata["name"], "uid": metadata["uid"]}
    return [{**owner, "controller": True}]


def replica_set(live: dict[str, Any], revision: int, image: str, **annotations: str) -> dict[str, Any]:
    """What a controller would have made of a Deployment."""
    template = copy.deepcopy(live["spec"]["template"])
    template["metadata"]["labels"]["pod-template-hash"] = str(revision)
    template["spec"]["containers"][0]["image"] = image
    metadata = {
        "name": f"{live['metadata']['name']}-{revision}",
        "labels": template["metadata"]["labels"],
        "annotations": {REVISION: str(revision), **annotations},
        "ownerReferences": owned(live),
    }
    spec = {"replicas": 0, "selector": {"matchLabels": template["metadata"]["labels"]}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": spec}


@pytest.fixture
def rolled(shell: Shell) -> Shell:
    shell.create(deployment("web", replicas=1))
    live = shell.live("deploy", "web")
    cause = {"kubernetes.io/change-cause": "the first"}
    images = {1: "web:0", 2: "web:1"}
    shell.create(
        *(replica_set(live, number, image, **(cause if number == 1 else {})) for number, image in images.items())
    )
    return shell


def test_the_history_of_a_deployment(rolled: Shell) -> None:
    assert rolled.done("rollout", "history", "deploy/web") == (
        "deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         the first\n2         <none>\n\n"
    )
    said = rolled.done("rollout", "history", "deploy/web", "--revision=1")
    assert said.startswith(
        "deployment.apps/web with revision #1\nPod Template:\n  Labels:\tapp=web\n\tpod-template-hash=1\n"
    )
    assert "    Image:\tweb:0\n" in said
    assert rolled.fails("rollout", "history", "deploy/web", "--revision=7") == "unable to find the specified revision"


def test_going_back(rolled: Shell) -> None:
    assert rolled.done("rollout", "undo", "deploy/web") == "deployment.apps/web rolled back\n"
    live = rolled.live("deploy", "web")
    template = live["spec"]["template"]
    assert template["spec"]["containers"][0]["image"] == "web:0"
    assert template["metadata"]["labels"] == {"app": "web"}
    assert live["metadata"]["annotations"] == {"kubernetes.io/change-cause": "the first"}
    assert {one["manager"] for one in live["metadata"]["managedFields"]} == {"kubectl-create", "kubectl"}
    again = rolled.done("rollout", "undo", "deploy/web", "--to-revision=1")
    assert again == "deployment.apps/web skipped rollback (current template already matches revision 1)\n"


def test_a_rehearsal_goes_nowhere(rolled: Shell) -> None:
    said = rolled.done("rollout", "undo", "deploy/web", "--dry-run=client")
    assert said.startswith("deployment.apps/web Pod Template:\n")
    assert said.endswith(" (dry run)\n")
    assert rolled.done("rollout", "undo", "deploy/web", "--dry-run=server") == (
        "deployment.apps/web rolled back (server dry run)\n"
    )
    assert rolled.live("deploy", "web")["spec"]["template"]["spec"]["containers"][0]["image"] == "web:1"


def test_a_paused_deployment_stays(rolled: Shell) -> None:
    rolled.done("rollout", "pause", "deploy/web")
    assert "you cannot rollback a paused deployment" in rolled.fails("rollout", "undo", "deploy/web")


def test_a_stateful_set_goes_back_to_a_controller_revision(shell: Shell) -> None:
    whole = deployment("db", replicas=1, serviceName="db")
    shell.create({**whole, "kind": "StatefulSet"})
    live = shell.live("sts", "db")
    for number, image in ((1, "db:0"), (2, "db:1")):
        template = copy.deepcopy(live["spec"]["template"])
        template["spec"]["containers"][0]["image"] = image
        metadata = {"name": f"db-{number}", "labels": {"app": "db"}, "ownerReferences": owned(live)}
        data = {"spec": {"template": {**template, "$patch": "replace"}}}
        kind = {"apiVersion": "apps/v1", "kind": "ControllerRevision"}
        shell.create({**kind, "metadata": metadata, "revision": number, "data": data})
    assert "2         <none>" in shell.done("rollout", "history", "sts", "db")
    assert shell.done("rollout", "undo", "sts/db") == "statefulset.apps/db rolled back\n"
    assert shell.live("sts", "db")["spec"]["template"]["spec"]["containers"][0]["image"] == "db:0"
