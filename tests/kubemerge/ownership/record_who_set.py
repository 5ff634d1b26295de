"""Record Deployments of a real server that people, controllers and other applies have changed, with managedFields.

`KUBECONFIG=FILE KUBEMERGE_REAL_API=FOLDER python -m tests.kubemerge.ownership.record_who_set`

The folder holds kubectl. The cluster must be disposable, and runs the controllers of Deployments, ReplicaSets and
HorizontalPodAutoscalers.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).with_name("who_set.json")
CONFIG: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "default", "labels": {"app": "web"}},
    "spec": {
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [{"name": "web", "image": "web:1", "ports": [{"containerPort": 80}]}]},
        },
    },
}
SCALER = {
    "apiVersion": "autoscaling/v2",
    "kind": "HorizontalPodAutoscaler",
    "metadata": {"name": "web", "namespace": "default"},
    "spec": {
        "minReplicas": 2,
        "maxReplicas": 5,
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
    },
}
TEAM = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "default", "annotations": {"team": "b"}},
}
PATCH = '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"side:1"}]}}}}'
EDITOR = "sed -i -e 's/terminationGracePeriodSeconds: 30/terminationGracePeriodSeconds: 45/' -e 's/web:1$/web:2/'"


def kubectl(*words: str, given: Any = None, **env: str) -> str:
    """The output of kubectl."""
    program = Path(os.environ["KUBEMERGE_REAL_API"]) / "kubectl"
    done = subprocess.run(
        [str(program), *words],
        check=True,
        capture_output=True,
        text=True,
        input=json.dumps(given),
        env={**os.environ, **env},
    )
    return done.stdout


def live() -> dict[str, Any]:
    """The Deployment as it is now."""
    found: dict[str, Any] = json.loads(kubectl("get", "deploy", "web", "-o", "json", "--show-managed-fields"))
    return found


def begun() -> None:
    """A Deployment that kubectl has just applied, and that its controller has observed."""
    kubectl("delete", "deploy,hpa", "--all", "-n", "default")
    kubectl("apply", "-f", "-", given=CONFIG)
    time.sleep(3)


def edited() -> None:
    """Change the Deployment in an editor."""
    with tempfile.TemporaryDirectory() as folder:
        editor = Path(folder, "editor")
        editor.write_text(f'#!/bin/sh\n{EDITOR} "$1"\n', encoding="utf-8")
        editor.chmod(0o700)
        kubectl("edit", "deploy", "web", EDITOR=str(editor))


def by_people() -> dict[str, Any]:
    """Changed by hand in every way that kubectl has."""
    begun()
    edited()
    kubectl("scale", "deploy", "web", "--replicas=3")
    kubectl("patch", "deploy", "web", "-p", PATCH)
    kubectl("annotate", "deploy", "web", "note=x")
    kubectl("set", "env", "deploy/web", "-c", "web", "LEVEL=debug")
    kubectl("rollout", "restart", "deploy/web")
    kubectl("apply", "--server-side", "--field-manager=team-b", "-f", "-", given=TEAM)
    time.sleep(3)
    return live()


def by_controllers() -> dict[str, Any]:
    """Scaled by a HorizontalPodAutoscaler."""
    begun()
    kubectl("apply", "-f", "-", given=SCALER)
    until = time.monotonic() + 120
    while live()["spec"]["replicas"] != 2 and time.monotonic() < until:
        time.sleep(2)
    return live()


def on_the_server() -> dict[str, Any]:
    """Applied server-side, and only changed by one edit."""
    kubectl("delete", "deploy,hpa", "--all", "-n", "default")
    kubectl("apply", "--server-side", "-f", "-", given=CONFIG)
    edited()
    return live()


if __name__ == "__main__":
    found = {"config": CONFIG, **{one.__name__: one() for one in (by_people, by_controllers, on_the_server)}}
    RECORDED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
