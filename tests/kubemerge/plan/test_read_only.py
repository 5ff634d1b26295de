"""`kubemerge plan` sends only `get` and `list` requests to a cluster: RBAC allows nothing else here.

argo-cd#24134, #26271, #28695: a server-side diff needs the permission to patch.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ..objects import config_map, deployment

if TYPE_CHECKING:
    from pathlib import Path

    from ..shell import Shell

GROUP = "rbac.authorization.k8s.io"
READER = "default/reader"
RULES = [
    {"apiGroups": ["", "apps"], "resources": ["configmaps", "deployments"], "verbs": ["get", "list"]},
]


def access() -> list[dict[str, Any]]:
    """A ServiceAccount that may get and list."""
    metadata = {"name": "reader", "namespace": "default"}
    return [
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata},
        {"apiVersion": f"{GROUP}/v1", "kind": "Role", "metadata": metadata, "rules": RULES},
        {
            "apiVersion": f"{GROUP}/v1",
            "kind": "RoleBinding",
            "metadata": metadata,
            "roleRef": {"apiGroup": GROUP, "kind": "Role", "name": "reader"},
            "subjects": [{"kind": "ServiceAccount", "name": "reader", "namespace": "default"}],
        },
    ]


def verbs_of(role: dict[str, Any]) -> set[str]:
    """The verbs of a Role for resources."""
    return {verb for rule in role.get("rules", ()) if "resources" in rule for verb in rule["verbs"]}


@pytest.mark.parametrize("words", [("flux",), ("argocd", "--server-side"), ("kubectl", "--server-side"), ("kubectl",)])
def test_get_and_list_are_enough(kube_server: Any, shell: Shell, tmp_path: Path, words: tuple[str, ...]) -> None:
    server = kube_server(authorization="rbac")
    cluster = server.cluster
    for one in access():
        cluster.create(one)
    config = {
        **deployment("web", {"name": "web", "image": "web:1"}),
        "metadata": {"name": "web", "namespace": "default"},
    }
    cluster.create(config, manager="kubectl-create")
    before = len(server.writes())
    kubeconfig = server.write_account_kubeconfig(tmp_path / "reader", READER)
    config["spec"]["template"]["spec"]["containers"][0]["image"] = "web:2"
    new = {**config_map("new"), "metadata": {"name": "new", "namespace": "default"}}
    shell.write("config.yaml", config, new)
    shell.run("plan", "--as", *words, "-f", "config.yaml", "--kubeconfig", kubeconfig, "-o", "json")
    found = {one["name"]: one["action"] for one in json.loads(shell.out)["objects"]}
    assert found["new"] == "created"
    assert found["web"] in ("changed", "refused")
    assert shell.code in (0, 1)
    assert len(server.writes()) == before
    asked = {verb for role in server.permissions("system:serviceaccount:default:reader") for verb in verbs_of(role)}
    assert asked <= {"get", "list"}
    assert "get" in asked
