"""A plan names webhooks that it does not call."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ..objects import config_map, deployment

if TYPE_CHECKING:
    from ..shell import Shell

VERSION = "admissionregistration.k8s.io/v1"
CALLED = {"admissionReviewVersions": ["v1"], "sideEffects": "None", "clientConfig": {"url": "https://hook.example.com"}}


def configuration(kind: str, resource: str, group: str = "apps") -> dict[str, Any]:
    """A webhook configuration with one rule."""
    rule = {"apiGroups": [group], "apiVersions": ["v1"], "resources": [resource], "operations": ["*"]}
    hook = {"name": "hook.example.com", "rules": [rule], **CALLED}
    return {"apiVersion": VERSION, "kind": kind, "metadata": {"name": "mesh"}, "webhooks": [hook]}


def notes(shell: Shell, config: list[Any], lives: list[Any]) -> list[str]:
    """The notes of a plan."""
    shell.write("config.yaml", *config)
    shell.write("live.yaml", *lives)
    shell.run("plan", "--as", "kubectl", "-f", "config.yaml", "--live", "live.yaml", "-o", "json")
    found: list[str] = json.loads(shell.out)["notes"]
    return found


@pytest.mark.parametrize(
    ("kind", "effect"),
    [("MutatingWebhookConfiguration", "change or reject"), ("ValidatingWebhookConfiguration", "reject")],
)
def test_a_matching_webhook_is_named(shell: Shell, kind: str, effect: str) -> None:
    expected = [f"{kind} mesh: the webhook hook.example.com may {effect} deployment.apps/web. A plan calls none"]
    hook = configuration(kind, "deployments")
    assert notes(shell, [deployment("web")], [hook, config_map()]) == expected
    assert notes(shell, [deployment("web"), hook], [config_map()]) == expected


def test_other_webhooks_are_not_named(shell: Shell) -> None:
    hook = configuration("MutatingWebhookConfiguration", "configmaps", "")
    assert notes(shell, [deployment("web")], [hook]) == []
    assert len(notes(shell, [config_map(), config_map("other")], [hook])) == 1
