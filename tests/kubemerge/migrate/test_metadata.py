"""Metadata that tools add to every object is never reported as removed."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from kubemerge.migrate import TOOLS, plan_migration
from kubemerge.migrate.metadata import STAMPS, stamped, stamped_as_live

from ..objects import config_map

SCHEMA = engine.load().schema("v1", "ConfigMap")
TRACKING = {"argocd.argoproj.io/tracking-id": "shop:/ConfigMap:default/c"}
ADDED: dict[str, Any] = {
    "helm": {
        "labels": {"app.kubernetes.io/managed-by": "Helm", "helm.toolkit.fluxcd.io/name": "shop"},
        "annotations": {"meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "default"},
    },
    "argocd": {"labels": {"app.kubernetes.io/instance": "shop"}, "annotations": TRACKING},
    "flux": {
        "labels": {"kustomize.toolkit.fluxcd.io/name": "shop", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}
    },
}


def applied_by(tool: str, **metadata: Any) -> dict[str, Any]:
    """A ConfigMap that the tool has applied, with this metadata."""
    content = config_map("c", {"a": "1"})
    whole = {**content, "metadata": {**content["metadata"], **metadata}}
    return engine.server_side_apply(whole, None, SCHEMA, manager=TOOLS[tool].manager).merged


@pytest.mark.parametrize("tool", ADDED)
def test_metadata_of_the_tool_is_not_removed(tool: str) -> None:
    found = plan_migration(config_map("c", {"a": "1"}), applied_by(tool, **ADDED[tool]), SCHEMA, by=tool)
    assert (found.state, found.removed, found.changed) == ("ready", (), ())
    assert found.merged["metadata"]["labels"] == ADDED[tool]["labels"]


@pytest.mark.parametrize("tool", ADDED)
def test_other_metadata_is_removed(tool: str) -> None:
    labels = {**ADDED[tool]["labels"], "tier": "web"}
    found = plan_migration(config_map("c", {"a": "1"}), applied_by(tool, labels=labels), SCHEMA, by=tool)
    assert [one.path for one in found.removed] == ["metadata.labels.tier"]


def test_an_instance_label_of_another_name_is_not_argo_cds() -> None:
    metadata = {"labels": {"app.kubernetes.io/instance": "other"}, "annotations": TRACKING}
    found = plan_migration(config_map("c", {"a": "1"}), applied_by("argocd", **metadata), SCHEMA, by="argocd")
    assert [one.path for one in found.removed] == ["metadata.labels"]


def test_a_value_in_the_config_takes_precedence() -> None:
    live = applied_by("argocd", **ADDED["argocd"])
    config = {
        **config_map("c", {"a": "1"}),
        "metadata": {"name": "c", "labels": {"app.kubernetes.io/instance": "mine"}},
    }
    assert stamped_as_live(config, live, "argocd")["metadata"]["labels"] == {"app.kubernetes.io/instance": "mine"}


def test_helm_overwrites_its_metadata() -> None:
    config = {
        **config_map("c", {"a": "1"}),
        "metadata": {"name": "c", "labels": {"app.kubernetes.io/managed-by": "me"}},
    }
    found = stamped(config, "helm", {"release": "shop", "namespace": "default"})
    assert found["metadata"]["labels"] == {"app.kubernetes.io/managed-by": "Helm"}
    assert found["metadata"]["annotations"] == ADDED["helm"]["annotations"]
    assert config["metadata"]["labels"] == {"app.kubernetes.io/managed-by": "me"}


def test_every_tool_has_a_table() -> None:
    assert STAMPS.keys() == TOOLS.keys()
