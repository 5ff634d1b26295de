"""`kubemerge plan --as flux`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import engine

from ...objects import config_map, deployment

if TYPE_CHECKING:
    from ...shell import Shell

GROUP = "kustomize.toolkit.fluxcd.io"
SCHEMA = engine.load().schema("apps/v1", "Deployment")
LABELS = {f"{GROUP}/name": "shop", f"{GROUP}/namespace": "flux-system"}
WEB = "Deployment/shop/web"


def kustomization(inventory: tuple[str, ...] = (), **spec: Any) -> dict[str, Any]:
    """A Kustomization, with the IDs of its inventory."""
    entries = [{"id": one, "v": "v1"} for one in inventory]
    return {
        "apiVersion": f"{GROUP}/v1",
        "kind": "Kustomization",
        "metadata": {"name": "shop", "namespace": "flux-system"},
        "spec": {"interval": "1m", "prune": True, **spec},
        "status": {"inventory": {"entries": entries}},
    }


def web(replicas: int = 2, image: str = "web:1", **annotations: str) -> dict[str, Any]:
    """A Deployment in the namespace shop."""
    metadata: dict[str, Any] = {"name": "web", "namespace": "shop"}
    if annotations:
        metadata["annotations"] = {f"{GROUP}/{key}": value for key, value in annotations.items()}
    return {**deployment("web", {"name": "web", "image": image}, replicas=replicas), "metadata": metadata}


def live(*, scaled_by: str = "", apply: bool = False, image: str = "web:1") -> dict[str, Any]:
    """The Deployment as Flux has applied it, and its replicas changed to 5 by another manager."""
    config = web(image=image)
    config["metadata"]["labels"] = LABELS
    applied = engine.server_side_apply(config, None, SCHEMA, manager="kustomize-controller").merged
    if not scaled_by:
        return applied
    if apply:
        scale = {**web(5), "spec": {"replicas": 5}}
        return engine.server_side_apply(scale, applied, SCHEMA, manager=scaled_by, force=True).merged
    scaled = {**applied, "spec": {**applied["spec"], "replicas": 5}}
    return engine.record_update(applied, scaled, SCHEMA, manager=scaled_by)


def planned(shell: Shell, settings: dict[str, Any], config: list[Any], lives: list[Any]) -> Any:
    """The plan as data."""
    shell.write("settings.yaml", settings)
    shell.write("config.yaml", *config)
    shell.write("live.yaml", *lives)
    words = ("-f", "config.yaml", "--live", "live.yaml", "--settings", "settings.yaml")
    shell.run("plan", "--as", "flux", *words, "-o", "json")
    return json.loads(shell.out)


def objects(plan: Any) -> dict[str, Any]:
    """The planned objects by kind and name."""
    return {f"{one['kind']}/{one['name']}": one for one in plan["objects"]}


def changed(one: Any) -> list[str]:
    return [change["path"] for change in one["changes"]]


def test_flux_always_forces(shell: Shell) -> None:
    plan = planned(shell, kustomization(), [web(image="web:2")], [live(scaled_by="hpa")])
    assert shell.code == 0
    one = objects(plan)["Deployment/web"]
    assert (one["action"], one["method"], one["manager"]) == ("changed", "server-side", "kustomize-controller")
    assert changed(one) == ["spec.replicas", "spec.template.spec.containers[name=web].image"]
    assert [(taken["path"], taken["manager"]) for taken in one["overwritten"]] == [("spec.replicas", "hpa")]
    (fix,) = one["advice"]
    assert fix["text"].endswith("remove the fields from the config, or add their paths to spec.ignore")


@pytest.mark.parametrize(("manager", "apply"), [("hpa", False), ("keda", True)])
def test_an_ignored_field_keeps_its_live_value(shell: Shell, manager: str, apply: bool) -> None:
    """FIELD: kustomize-controller#1627. A field that another manager applied is left out; others are adopted."""
    rules = [{"paths": ["/spec/replicas"], "target": {"kind": "Deploy.*"}}]
    lives = [live(scaled_by=manager, apply=apply)]
    plan = planned(shell, kustomization(ignore=rules), [web(image="web:2")], lives)
    one = objects(plan)["Deployment/web"]
    assert changed(one) == ["spec.template.spec.containers[name=web].image"]
    assert one["kept"] == ["spec.replicas"]
    assert [(stuck["config"], stuck["live"]) for stuck in one["stuck"]] == [(2, 5)]


def test_only_ignored_drift_changes_nothing(shell: Shell) -> None:
    rules = [{"paths": ["/spec/replicas"]}]
    assert (
        objects(planned(shell, kustomization(ignore=rules), [web()], [live(scaled_by="hpa")]))["Deployment/web"][
            "action"
        ]
        == "unchanged"
    )
    other = [
        {"paths": ["/spec/replicas"]},
        {"paths": ["/spec/paused"]},
    ]  # of rules without a target, the last one counts
    plan = planned(shell, kustomization(ignore=other), [web()], [live(scaled_by="hpa")])
    assert changed(objects(plan)["Deployment/web"]) == ["spec.replicas"]


@pytest.mark.parametrize(
    ("mark", "action"),
    [("Ignore", "skipped"), ("IfNotPresent", "skipped"), ("Merge", "changed"), ("Override", "changed")],
)
def test_the_annotation_decides(shell: Shell, mark: str, action: str) -> None:
    plan = planned(shell, kustomization(), [web(image="web:2", ssa=mark)], [live()])
    assert objects(plan)["Deployment/web"]["action"] == action


def test_fields_of_kubectl_are_removed_unless_they_are_merged(shell: Shell) -> None:
    before = live()
    spec = {**before["spec"], "paused": True}
    edited = engine.record_update(before, {**before, "spec": spec}, SCHEMA, manager="kubectl-edit")
    assert changed(objects(planned(shell, kustomization(), [web()], [edited]))["Deployment/web"]) == ["spec.paused"]
    kept = objects(planned(shell, kustomization(), [web(ssa="Merge")], [edited]))["Deployment/web"]
    assert "spec.paused" not in changed(kept)


def test_an_immutable_field(shell: Shell) -> None:
    config = web()
    config["spec"]["selector"]["matchLabels"] = config["spec"]["template"]["metadata"]["labels"] = {"app": "other"}
    plan = planned(shell, kustomization(), [config, config_map("a", namespace="shop")], [live()])
    assert plan["error"].startswith(f"{WEB} dry-run failed (Invalid): Deployment.apps ")
    found = objects(plan)
    assert plan["fails"]
    assert {name: one["action"] for name, one in found.items()} == {
        "Deployment/web": "refused",
        "ConfigMap/a": "skipped",
    }
    found = objects(planned(shell, kustomization(force=True), [config], [live()]))
    assert (found["Deployment/web"]["action"], found["Deployment/web"]["method"]) == ("created", "replace")
    assert found["Deployment/web"]["notes"][0].startswith("Flux deletes the object and creates it again.")


def test_force_deletes_an_object_that_cannot_be_created(shell: Shell) -> None:
    """A rejected object is deleted before the new one is sent, so an invalid config loses the object."""
    config = web()
    config["spec"]["replicas"] = -1
    plan = planned(shell, kustomization(force=True), [config], [live()])
    one = objects(plan)["Deployment/web"]
    assert one["action"] == "deleted"
    assert "the server rejects the new one too" in one["notes"][0]
    assert plan["error"].startswith(f"{WEB} dry-run failed (Invalid)")


def test_the_inventory_decides_about_pruning(shell: Shell) -> None:
    mine = {**config_map("old"), "metadata": {"name": "old", "namespace": "shop", "labels": LABELS}}
    other = {**config_map("other"), "metadata": {"name": "other", "namespace": "shop"}}
    kept = {**mine, "metadata": {**mine["metadata"], "name": "kept", "annotations": {f"{GROUP}/prune": "disabled"}}}
    inventory = ("shop_old__ConfigMap", "shop_other__ConfigMap", "shop_kept__ConfigMap", "shop_gone__ConfigMap")
    found = objects(planned(shell, kustomization(inventory), [web()], [live(), mine, other, kept]))
    actions = {name: one["action"] for name, one in found.items()}
    assert actions == {
        "Deployment/web": "unchanged",
        "ConfigMap/old": "deleted",
        "ConfigMap/other": "kept",
        "ConfigMap/kept": "kept",
    }
    found = objects(planned(shell, kustomization(inventory, prune=False), [web()], [live(), mine]))
    assert found["ConfigMap/old"]["action"] == "kept"


def test_definitions_come_first(shell: Shell) -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    plan = planned(shell, kustomization(), [web(), config_map("a", namespace="shop"), namespace], [])
    assert [one["kind"] for one in plan["objects"]] == ["Namespace", "ConfigMap", "Deployment"]


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ({"prune": "yes"}, "spec.prune of the Kustomization is not true or false. Write true or false there."),
        ({"ignore": {}}, "spec.ignore of the Kustomization is not a list. Write a list there."),
        ({"ignore": [{"paths": [1]}]}, "spec.ignore[0].paths[0] of the Kustomization is not text. Write text there."),
        (
            {"ignore": [{"paths": ["spec"]}]},
            "spec.ignore[0].paths of the Kustomization has 'spec', which is not a JSON pointer. "
            "Begin it with /, as in /spec/replicas.",
        ),
        (
            {"ignore": [{"paths": [], "target": {"kind": "("}}]},
            "spec.ignore[0].target.kind of the Kustomization is not a Go regular expression: error parsing regexp",
        ),
        (
            {"ignore": [{"paths": [], "target": {"labelSelector": "a in"}}]},
            "spec.ignore[0].target.labelSelector of the Kustomization is not a label selector: ",
        ),
    ],
)
def test_settings_that_cannot_be_used(shell: Shell, spec: dict[str, Any], sentence: str) -> None:
    shell.write("settings.yaml", kustomization(**spec))
    shell.write("config.yaml", web())
    words = ("-f", "config.yaml", "--live", "config.yaml", "--settings", "settings.yaml")
    assert shell.fails("plan", "--as", "flux", *words).startswith(sentence)


def test_other_settings(shell: Shell) -> None:
    shell.write("config.yaml", web())
    words = ("--as", "flux", "-f", "config.yaml", "--live", "config.yaml", "--settings")
    assert shell.fails("plan", *words, "config.yaml") == (
        f"the settings have no Kustomization of {GROUP}, only Deployment. Pass the Kustomization of Flux. "
        "For a HelmRelease, use --as helm with the rendered chart"
    )
    shell.write("two.yaml", kustomization(), kustomization())
    assert shell.fails("plan", *words, "two.yaml") == (
        "there are 2 manifests of kind Kustomization: shop, shop. Pass one of them."
    )
    shell.write("bad.yaml", kustomization(("a_b",)))
    assert shell.fails("plan", *words, "bad.yaml") == (
        "status.inventory.entries[0].id of the Kustomization is not NAMESPACE_NAME_GROUP_KIND. "
        "Copy it from the cluster."
    )


def test_without_a_kustomization_the_plan_says_what_is_missing(shell: Shell) -> None:
    shell.write("config.yaml", web())
    assert shell.run("plan", "--as", "flux", "-f", "config.yaml", "--live", "config.yaml") == 0
    assert "note: without the Kustomization, its owner labels" in shell.out
