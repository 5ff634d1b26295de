"""`kubemerge plan`: the effects of kubectl and Helm."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.output.object_text import object_text

from ...objects import config_map, deployment
from ...plan.helm_secrets import release

if TYPE_CHECKING:
    from pathlib import Path

    from ...shell import Shell

SCHEMA = engine.load().schema("apps/v1", "Deployment")
HPA = "2026-10-01T08:00:00Z"
STAMPS = {
    "labels": {"app.kubernetes.io/managed-by": "Helm"},
    "annotations": {"meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "demo"},
}


def web(replicas: int = 2, image: str = "nginx:1", **metadata: Any) -> dict[str, Any]:
    """A Deployment in the namespace demo."""
    found = deployment("web", {"name": "web", "image": image}, replicas=replicas)
    return {**found, "metadata": {"name": "web", "namespace": "demo", **metadata}}


def live(manager: str, **metadata: Any) -> dict[str, Any]:
    """The Deployment, applied by a manager and scaled by an autoscaler."""
    applied = engine.server_side_apply(web(**metadata), None, SCHEMA, manager=manager).merged
    scaled = {**applied, "spec": {**applied["spec"], "replicas": 5}}
    return engine.record_update(applied, scaled, SCHEMA, manager="hpa", time=HPA)


def plan(shell: Shell, *words: object) -> Any:
    """The plan as data."""
    shell.run("plan", *words, "-o", "json")
    return json.loads(shell.out)


@pytest.fixture
def files(shell: Shell) -> tuple[str, ...]:
    """An upgrade of a release that an autoscaler has scaled."""
    shell.write("live.yaml", live("helm", **STAMPS))
    shell.write("release.yaml", release(object_text(web(), "yaml")))
    config = shell.write("web.yaml", {**web(3, "nginx:2"), "metadata": {"name": "web"}})
    return ("-f", config, "--live", "live.yaml", "--release-secret", "release.yaml")


def test_a_conflict_of_helm_names_the_field_the_owner_and_the_fix(shell: Shell, files: tuple[str, ...]) -> None:
    assert shell.run("plan", "--as", "helm", *files) == 1
    lines = shell.out.splitlines()
    assert lines[0] == "helm upgrade (Helm 4): 1 object, 1 refused, 1 conflict"
    assert lines[1].endswith("revision 1 was applied server-side, so this upgrade is server-side too")
    assert 'Apply failed with 1 conflict: conflict with "hpa" using apps/v1' in lines[2]
    owner = "owned by hpa (Update, apps/v1, since 2026-10-01T08:00:00Z)"
    assert f"    spec.replicas: config 3, live 5, {owner}" in lines
    assert "      Fix: leave the field to hpa: remove spec.replicas from the config" in lines
    assert "             helm upgrade --force-conflicts shop CHART" in lines
    assert shell.err == ""


def test_the_keys_for_programs(shell: Shell, files: tuple[str, ...]) -> None:
    found = plan(shell, "--as", "helm", *files)
    assert (found["tool"], found["method"], found["fails"]) == ("helm", "server-side", True)
    (one,) = found["objects"]
    assert (one["kind"], one["namespace"], one["name"], one["method"]) == ("Deployment", "demo", "web", "server-side")
    (conflict,) = one["conflicts"]
    assert (conflict["path"], conflict["manager"], conflict["operation"]) == ("spec.replicas", "hpa", "Update")
    assert (conflict["subresource"], conflict["apiVersion"], conflict["since"]) == (None, "apps/v1", HPA)
    assert (conflict["config"], conflict["live"], len(conflict["advice"])) == (3, 5, 3)
    assert (one["removed"], one["kept"], found["removed"], found["kept"]) == ([], [], [], [])


def test_force_takes_over(shell: Shell, files: tuple[str, ...]) -> None:
    assert shell.run("plan", "--as", "helm", *files, "--force-conflicts") == 0
    assert shell.out.splitlines()[3:] == [
        "deployment.apps/web in namespace demo: changed (server-side)",
        "  changes",
        "    ~ spec.replicas: 5 -> 3",
        '    ~ spec.template.spec.containers[name=web].image: "nginx:1" -> "nginx:2"',
        "  takes over",
        "    spec.replicas: config 3, live 5, owned by hpa (Update, apps/v1, since 2026-10-01T08:00:00Z)",
    ]


def test_helm_3_overwrites(shell: Shell, files: tuple[str, ...]) -> None:
    found = plan(shell, "--as", "helm", *files, "--tool-version", "3")
    (one,) = found["objects"]
    assert (shell.code, found["title"], one["method"]) == (0, "helm upgrade (Helm 3)", "client-side")
    assert [(each["path"], each["manager"]) for each in one["overwritten"]] == [
        ("spec.replicas", "hpa"),
    ]


def test_a_field_that_the_manifest_drops_stays_with_its_owner(shell: Shell, files: tuple[str, ...]) -> None:
    without = web(image="nginx:2")
    del without["spec"]["replicas"]
    shell.write("web.yaml", without)
    (one,) = plan(shell, "--as", "helm", *files)["objects"]
    assert (shell.code, one["kept"]) == (0, ["spec.replicas"])
    assert one["stuck"][0]["reason"] == "not in the config any more, but hpa (Update) still owns it"


def test_annotations_of_other_managers_are_no_fields_that_stay(shell: Shell) -> None:
    """kubectl writes `annotations: {}` into the last applied config."""
    assert shell.run("apply", "-f", shell.write("a.yaml", config_map("a", {"a": "b"}))) == 0
    assert shell.run("annotate", "configmap", "a", "--field-manager", "operator", "checked=yes") == 0
    (one,) = plan(shell, "--as", "kubectl", "-f", "a.yaml")["objects"]
    assert (one["action"], one["stuck"]) == ("unchanged", [])


def test_objects_that_are_gone_from_the_manifest(shell: Shell) -> None:
    keep: dict[str, Any] = {"annotations": {"helm.sh/resource-policy": "keep"}}
    gone, kept = config_map("gone", namespace="demo"), config_map("kept", namespace="demo", **keep)
    shell.write("live.yaml", live("helm", **STAMPS), gone, kept)
    text = "---\n".join(object_text(one, "yaml") for one in (web(), gone, kept))
    shell.write("release.yaml", release(text))
    config = shell.write("web.yaml", web(5))
    found = plan(shell, "--as", "helm", "-f", config, "--live", "live.yaml", "--release-secret", "release.yaml")
    assert [(one["name"], one["action"]) for one in found["objects"]] == [
        ("web", "unchanged"),
        ("gone", "deleted"),
        ("kept", "kept"),
    ]
    assert [one["name"] for one in found["removed"]] == ["gone"]
    assert [one["name"] for one in found["kept"]] == ["kept"]


def test_a_rollback(shell: Shell) -> None:
    shell.write("live.yaml", live("helm", **STAMPS))
    first, second = (release(object_text(web(image=f"nginx:{at}"), "yaml"), at) for at in (1, 2))
    shell.write("releases.yaml", {"apiVersion": "v1", "kind": "List", "items": [second, first]})
    words = ("plan", "--as", "helm", "--live", "live.yaml", "--release-secret", "releases.yaml")
    assert shell.run(*words, "--rollback", "1") == 1
    assert shell.out.startswith("helm rollback (Helm 4): 1 object, 1 refused, 1 conflict\n")
    assert shell.fails(*words, "--rollback", "7") == (
        "revision 7 of shop is missing. Pass its Secret with --release-secret, too. Known revisions: 1, 2"
    )


def test_releases_come_from_the_live_objects(shell: Shell) -> None:
    shell.write("live.yaml", live("helm", **STAMPS), release(object_text(web(), "yaml")))
    words = ("-f", shell.write("web.yaml", web(5)), "--live", "live.yaml", "--release-name", "shop", "-n", "demo")
    assert plan(shell, "--as", "helm", *words)["title"] == "helm upgrade (Helm 4)"


def test_an_install_needs_a_name(shell: Shell) -> None:
    config = shell.write("web.yaml", web())
    assert shell.fails("plan", "--as", "helm", "-f", config) == (
        "Helm stores the release's name in every object. Pass --release-secret FILE for an upgrade, or "
        "--release-name NAME for a new release"
    )
    shell.write("live.yaml", live("helm", **STAMPS))
    assert "Live objects belong to the release shop. Pass" in shell.fails(
        "plan", "--as", "helm", "-f", config, "--live", "live.yaml"
    )
    found = plan(shell, "--as", "helm", "-f", config, "--release-name", "shop", "-n", "demo")
    assert [one["action"] for one in found["objects"]] == ["created"]
    assert found["notes"] == ["no --live and no cluster, so every object counts as new"]


def test_an_upgrade_without_its_secret_is_noted(shell: Shell) -> None:
    shell.write("live.yaml", live("helm", **STAMPS))
    words = ("-f", shell.write("web.yaml", web(5)), "--live", "live.yaml", "--release-name", "shop", "-n", "demo")
    (note,) = plan(shell, "--as", "helm", *words)["notes"]
    assert note == (
        "live objects belong to the release shop, but no Secret of it is known, so this is the plan of `helm install`. "
        "For `helm upgrade`, pass --release-secret FILE"
    )


def test_objects_may_be_in_other_namespaces_than_the_release(shell: Shell) -> None:
    other = config_map("c", {"a": "1"}, namespace="other")
    words = ("-f", shell.write("c.yaml", config_map("d"), other), "--release-name", "shop", "-n", "demo")
    found = plan(shell, "--as", "helm", *words)
    assert [(one["name"], one["namespace"]) for one in found["objects"]] == [("d", "demo"), ("c", "other")]


def test_an_existing_object_is_not_adopted(shell: Shell) -> None:
    shell.write("live.yaml", live("kubectl"))
    words = ("plan", "--as", "helm", "-f", shell.write("web.yaml", web(5)), "--live", "live.yaml", "-n", "demo")
    assert shell.run(*words, "--release-name", "shop") == 1
    assert 'missing key "app.kubernetes.io/managed-by": must be set to "Helm"' in shell.out
    assert "helm install --take-ownership shop CHART" in shell.out
    assert "\n    or mark the object as part of this release:\n" in shell.out
    assert "deployment.apps/web in namespace demo: refused (server-side)" in shell.out
    assert shell.run(*words, "--release-name", "shop", "--take-ownership", "--server-side=false") == 0
    assert shell.out.startswith("helm install (Helm 4): 1 object, 1 changed\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--tool-version", "2"), "unknown Helm version '2'. Use 3 or 4"),
        (("--tool-version", "3", "--server-side"), "Helm 3 does not apply server-side. Omit --server-side and --"),
        (("--force", "--force-conflicts"), "Helm rejects --force-replace with --force-conflicts. Omit one of them"),
        (("--release-name", "web"), "the Secrets are of the release shop, not web. Omit --release-name"),
        (("-n", "other"), "the release shop is in the namespace demo, not other. Omit --namespace"),
    ],
)
def test_options_that_helm_rejects(
    shell: Shell, files: tuple[str, ...], options: tuple[str, ...], message: str
) -> None:
    assert shell.fails("plan", "--as", "helm", *files, *options).startswith(message)


def test_force_conflicts_of_a_client_side_release(shell: Shell, files: tuple[str, ...]) -> None:
    shell.write("release.yaml", release(object_text(web(), "yaml"), method=""))
    found = plan(shell, "--as", "helm", *files, "--force-conflicts")
    assert found["error"] == "invalid client update option(s): forceConflicts enabled when serverSideApply disabled"
    assert [one["action"] for one in found["objects"]] == ["skipped"]


def test_kubectl_server_side(shell: Shell) -> None:
    shell.write("live.yaml", live("kubectl"))
    words = ("plan", "--as", "kubectl", "-f", shell.write("web.yaml", web(3)), "--live", "live.yaml")
    assert shell.run(*words, "--server-side") == 1
    assert "kubectl apply --server-side --force-conflicts -f web.yaml" in shell.out
    assert shell.run(*words, "--server-side", "--force-conflicts") == 0
    assert shell.run(*words) == 0
    assert "client-side" in shell.out


def test_fields_of_client_side_apply_are_handed_over(shell: Shell) -> None:
    updated = engine.record_update(None, web(), SCHEMA, manager="kubectl-client-side-apply")
    other = engine.record_update(updated, web(4), SCHEMA, manager="kubectl-client-side-apply")
    shell.write("live.yaml", other)
    words = ("plan", "--as", "kubectl", "-f", shell.write("web.yaml", web(3)), "--live", "live.yaml", "--server-side")
    assert shell.run(*words) == 1
    assert "kubemerge migrate -f web.yaml --live live.yaml --by kubectl -o patch" in shell.out


def test_live_objects_without_owners_are_noted(shell: Shell) -> None:
    shell.write("live.yaml", web(5))
    words = ("plan", "--as", "kubectl", "-f", shell.write("web.yaml", web(3)), "--live", "live.yaml", "--server-side")
    shell.run(*words)
    assert "--show-managed-fields" in shell.out
    (fix,) = [line for line in shell.out.splitlines() if "Fix: " in line]
    assert fix.strip() == "Fix: pass live objects with managedFields: `kubectl get -o yaml --show-managed-fields`"
    assert "  or " not in shell.out


def test_values_of_secrets_are_masked(shell: Shell, tmp_path: Path) -> None:
    one = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "demo"}, "data": {"a": "b25l"}}
    schema = engine.load().schema("v1", "Secret")
    applied = engine.server_side_apply({**one, "data": {"a": "Zm9ybWVy"}}, None, schema, manager="operator").merged
    shell.write("live.yaml", applied)
    shell.write("release.yaml", release(object_text(one, "yaml")))
    config = shell.write("s.yaml", {**one, "data": {"a": "c2Vjb25k"}})
    words = ("-f", config, "--live", "live.yaml", "--release-secret", "release.yaml")
    for options in (("--server-side=true",), ("--server-side=true", "--force-conflicts"), ("--server-side=false",)):
        for form in ("text", "json", "markdown"):
            shell.run("plan", "--as", "helm", *words, *options, "-o", form, "--html", "page.html")
            page = (tmp_path / "page.html").read_text(encoding="utf-8")
            for text in (shell.out, shell.err, page):
                assert not [value for value in ("c2Vjb25k", "Zm9ybWVy", "second", "former") if value in text]
    shell.run("plan", "--as", "helm", *words, "--server-side=true", "--show-secrets")
    assert "c2Vjb25k" in shell.out


@pytest.mark.parametrize(
    "metadata",
    [{"managedFields": [None]}, {"annotations": []}, {"labels": "a"}, {"annotations": {"a": 1}}, {"finalizers": 5}],
)
def test_broken_live_objects_are_no_crash(shell: Shell, files: tuple[str, ...], metadata: dict[str, Any]) -> None:
    found = live("helm", **STAMPS)
    shell.write("live.yaml", {**found, "metadata": {**found["metadata"], **metadata}})
    assert shell.run("plan", "--as", "helm", *files) in (0, 1, 2)
    assert shell.run("plan", "--as", "helm", *files, "--server-side=false") in (0, 1, 2)


def test_a_release_with_an_unreadable_manifest(shell: Shell, files: tuple[str, ...]) -> None:
    shell.write("release.yaml", release("a: ["))
    assert "revision 1 of shop" in shell.fails("plan", "--as", "helm", *files)


def test_a_hook_without_an_object_is_left_out(shell: Shell, files: tuple[str, ...]) -> None:
    hook = {"manifest": "# nothing", "events": ["pre-rollback"]}
    first, second = (release(object_text(web(), "yaml"), at, hooks=[hook]) for at in (1, 2))
    shell.write("release.yaml", {"apiVersion": "v1", "kind": "List", "items": [first, second]})
    (one,) = plan(shell, "--as", "helm", *files[2:], "--rollback", "1")["objects"]
    assert one["kind"] == "Deployment"


def test_markdown_and_html(shell: Shell, files: tuple[str, ...], tmp_path: Path) -> None:
    shell.run("plan", "--as", "helm", *files, "-o", "markdown", "--html", "page.html")
    row = "| `spec.replicas` | **conflict** | `5` | `3` |"
    assert row in shell.out
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "spec.<wbr>replicas" in page or "spec.replicas" in page
    assert "helm upgrade --force-conflicts shop CHART" in page


def test_markdown_shows_texts_of_objects_as_code(shell: Shell) -> None:
    one = config_map("c", {"a|b`": "*x* | @team <b>"}, namespace="demo")
    schema = engine.load().schema("v1", "ConfigMap")
    other = {**one, "data": {"a|b`": "y"}}
    shell.write("live.yaml", engine.server_side_apply(other, None, schema, manager="@evil|`x`").merged)
    words = ("--as", "kubectl", "--server-side", "-f", shell.write("c.yaml", one), "--live", "live.yaml")
    shell.run("plan", *words, "-o", "markdown")
    (row,) = [line for line in shell.out.splitlines() if "**conflict**" in line]
    assert row.replace("\\|", "").count("|") == 6
    assert "@<!-- -->evil" in shell.out


def test_a_file_is_required(shell: Shell) -> None:
    assert shell.fails("plan", "--as", "kubectl").startswith("pass the rendered manifests with -f")
