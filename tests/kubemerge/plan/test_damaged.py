"""Plans of Flux and Argo CD for objects with values of wrong types: no error but a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ..objects import config_map

if TYPE_CHECKING:
    from ..shell import Shell

DAMAGED: tuple[dict[str, Any], ...] = (
    {"annotations": [1]},
    {"labels": "x"},
    {"labels": {"a": True}},
    {"managedFields": 5},
    {"managedFields": ["x", {"manager": [], "operation": "Apply", "fieldsV1": []}]},
    {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}"}},
    {"annotations": {"argocd.argoproj.io/ignore-differences": "a: ["}},
)
SETTINGS: dict[str, Any] = {
    "flux": {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "spec": {}},
    "argocd": {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "spec": {}},
}
RULES = [{"kind": "*", "group": "*", "managedFieldsManagers": ["m"], "jsonPointers": ["/data"]}]


@pytest.mark.parametrize("metadata", DAMAGED, ids=str)
@pytest.mark.parametrize("tool", ["flux", "argocd"])
@pytest.mark.parametrize("place", ["config", "live"])
def test_damaged_metadata(shell: Shell, tool: str, metadata: dict[str, Any], place: str) -> None:
    plain = {**config_map("a"), "metadata": {"name": "a", "namespace": "default"}}
    damaged = {**plain, "metadata": {**plain["metadata"], **metadata}}
    spec = {"ignore": [{"paths": ["/data/0"]}]} if tool == "flux" else {"ignoreDifferences": RULES}
    shell.write("settings.yaml", {**SETTINGS[tool], "metadata": {"name": "app"}, "spec": spec})
    shell.write("config.yaml", damaged if place == "config" else plain)
    shell.write("live.yaml", damaged if place == "live" else plain)
    words = ("-f", "config.yaml", "--live", "live.yaml", "--settings", "settings.yaml")
    assert shell.run("plan", "--as", tool, *words) in (0, 1, 2)
    assert shell.out or len(shell.err.splitlines()) == 1
