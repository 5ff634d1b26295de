"""`kubemerge plan --repair`: formats, exit codes, and Secrets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_text import documents

from ...repair.drifted import applied, container, deployment, patched

if TYPE_CHECKING:
    from ...shell import Shell

SECRET: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {"name": "db", "namespace": "shop"},
    "stringData": {"password": "hidden-one"},
}
REPAIR = ("plan", "--as", "kubectl", "--repair", "-f", "config.yaml", "--live", "live.yaml")


@pytest.fixture
def drifted(shell: Shell) -> Shell:
    """A Deployment and a Secret that a person has changed."""
    shell.write("config.yaml", deployment(), SECRET)
    live = patched(applied(deployment()), container(image="other"))
    secret = patched(applied(SECRET), {"data": {"password": "aGlkZGVuLXR3bw=="}})
    shell.write("live.yaml", live, secret)
    return shell


def test_the_text_has_the_field_its_owner_and_the_command(drifted: Shell) -> None:
    assert drifted.run(*REPAIR) == 1
    assert drifted.out.splitlines()[:6] == [
        "2 objects, 2 drifted: 2 fields to repair",
        "",
        "deployment.apps/web in namespace shop: drifted",
        "  repaired by the patch",
        '    spec.template.spec.containers[name=web].image: config "web:1", live "other", '
        "set by kubectl-edit (Update, apps/v1)",
        "  Fix: kubectl patch deployments.apps web -n shop --type strategic --field-manager kubectl-client-side-apply "
        '-p \'{"spec":{"template":{"spec":{"containers":[{"image":"web:1","name":"web"}]}}}}\'',
    ]


@pytest.mark.parametrize("output", ["text", "json", "patch", "yaml"])
def test_values_of_secrets_are_printed_only_on_request(drifted: Shell, output: str) -> None:
    assert drifted.run(*REPAIR, "-o", output) == 1
    printed = drifted.out + drifted.err
    assert "aGlkZGVu" not in printed
    assert "hidden-" not in printed
    assert drifted.run(*REPAIR, "-o", output, "--show-secrets") == 1
    assert "aGlkZGVuLW9uZQ==" in drifted.out


def test_a_patch_is_one_line_and_its_command_is_a_message(drifted: Shell) -> None:
    assert drifted.run(*REPAIR, "-o", "patch") == 1
    (line,) = drifted.out.splitlines()
    assert json.loads(line) == {"spec": {"template": {"spec": {"containers": [{"image": "web:1", "name": "web"}]}}}}
    assert "the patch has values of a Secret. Use --show-secrets to print it" in drifted.err
    assert "deployment.apps/web: kubectl patch deployments.apps web" in drifted.err


def test_the_json_has_the_target_the_type_and_the_fields(drifted: Shell) -> None:
    drifted.run(*REPAIR, "-o", "json")
    found = json.loads(drifted.out)
    assert (found["counts"], found["failed"], found["drift"]) == ({"drifted": 2}, False, True)
    web, secret = found["objects"]
    assert (web["kind"], web["namespace"], web["name"], web["state"]) == ("Deployment", "shop", "web", "drifted")
    assert (web["patch"]["type"], web["patch"]["hidden"]) == ("strategic", False)
    assert [(one["path"], one["repair"]) for one in web["fields"]] == [
        ("spec.template.spec.containers[name=web].image", "patch")
    ]
    assert (secret["patch"]["body"], secret["patch"]["hidden"]) == (None, True)


def test_the_yaml_is_a_stream_of_patches(drifted: Shell) -> None:
    drifted.run(*REPAIR, "-o", "yaml", "--show-secrets")
    first, second = documents(drifted.out)
    assert first["target"] == {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "namespace": "shop"}
    assert (second["type"], second["patch"]) == ("strategic", {"data": {"password": "aGlkZGVuLW9uZQ=="}})


def test_the_exit_codes(shell: Shell) -> None:
    shell.write("config.yaml", deployment())
    shell.write("live.yaml", applied(deployment()))
    assert shell.run(*REPAIR) == 0
    assert shell.out == "1 object, 1 in sync\n"
    scaled = patched(applied(deployment()), {"spec": {"replicas": 5}}, "kube-controller-manager")
    shell.write("live.yaml", scaled)
    assert shell.run(*REPAIR) == 1
    assert "spec.replicas: config 2, live 5" in shell.out
    assert shell.run(*REPAIR, "-o", "patch") == 1
    assert shell.out == ""
    assert shell.run(*REPAIR, "-o", "patch", "--force-conflicts") == 1
    assert shell.out == '{"spec":{"replicas":2}}\n'
    shell.write("config.yaml", deployment(replicas=-1))
    assert shell.run(*REPAIR) == 2
    assert "it cannot be repaired" in shell.out


def test_a_missing_object_is_no_patch(shell: Shell) -> None:
    shell.write("config.yaml", deployment())
    shell.write("live.yaml", applied(SECRET))
    assert shell.run(*REPAIR, "-o", "patch") == 1
    assert shell.out == ""
    assert "deployment.apps/web: missing: kubectl apply -f MANIFEST" in shell.err


def test_formats_that_do_not_fit(shell: Shell) -> None:
    shell.write("config.yaml", deployment())
    words = ("plan", "--as", "kubectl", "-f", "config.yaml")
    assert "-o patch only works with --repair" in shell.fails(*words, "-o", "patch")
    assert "--repair has no --html and no -o markdown" in shell.fails(*words, "--repair", "-o", "markdown")
