"""`kubemerge plan --as helm` reads a release and its objects with `get` and `list` only: RBAC allows nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.output.object_text import object_text

from ...conftest import require_package
from ..objects import config_map
from .helm_secrets import release

if TYPE_CHECKING:
    from pathlib import Path

    from ..shell import Shell

RBAC = "rbac.authorization.k8s.io"
RULES = [{"apiGroups": [""], "resources": ["configmaps", "secrets"], "verbs": ["get", "list"]}]


def reader() -> list[dict[str, Any]]:
    """A ServiceAccount that may only read."""
    metadata = {"name": "reader", "namespace": "demo"}
    role = {"apiGroup": RBAC, "kind": "Role", "name": "reader"}
    subjects = [{"kind": "ServiceAccount", "name": "reader", "namespace": "demo"}]
    return [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "demo"}},
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata},
        {"apiVersion": f"{RBAC}/v1", "kind": "Role", "metadata": metadata, "rules": RULES},
        {
            "apiVersion": f"{RBAC}/v1",
            "kind": "RoleBinding",
            "metadata": metadata,
            "roleRef": role,
            "subjects": subjects,
        },
    ]


@pytest.mark.parametrize("words", [("-f", "new.yaml"), ("--rollback", "1")])
def test_get_and_list_are_enough(kube_server: Any, shell: Shell, tmp_path: Path, words: tuple[str, ...]) -> None:
    require_package("uvicorn")
    kube_server(authorization="rbac")
    cluster = kube_server.cluster
    for one in reader():
        cluster.create(one)
    first, second = (config_map("settings", {"a": at}, namespace="demo") for at in "12")
    gone = config_map("gone", {"a": "1"}, namespace="demo")
    for one in (second, gone):
        cluster.create(one, manager="operator")
    cluster.create(release(object_text(first, "yaml"), 1))
    cluster.create(release("---\n".join([object_text(one, "yaml") for one in (second, gone)]), 2))
    shell.write("new.yaml", config_map("settings", {"a": "3"}))
    before = len(kube_server.writes())
    kubeconfig = kube_server.write_account_kubeconfig(tmp_path / "reader", "demo/reader")
    options = ("--release-name", "shop", "-n", "demo", "--kubeconfig", kubeconfig, "-o", "json")
    assert shell.run("plan", "--as", "helm", *words, *options) == 1
    found = json.loads(shell.out)
    assert {one["name"]: one["action"] for one in found["objects"]} == {"settings": "refused", "gone": "skipped"}
    assert [conflict["path"] for conflict in found["objects"][0]["conflicts"]] == ["data.a"]
    assert len(kube_server.writes()) == before
