"""`kubemerge migrate`: from client-side to server-side apply."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import engine
from codegen.documents.yaml_text import documents

from ...migrate.test_plan import CONFIG, live
from ...objects import applied, config_map
from ...ownership.samples import CONFIG_MAP, SECRET, created

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from ...shell import Shell


def files(shell: Shell, *objects: Any) -> tuple[str, ...]:
    """The options for the config, and these live objects."""
    return ("-f", shell.write("config.yaml", CONFIG), "--live", shell.write("live.yaml", *objects))


def test_conflicts_are_told_with_the_way_out(shell: Shell) -> None:
    assert shell.run("migrate", *files(shell, live())) == 1
    lines = shell.out.splitlines()
    assert lines[:2] == ["1 object: 1 in conflict", ""]
    assert "    spec.replicas: config has 2, live has 5, owned by hpa (Update through scale)" in lines
    assert "    remove spec.replicas from the config: the autoscaler keeps it" in lines
    assert "--force-conflicts" not in shell.out  # each apply would undo the work of the autoscaler
    assert shell.err == ""


def edited() -> dict[str, Any]:
    """A live object whose replicas were edited, instead of scaled."""
    found = live()
    for entry in found["metadata"]["managedFields"]:
        entry.pop("subresource", None)
    return found


def test_a_field_that_was_edited_can_be_taken_over(shell: Shell) -> None:
    assert shell.run("migrate", *files(shell, edited())) == 1
    assert "      kubectl apply --server-side --force-conflicts -f config.yaml" in shell.out.splitlines()


def test_the_name_of_the_manager_is_part_of_the_way_out(shell: Shell) -> None:
    shell.run("migrate", *files(shell, edited()), "--field-manager", "me")
    assert "config.yaml --field-manager me\n" in shell.out


def test_what_is_ready_ends_with_0(shell: Shell) -> None:
    assert shell.run("migrate", *files(shell, live()), "--by", "flux") == 0
    assert shell.out.startswith("1 object: 1 ready\n")


def test_former_writers_are_handed_over_in_the_file(shell: Shell, tmp_path: Path) -> None:
    words = ("migrate", *files(shell, config_map("other"), live("argocd-controller")), "--by", "argocd")
    assert shell.run(*words) == 1
    assert "1 with fields left behind" in shell.out
    assert shell.run(*words, "--write") == 0
    assert "  handed over now, to argocd-controller" in shell.out.splitlines()
    assert shell.err.endswith("live.yaml\n")
    other, written = documents((tmp_path / "live.yaml").read_text(encoding="utf-8"))
    assert other == config_map("other")
    assert written["spec"] == live("argocd-controller")["spec"]
    assert {one["manager"] for one in written["metadata"]["managedFields"]} == {"argocd-controller", "hpa"}
    before = (tmp_path / "live.yaml").read_bytes()
    assert shell.run(*words, "--write") == 0
    assert shell.err == ""
    assert (tmp_path / "live.yaml").read_bytes() == before


def test_a_list_in_json_stays_one(shell: Shell, tmp_path: Path) -> None:
    items = [live("argocd-controller"), config_map("other")]
    words = files(shell, {"apiVersion": "v1", "kind": "List", "items": items})
    assert shell.run("migrate", *words, "--by", "argocd", "--write") == 0
    written = json.loads((tmp_path / "live.yaml").read_text(encoding="utf-8"))
    assert [one["kind"] for one in written["items"]] == ["Deployment", "ConfigMap"]
    assert "argocd-controller" in json.dumps(written)


def test_standard_input_cannot_be_written(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        class buffer:  # noqa: N801 - as the stream has it
            @staticmethod
            def read(_: int) -> bytes:
                return json.dumps(live("argocd-controller")).encode()

        @staticmethod
        def isatty() -> bool:
            return False

    monkeypatch.setattr("sys.stdin", Stdin())
    config = shell.write("config.yaml", CONFIG)
    assert shell.fails("migrate", "-f", config, "--live", "-", "--by", "argocd", "--write") == (
        "--write cannot write to standard input. Save it to a file, and pass that as --live"
    )


def test_programs_get_everything_and_patches(shell: Shell) -> None:
    words = ("migrate", *files(shell, live("argocd-controller")), "--by", "argocd")
    assert shell.run(*words, "-o", "json") == 1
    (found,) = json.loads(shell.out)
    assert (found["state"], found["manager"]) == ("left behind", "argocd-controller")
    assert found["taken"][0]["path"] == "spec.replicas"
    assert shell.run(*words, "-o", "patch") == 1
    patch = json.loads(shell.out)
    assert patch == found["patch"]
    assert shell.err == "deployment.apps/web\n"


def test_values_of_secrets_are_never_shown(shell: Shell, tmp_path: Path) -> None:
    config = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "data": {"key": "c2VjcmV0"}}
    before = created(applied({**config, "data": {"key": "b2xk", "gone": "Z29uZQ=="}}), SECRET, "somebody")
    words = ("-f", shell.write("config.yaml", config), "--live", shell.write("live.yaml", before))
    for form in ("text", "json"):
        shell.run("migrate", *words, "--html", "page.html", "-o", form)
        assert "data.key" in shell.out
        page = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert not any(value in shell.out + page for value in ("c2VjcmV0", "b2xk", "Z29uZQ=="))
    shell.run("migrate", *words, "--show-secrets")
    assert "c2VjcmV0" in shell.out


def test_of_many_objects_the_summary_comes_first_and_what_is_ready_is_left_out(shell: Shell) -> None:
    configs = [config_map(f"c{n}", {"a": "1"}) for n in range(100)]
    lives = [created(applied(one), CONFIG_MAP) for one in configs]
    lives[3] = engine.record_update(
        lives[3], {**lives[3], "data": {"a": "2"}}, CONFIG_MAP, manager="somebody", time="2026-01-01T00:00:00Z"
    )
    config, there = shell.write("config.yaml", *configs), shell.write("live.yaml", *lives)
    assert shell.run("migrate", "-f", config, "--live", there) == 1
    first, _, title, *_ = shell.out.splitlines()
    assert first == "100 objects: 1 in conflict, 99 ready"
    assert title == "configmap/c3: in conflict"
    assert "configmap/c4" not in shell.out


def test_an_object_that_cannot_be_applied_is_reported(shell: Shell) -> None:
    config = shell.write("config.yaml", {**config_map("c"), "nonsense": 1}, config_map("d"))
    assert shell.run("migrate", "-f", config, "--live", shell.write("live.yaml", config_map("c"))) == 2
    assert ".nonsense: field not declared in schema" in shell.err
    assert "configmap/d" not in shell.err


def test_in_a_cluster_the_objects_themselves_are_handed_over(shell: Shell) -> None:
    config = shell.write("config.yaml", CONFIG)
    shell.done("apply", "-f", config)
    shell.done("scale", "deployment/web", "--replicas=5")
    before = shell.live("deployment", "web")
    words = ("migrate", "-f", config, "--by", "helm", "--from", "kubectl")
    assert shell.run(*words) == 1
    assert "left behind" in shell.out
    assert shell.run(*words, "--write") == 1  # the number of replicas is still in conflict
    assert "deployment.apps/web handed over" in shell.err
    after = shell.live("deployment", "web")
    assert after["spec"] == before["spec"]
    managers = {(one["manager"], one["operation"]) for one in after["metadata"]["managedFields"]}
    assert managers == {("helm", "Apply"), ("kubectl", "Update")}
    assert shell.run(*words) == 1
    assert shell.out.startswith("1 object: 1 in conflict\n")
    assert "left behind" not in shell.out


def test_without_live_objects_it_says_so(shell: Shell) -> None:
    assert shell.run("migrate", "-f", shell.write("config.yaml", CONFIG)) == 0
    assert shell.err == "no live objects, so every object counts as new. Pass them with --live\n"
    assert shell.out.startswith("1 object: 1 new\n")


def test_what_is_shared_is_shortened_and_names_the_tool_that_shares_it(shell: Shell) -> None:
    config = config_map("c", {f"k{n}": "1" for n in range(12)})
    before = created(applied(config), CONFIG_MAP)
    words = ("-f", shell.write("config.yaml", config), "--live", shell.write("live.yaml", before), "--by", "helm")
    assert shell.run("migrate", *words) == 0
    lines = shell.out.splitlines()
    assert "    and 4 more fields (-o json lists them)" in lines
    assert "    to also hand over shared fields, add --from kubectl" in lines
    assert shell.run("migrate", *words, "--from", "kubectl") == 1
    assert "--by helm --from kubectl -o patch" in shell.out


def test_what_the_server_would_refuse_is_told_in_its_words(shell: Shell) -> None:
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "s"},
        "spec": {"ports": [{"name": "a", "port": 1}]},
    }
    schema = engine.load().schema("v1", "Service")
    other = {**service, "spec": {"ports": [{"name": "a", "port": 2}]}}
    live = shell.write("live.yaml", created(applied(service), schema))
    words = ("migrate", "-f", shell.write("config.yaml", other), "--live", live)
    assert shell.run(*words) == 1
    lines = shell.out.splitlines()
    assert lines[0] == "1 object: 1 rejected by the API server"
    assert '  the API server rejects the result: spec.ports[1].name: Duplicate value: "a"' in lines
    assert any(line.startswith("    to hand over the fields of previous writers, add --write") for line in lines)
    assert shell.run(*words, "--write") == 0


def test_an_item_that_does_not_name_its_kind_cannot_be_written(shell: Shell) -> None:
    item = {key: value for key, value in live("argocd-controller").items() if key not in ("apiVersion", "kind")}
    typed = {"apiVersion": "apps/v1", "kind": "DeploymentList", "items": [item]}
    assert "Print it as a List" in shell.fails("migrate", *files(shell, typed), "--by", "argocd", "--write")


def test_an_object_that_was_never_tracked_is_applied_once_first(shell: Shell) -> None:
    words = ("-f", shell.write("config.yaml", config_map("c", {"a": "1"})))
    before = {**config_map("c", {"a": "1"}), "metadata": {"name": "c", "uid": "u"}}
    assert shell.run("migrate", *words, "--live", shell.write("live.yaml", before), "--by", "helm") == 0
    assert shell.out.startswith("1 object: 1 without managedFields\n")
    assert "apply it once, which records the current owners, and run this command again" in shell.out
