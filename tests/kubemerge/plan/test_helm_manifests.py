"""The order in which Helm sends objects and runs hooks."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.manifests.objects import Manifest
from kubemerge.plan.helm.manifests import hooks_for_event, split

from ..objects import config_map


def hook(name: str, kinds: str, **annotations: str) -> Manifest:
    own = {"helm.sh/hook": kinds, **{f"helm.sh/hook-{key}": value for key, value in annotations.items()}}
    return Manifest("c.yaml", config_map(name, annotations=own))


def of_kind(kind: str) -> Manifest:
    return Manifest("c.yaml", {**config_map(kind.lower()), "kind": kind})


def test_objects_are_sent_by_kind_and_unknown_kinds_last() -> None:
    kinds = ("Widget", "Deployment", "Secret", "Apple", "Namespace", "Service", "CustomResourceDefinition")
    objects, hooks = split(map(of_kind, kinds))
    found = [one.content["kind"] for one in objects]
    assert found == ["Namespace", "Secret", "CustomResourceDefinition", "Service", "Deployment", "Apple", "Widget"]
    assert hooks == []


def test_hooks_run_by_weight_and_name() -> None:
    given = [
        hook("c", "pre-upgrade"),
        hook("a", "pre-upgrade", weight="5"),
        hook("b", "PRE-UPGRADE , post-upgrade", weight="-3"),
        hook("d", "pre-upgrade", weight="odd"),
        hook("e", "test-success"),
        hook("unknown", "crd-install"),
    ]
    objects, hooks = split(given)

    def names(event: str) -> list[Any]:
        return [one.manifest.content["metadata"]["name"] for one in hooks_for_event(hooks, event)]

    assert objects == []
    assert names("pre-upgrade") == ["b", "c", "d", "a"]
    assert names("post-upgrade") == ["b"]
    assert names("test") == ["e"]


@pytest.mark.parametrize(
    ("text", "policies"),
    [
        (None, ("before-hook-creation",)),
        ("hook-succeeded", ("hook-succeeded",)),
        ("Hook-Succeeded, hook-failed", ("hook-succeeded", "hook-failed")),
    ],
)
def test_delete_policies(text: str | None, policies: tuple[str, ...]) -> None:
    more = {} if text is None else {"delete-policy": text}
    _, (one,) = split([hook("a", "pre-upgrade", **more)])
    assert one.policies == policies
