"""`kubemerge plan --as argocd`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

import engine

from ....conftest import require_package
from ...objects import applied, config_map, deployment

if TYPE_CHECKING:
    from ...shell import Shell

SCHEMA = engine.load().schema("apps/v1", "Deployment")
TRACKING = "argocd.argoproj.io/tracking-id"
ID = {TRACKING: "shop:apps/Deployment:shop/web"}
SSA = "ServerSideApply=true"
RESPECT = "RespectIgnoreDifferences=true"
REPLICAS = {"group": "apps", "kind": "Deployment", "jsonPointers": ["/spec/replicas"]}


def application(*options: str, ignore: tuple[Any, ...] = (), prune: bool = True, **annotations: str) -> dict[str, Any]:
    """An Application with sync options."""
    resources = [{"version": "v1", "kind": "ConfigMap", "name": "old", "namespace": "shop"}]
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {
            "name": "shop",
            "namespace": "argocd",
            "annotations": {f"argocd.argoproj.io/{key.replace('_', '-')}": value for key, value in annotations.items()},
        },
        "spec": {
            "destination": {"namespace": "shop"},
            "ignoreDifferences": [*ignore],
            "syncPolicy": {"automated": {"prune": prune}, "syncOptions": [*options]},
        },
        "status": {"resources": resources},
    }


def web(replicas: int = 2, image: str = "web:1", **annotations: str) -> dict[str, Any]:
    """A Deployment without a namespace."""
    metadata: dict[str, Any] = {"name": "web"}
    if annotations:
        metadata["annotations"] = annotations
    return {**deployment("web", {"name": "web", "image": image}, replicas=replicas), "metadata": metadata}


def tracked(config: dict[str, Any]) -> dict[str, Any]:
    return {**config, "metadata": {**config["metadata"], "namespace": "shop", "annotations": ID}}


def live(*, client_side: bool = False, replicas: int = 2, by: str = "hpa") -> dict[str, Any]:
    """The Deployment as Argo CD has synced it, and its replicas changed by another manager."""
    config = tracked(web())
    if client_side:
        created = engine.apply(config, None, SCHEMA).merged
        before = engine.record_update(None, created, SCHEMA, manager="argocd-controller")
    else:
        before = engine.server_side_apply(config, None, SCHEMA, manager="argocd-controller").merged
    if replicas == before["spec"]["replicas"]:
        return before
    after = {**before, "spec": {**before["spec"], "replicas": replicas}}
    return engine.record_update(before, after, SCHEMA, manager=by)


def planned(shell: Shell, settings: dict[str, Any], config: list[Any], lives: list[Any], *more: Any) -> Any:
    """The plan as data."""
    shell.write("settings.yaml", settings, *more)
    shell.write("config.yaml", *config)
    shell.write("live.yaml", *lives)
    words = ("-f", "config.yaml", "--live", "live.yaml", "--settings", "settings.yaml")
    shell.run("plan", "--as", "argocd", *words, "-o", "json")
    return json.loads(shell.out)


def first(plan: Any) -> tuple[str, str, list[str]]:
    """The action, the state and the changed fields of the Deployment."""
    one = next(one for one in plan["objects"] if one["kind"] == "Deployment")
    return one["action"], one["status"], [change["path"] for change in one["changes"]]


@pytest.mark.parametrize("option", [(), (SSA,)])
def test_drift_is_shown_and_reset(shell: Shell, option: tuple[str, ...]) -> None:
    plan = planned(shell, application(*option), [web()], [live(client_side=not option, replicas=5)])
    assert plan["method"] == ("server-side" if option else "client-side")
    assert first(plan) == ("changed", "OutOfSync", ["spec.replicas"])


@pytest.mark.parametrize("option", [(), (SSA,)])
def test_an_ignored_difference_is_reset_by_a_sync_unless_it_is_respected(shell: Shell, option: tuple[str, ...]) -> None:
    """argo#2913, argo#12686: `Synced` does not mean that a sync keeps the value."""
    lives = [live(client_side=not option, replicas=5)]
    plan = planned(shell, application(*option, ignore=(REPLICAS,)), [web()], lives)
    assert first(plan) == ("changed", "Synced", ["spec.replicas"])
    plan = planned(shell, application(*option, RESPECT, ignore=(REPLICAS,)), [web()], lives)
    assert first(plan)[1:] == ("Synced", [])


def test_fields_of_trusted_managers(shell: Shell) -> None:
    rule = {"group": "*", "kind": "*", "managedFieldsManagers": ["hpa"]}
    lives = [live(replicas=5)]
    assert first(planned(shell, application(SSA, ignore=(rule,)), [web()], lives))[1] == "Synced"
    other = {**rule, "managedFieldsManagers": ["vpa"]}
    assert first(planned(shell, application(SSA, ignore=(other,)), [web()], lives))[1] == "OutOfSync"


def test_jq_expressions(shell: Shell) -> None:
    require_package("jq")
    rule = {"group": "apps", "kind": "Deployment", "jqPathExpressions": [".spec | select(.replicas > 3) | .replicas"]}
    path = {**rule, "jqPathExpressions": [".spec.replicas"]}
    lives = [live(client_side=True, replicas=5)]
    assert first(planned(shell, application(ignore=(path,)), [web()], lives))[1] == "Synced"
    assert (
        first(planned(shell, application(ignore=({**rule, "jqPathExpressions": [".spec.paused"]},)), [web()], lives))[1]
        == "OutOfSync"
    )


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("def f: f; f", "has 'def f: f; f'. Paths with `def` are not evaluated."),
        ("env", "has 'env'. Paths with `env` are not evaluated."),
    ],
)
def test_jq_programs_that_are_not_run(shell: Shell, expression: str, problem: str) -> None:
    shell.write("settings.yaml", application(ignore=({**REPLICAS, "jqPathExpressions": [expression]},)))
    shell.write("config.yaml", web())
    words = ("-f", "config.yaml", "--live", "config.yaml", "--settings", "settings.yaml")
    found = shell.fails("plan", "--as", "argocd", *words)
    assert found == f"spec.ignoreDifferences[0].jqPathExpressions of the Application {problem}"


def test_jq_is_an_extra(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jq", None)
    shell.write("settings.yaml", application(ignore=({**REPLICAS, "jqPathExpressions": [".spec"]},)))
    shell.write("config.yaml", web())
    words = ("-f", "config.yaml", "--live", "config.yaml", "--settings", "settings.yaml")
    assert shell.fails("plan", "--as", "argocd", *words) == (
        "spec.ignoreDifferences[0].jqPathExpressions of the Application needs the package jq. "
        "Install it: pip install 'kubemerge[argocd]'"
    )


def test_fields_of_client_side_apply_are_handed_over(shell: Shell) -> None:
    """argo#23214: without the handover, fields that the config drops stay."""
    config = {**web(), "metadata": {"name": "web", "namespace": "shop"}}
    config["spec"] = {**config["spec"], "paused": True}
    before = engine.record_update(None, applied(config), SCHEMA, manager="kubectl-client-side-apply")
    plan = planned(shell, application(SSA), [web()], [before])
    assert "spec.paused" in first(plan)[2]


@pytest.mark.parametrize(
    ("mark", "method"),
    [("ServerSideApply=true", "server-side"), ("Replace=true", "replace"), ("ServerSideApply=false", "client-side")],
)
def test_options_of_one_object(shell: Shell, mark: str, method: str) -> None:
    config = web(2, "web:2", **{"argocd.argoproj.io/sync-options": mark})
    plan = planned(shell, application(), [config], [live()])
    assert [one["method"] for one in plan["objects"]] == [method]


def test_force_recreates(shell: Shell) -> None:
    config = web()
    config["spec"]["selector"]["matchLabels"] = config["spec"]["template"]["metadata"]["labels"] = {"app": "other"}
    plan = planned(shell, application(), [config], [live(client_side=True)])
    assert first(plan)[:2] == ("refused", "OutOfSync")
    assert plan["error"] == "one or more objects failed to apply"
    config["metadata"]["annotations"] = {"argocd.argoproj.io/sync-options": "Force=true"}
    plan = planned(shell, application(), [config], [live(client_side=True)])
    assert first(plan)[0] == "created"
    assert plan["objects"][0]["notes"] == ["Argo CD deletes the object and creates it again, because Force=true is set"]


def test_a_failed_wave_stops_the_sync(shell: Shell) -> None:
    wave = "argocd.argoproj.io/sync-wave"
    bad = web(replicas=-1, **{wave: "-1"})
    later = {**config_map("later"), "metadata": {"name": "later"}}
    plan = planned(shell, application(), [later, bad], [live(client_side=True)])
    assert [(one["name"], one["action"]) for one in plan["objects"]] == [("web", "refused"), ("later", "skipped")]


def test_an_error_of_the_comparison_stops_the_sync(shell: Shell) -> None:
    plan = planned(shell, application(SSA), [web(replicas=-1)], [live()])
    assert plan["error"].startswith("Failed to compare desired state to live state: failed to calculate diff")
    assert first(plan)[:2] == ("skipped", "Unknown")


def test_pruning(shell: Shell) -> None:
    old = {**config_map("old"), "metadata": {"name": "old", "namespace": "shop"}}
    guarded = {
        **old,
        "metadata": {**old["metadata"], "annotations": {"argocd.argoproj.io/sync-options": "Prune=false"}},
    }
    for settings, live_object, action in (
        (application(), old, "deleted"),
        (application(), guarded, "kept"),
        (application("Prune=false"), old, "kept"),
        (application(prune=False), old, "kept"),
    ):
        plan = planned(shell, settings, [web()], [live(), live_object])
        found = {one["name"]: (one["action"], one["status"]) for one in plan["objects"]}
        assert found["old"] == (action, "OutOfSync")


def test_hooks_are_listed_only(shell: Shell) -> None:
    hook = {**config_map("hook"), "metadata": {"name": "hook", "annotations": {"argocd.argoproj.io/hook": "PreSync"}}}
    plan = planned(shell, application(), [hook], [])
    assert [(one["action"], one["notes"]) for one in plan["objects"]] == [
        ("skipped", ["a hook (PreSync): it runs at that time of the sync, and it is not compared"])
    ]


def test_the_tracking_method_comes_from_argocd_cm(shell: Shell) -> None:
    data = {
        "application.resourceTrackingMethod": "annotation+label",
        "installationID": "one",
        "resource.customizations.ignoreDifferences.apps_Deployment": "jsonPointers: [/spec/replicas]",
    }
    cm = {**config_map("argocd-cm", data), "metadata": {"name": "argocd-cm", "namespace": "argocd"}}
    plan = planned(shell, application(), [web()], [], cm)
    (one,) = plan["objects"]
    values = {change["path"]: change["after"] for change in one["changes"]}
    assert values["metadata.labels"] == {"app.kubernetes.io/instance": "shop"}
    tracking = {"argocd.argoproj.io/installation-id": "one", **ID}
    assert {key: value for key, value in values["metadata.annotations"].items() if key in tracking} == tracking
    assert one["namespace"] == "shop"
    plan = planned(shell, application(), [web()], [live(client_side=True, replicas=5)], cm)
    assert first(plan)[1] == "OutOfSync"  # because of the label
    shell.write("cm.yaml", {**cm, "data": {"resource.compareoptions": "a: ["}})
    shell.write("app.yaml", application())
    words = ("-f", "config.yaml", "--live", "live.yaml", "--settings", "cm.yaml", "--settings", "app.yaml")
    assert shell.fails("plan", "--as", "argocd", *words).startswith(
        "data.resource.compareoptions of the ConfigMap argocd-cm is not YAML: "
    )


def test_secrets_are_masked(shell: Shell) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "key"}, "stringData": {"token": "hunter2"}}
    stored = {**secret, "metadata": {"name": "key", "namespace": "shop"}, "data": {"token": "b2xk"}}
    del stored["stringData"]
    for tool, settings in (("argocd", application(SSA)), ("flux", None)):
        shell.write("settings.yaml", settings or application())
        shell.write("config.yaml", {**secret, "metadata": {"name": "key", "namespace": "shop"}})
        shell.write("live.yaml", stored)
        more = ("--settings", "settings.yaml") if settings else ()
        for output in ("text", "json", "markdown"):
            shell.run("plan", "--as", tool, "-f", "config.yaml", "--live", "live.yaml", *more, "-o", output)
            assert "data" in shell.out
            assert not {"hunter2", "aHVudGVyMg==", "b2xk"} & {*shell.out.replace('"', " ").split()}
            assert "hunter2" not in shell.out


def test_other_settings(shell: Shell) -> None:
    shell.write("config.yaml", web())
    words = ("--as", "argocd", "-f", "config.yaml", "--live", "config.yaml")
    assert shell.fails("plan", *words, "--settings", "config.yaml") == (
        "the settings have no Application of argoproj.io, only Deployment. Pass the Application of Argo CD."
    )
    assert shell.run("plan", *words) == 0
    assert "note: without the Application, its tracking ID" in shell.out
