"""`merge`, `why` and `lint` with --server-side."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_text import documents

from ...migrate.test_plan import CONFIG, live

if TYPE_CHECKING:
    from pathlib import Path

    from ...shell import Shell


@pytest.fixture
def words(shell: Shell) -> tuple[str, ...]:
    return ("-f", shell.write("config.yaml", CONFIG), "--live", shell.write("live.yaml", live()), "--server-side")


def test_conflicts_are_told_in_the_words_of_the_server(shell: Shell, words: tuple[str, ...]) -> None:
    for command in ("merge", "why"):
        assert shell.run(command, *words) == 2
        assert 'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale"' in shell.err
        assert shell.err.endswith(" using apps/v1: .spec.replicas\n")
        assert shell.out == ""


def test_a_forced_apply_takes_over(shell: Shell, words: tuple[str, ...]) -> None:
    assert shell.run("merge", *words, "--force-conflicts", "--field-manager", "me") == 0
    assert shell.err == "deployment.apps/web configured\n"
    (merged,) = documents(shell.out)
    assert merged["spec"]["replicas"] == 2
    assert [one["manager"] for one in merged["metadata"]["managedFields"]] == ["me", "kubectl-client-side-apply"]
    env = merged["spec"]["template"]["spec"]["containers"][0]["env"]
    assert env == [{"name": "DEBUG", "value": "1"}]  # what client-side apply set stays


def test_why_tells_the_owners(shell: Shell, words: tuple[str, ...]) -> None:
    said = shell.done("why", *words, "--force-conflicts", "spec.replicas")
    assert said.splitlines()[0] == "deployment.apps/web"
    assert "set: config differs from live; owned by kubectl (Apply since " in said
    assert said.endswith(", taken over from hpa (Update through scale)\n")
    (one,) = json.loads(shell.done("why", *words, "--force-conflicts", "spec.replicas", "-o", "json"))
    assert (one["action"], one["before"], one["after"]) == ("changed", 5, 2)


def test_a_page_has_the_owners(shell: Shell, words: tuple[str, ...], tmp_path: Path) -> None:
    assert shell.run("merge", *words, "--force-conflicts", "--html", "page.html") == 0
    assert "taken over from hpa (Update through scale)" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_the_objects_of_a_cluster_are_applied_to(shell: Shell) -> None:
    config = shell.write("config.yaml", CONFIG)
    shell.done("apply", "-f", config)
    assert shell.run("why", "-f", config, "--server-side", "spec.replicas") == 0
    owners = "owned by kubectl (Apply), and by kubectl-client-side-apply (Update since "
    assert f"unchanged: config and live agree; {owners}" in shell.out


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--safe",), "--safe requires client-side apply. Omit it with --server-side"),
        (("--lists", "schema"), "--lists requires client-side apply"),
        (("--overwrite=false",), "--overwrite requires client-side apply"),
        (("--last-applied", "x"), "--last-applied requires client-side apply"),
        (("--field-manager", ""), "the name after --field-manager is empty"),
    ],
)
def test_what_has_no_meaning_is_refused(
    shell: Shell, words: tuple[str, ...], option: tuple[str, ...], said: str
) -> None:
    assert said in shell.fails("merge", *words, *option)
    assert "--force-conflicts only works with --server-side" in shell.fails("why", *words[:-1], "--force-conflicts")


def test_a_server_side_apply_is_linted_by_who_owns_what(shell: Shell) -> None:
    files = ("config.yaml", "--live", shell.write("live.yaml", live()))
    shell.write("config.yaml", CONFIG)
    assert shell.run("lint", *files, "--server-side", "--field-manager", "me") == 1
    assert "KM028 error deployment.apps/web spec.replicas: The apply would change this field, but hpa" in shell.out
    assert shell.run("lint", *files, "--select", "KM028") == 0


def test_fields_that_a_tool_does_not_know_are_found(shell: Shell) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}
    spec = {"hostnameOverride": "a.example", "containers": [{"name": "web", "image": "web"}]}
    name = shell.write("pod.yaml", {**pod, "spec": spec})
    assert shell.run("lint", name, "--tool-release", "1.32") == 1
    assert "KM031 error pod/p spec.hostnameOverride: Kubernetes 1.32 lacks this" in shell.out
    assert shell.run("lint", name, "--tool-release", "1.34") == 0
    assert "1.99" in shell.fails("lint", name, "--tool-release", "1.99")


def test_a_path_that_names_a_value_of_a_secret_is_not_told(shell: Shell) -> None:
    """No server writes such field paths for a Secret, because its data is no list, but a file may contain any."""
    fields: dict[str, Any] = {"f:data": {".": {}, 'v:"hunter2"': {}}}
    entry = {
        "manager": "kubectl-client-side-apply",
        "operation": "Update",
        "apiVersion": "v1",
        "fieldsType": "FieldsV1",
    }
    secret: dict[str, Any] = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "default"}}
    live = {**secret, "metadata": {**secret["metadata"], "managedFields": [{**entry, "fieldsV1": fields}]}}
    words = ("-f", shell.write("config.yaml", {**secret, "type": "Opaque"}), "--live", shell.write("live.yaml", live))
    for command in (("why", "--server-side"), ("why", "--server-side", "-o", "json"), ("migrate", "-o", "json")):
        shell.run(*command, *words)
        assert "hunter2" not in shell.out + shell.err
    shell.run("merge", "--server-side", "-q", "--html", "-", *words)
    assert "hunter2" not in shell.out
    shell.run("why", "--server-side", "-o", "json", "--show-secrets", *words)
    assert "hunter2" in shell.out
