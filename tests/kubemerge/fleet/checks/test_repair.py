"""Rows of `kubemerge fleet repair`: the drifted fields and the patch of each object."""

from __future__ import annotations

import json
from typing import Any

from kubemerge.fleet.checks.base import Rules
from kubemerge.fleet.checks.config import ConfigFile
from kubemerge.fleet.checks.repair import Repair
from kubemerge.fleet.reading.items import Item

from ...repair.drifted import applied, container, deployment, patched

MISSING = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "gone", "namespace": "shop"}}


def check(*config: dict[str, Any], **options: Any) -> Repair:
    """The check with a config for all clusters."""
    text = "".join(f"{json.dumps(one)}\n---\n" for one in config)
    return Repair(Rules(), config=(ConfigFile("", "config.yaml", text.encode()),), **options)


def rows(found: Repair, cluster: str, live: dict[str, Any]) -> list[tuple[str, str, str, str | None]]:
    """The rows of one object."""
    item = Item(cluster, json.dumps(live).encode(), "dump.json", "")
    return [(one.what, one.severity, one.path, one.after) for one in found.rows(item)]


def test_drift_has_a_row_for_each_field_and_one_for_the_patch() -> None:
    live = patched(applied(deployment()), container(image="other"))
    live = patched(live, {"spec": {"replicas": 5}}, "kube-controller-manager")
    image = "spec.template.spec.containers[name=web].image"
    body = '{"spec":{"template":{"spec":{"containers":[{"image":"web:1","name":"web"}]}}}}'
    found = check(deployment(), MISSING)
    assert rows(found, "north", live) == [
        ("changed", "warning", image, '"web:1"'),
        ("hand-over", "info", "spec.replicas", "2"),
        ("patch", "warning", "", body),
    ]
    missing = [*found.missing("north", found.seen["north"], {"ConfigMap": 1})]
    assert [(one.what, one.name) for one in missing] == [("missing", "gone")]


def test_an_object_in_sync_has_no_rows() -> None:
    assert rows(check(deployment()), "north", applied(deployment())) == []


def test_an_object_that_cannot_be_repaired_has_the_reason() -> None:
    found = rows(check(deployment(replicas=-1)), "north", applied(deployment()))
    assert [one[:2] for one in found] == [("failed", "error")]


def test_the_settings_of_flux_are_used() -> None:
    live = patched(applied(deployment()), {"spec": {"replicas": 5}})
    flux = {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": {"name": "shop"}}
    settings = [{**flux, "spec": {"ignore": [{"paths": ["/spec/replicas"]}]}}]
    found = rows(check(deployment(), tool="flux", settings=settings), "north", live)
    assert [one[2] for one in found if one[0] == "changed"] == []
    assert [one[0] for one in found] == ["removed", "removed", "patch"]  # the labels of the Kustomization
