"""Record a Deployment of a real server with co-owners, an autoscaler and controllers, and the effects of two applies.

`KUBECONFIG=FILE KUBEMERGE_REAL_API=FOLDER python -m tests.kubemerge.blame.record`

The folder holds kubectl. The cluster must be disposable, and runs the controllers of Deployments and ReplicaSets.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from copy import deepcopy
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).with_name("real.json")
CONFIG: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "default", "labels": {"app": "web", "tier": "front"}},
    "spec": {
        "replicas": 1,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {
            "metadata": {"labels": {"app": "web"}},
            "spec": {
                "containers": [
                    {"name": "app", "image": "web:1", "ports": [{"containerPort": 80}], "args": ["--a", "--b"]},
                    {"name": "proxy", "image": "proxy:1", "env": [{"name": "A", "value": "1"}]},
                ]
            },
        },
    },
}
"""The first config, as it is applied."""


def changed() -> dict[str, Any]:
    """The config of today: a field less, and other values."""
    config = deepcopy(CONFIG)
    del config["metadata"]["labels"]["tier"]
    app, proxy = config["spec"]["template"]["spec"]["containers"]
    app["args"] = ["--a"]
    proxy["env"][0]["value"] = "2"
    return config


SHARED = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "default"},
    "spec": {"template": {"spec": {"containers": [{"name": "proxy", "env": [{"name": "A", "value": "1"}]}]}}},
}
"""The config of two teams that share a value."""
IMAGE = '{"spec":{"template":{"spec":{"containers":[{"name":"app","image":"web:9"}]}}}}'


def kubectl(*words: str, given: Any = None) -> subprocess.CompletedProcess[str]:
    """The output of kubectl."""
    program = str(Path(os.environ["KUBEMERGE_REAL_API"]) / "kubectl")
    text = None if given is None else json.dumps(given)
    return subprocess.run([program, *words], check=False, capture_output=True, text=True, input=text)


def done(*words: str, given: Any = None) -> str:
    """The output of a kubectl that succeeds."""
    found = kubectl(*words, given=given)
    assert found.returncode == 0, found.stderr
    return found.stdout


def record() -> dict[str, Any]:
    """The live object, the results of both applies, and the conflicts of the second one."""
    kubectl("delete", "deploy", "web", "--wait")
    done("apply", "-f", "-", given=CONFIG)
    for team in ("team-b", "team-c"):  # the first one also takes over the fields of client-side apply
        done("apply", "--server-side", f"--field-manager={team}", "-f", "-", given=SHARED)
    done("patch", "deploy", "web", "-p", IMAGE)
    scale = ("--subresource=scale", "--type=merge", "-p", '{"spec":{"replicas":4}}')
    done("patch", "deploy", "web", *scale, "--field-manager=keda-operator")
    time.sleep(5)  # the controllers write the status
    live = json.loads(done("get", "deploy", "web", "-o", "json", "--show-managed-fields"))
    dry = ("--dry-run=server", "-f", "-", "-o", "json", "--show-managed-fields")
    server_side = ("--server-side", "--field-manager=ci")
    return {
        "version": json.loads(done("version", "-o", "json"))["serverVersion"]["gitVersion"],
        "config": changed(),
        "live": live,
        "applied": json.loads(done("apply", *dry, given=changed())),
        "conflicts": kubectl("apply", *server_side, *dry, given=changed()).stderr,
        "forced": json.loads(done("apply", *server_side, "--force-conflicts", *dry, given=changed())),
    }


if __name__ == "__main__":
    RECORDED.write_text(json.dumps(record(), indent=1) + "\n", encoding="utf-8")
