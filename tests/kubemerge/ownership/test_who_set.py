"""Fields that are only in live are server defaults, or were set by a user, a controller or another apply."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.ownership.writers import kind_of

from ..objects import config_map, deployment

if TYPE_CHECKING:
    from ..shell import Shell

RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("who_set.json").read_text(encoding="utf-8"))
"""Deployments of a real server, with their managedFields."""
DEFAULT = "kept: only in live, default value of the server"
ONLY = "kept: only in live, set by"
POD = "spec.template.spec"
WEB = f"{POD}.containers[name=web]"

SAID = [
    ("by_people", "spec.replicas", f"{ONLY} a user: kubectl (Update through scale)"),
    ("by_people", "spec.revisionHistoryLimit", DEFAULT),
    ("by_people", "spec.strategy", DEFAULT),
    ("by_people", f"{WEB}.imagePullPolicy", DEFAULT),
    ("by_people", f"{WEB}.ports[containerPort=80].protocol", DEFAULT),
    ("by_people", f"{POD}.terminationGracePeriodSeconds", f"{ONLY} a user: kubectl-edit (Update since T)"),
    ("by_people", f"{POD}.containers[name=side]", f"{ONLY} a user: kubectl-patch (Update since T)"),
    ("by_people", "metadata.annotations.note", f"{ONLY} a user: kubectl-annotate (Update since T)"),
    ("by_people", f"{WEB}.env", f"{ONLY} a user: kubectl-set (Update since T)"),
    ("by_people", "spec.template.metadata.annotations", f"{ONLY} a user: kubectl-rollout (Update since T)"),
    ("by_people", "metadata.annotations.team", f"{ONLY} another apply: team-b (Apply since T)"),
    (
        "by_people",
        f"{WEB}.image",
        "set: live had drifted from config, live was set by a user: kubectl-edit (Update since T)",
    ),
    ("by_people", "metadata.uid", "kept: only in live, set by the server"),
    ("by_controllers", "spec.replicas", f"{ONLY} a controller: kube-controller-manager (Update through scale)"),
    (
        "by_controllers",
        'metadata.annotations["deployment.kubernetes.io/revision"]',
        f"{ONLY} a controller: kube-controller-manager (Update through status since T)",
    ),
    ("by_controllers", "spec.progressDeadlineSeconds", DEFAULT),
    ("by_controllers", f"{WEB}.resources", DEFAULT),
    ("on_the_server", "spec.replicas", DEFAULT),
    ("on_the_server", f"{POD}.terminationGracePeriodSeconds", f"{ONLY} a user: kubectl-edit (Update since T)"),
    ("on_the_server", f"{WEB}.image", "set: config differs from live, live was set by a user: kubectl-edit (Update"),
]


@pytest.fixture
def files(shell: Shell) -> Shell:
    for name, content in RECORDED.items():
        shell.write(f"{name}.json", content)
    return shell


@pytest.mark.parametrize(("live", "path", "why"), SAID, ids=lambda value: str(value)[-40:])
def test_who_set_a_field_of_a_real_server(files: Shell, live: str, path: str, why: str) -> None:
    files.run("why", "-q", "-f", "config.json", "--live", f"{live}.json", path, "-o", "json")
    (fact,) = [one for one in json.loads(files.out) if one["path"] == path]
    assert re.sub(r"since [^)]+", "since T", fact["reason"]).startswith(why)
    kind = {"a user": "person", "a controller": "controller", "another apply": "apply"}
    assert fact["setBy"] == next((kind[words] for words in kind if words in why), "server")
    if fact["setBy"] != "server":
        assert fact["owners"][0]["manager"] in fact["reason"]


@pytest.mark.parametrize("live", [name for name in RECORDED if name != "config"])
def test_nothing_of_a_real_server_was_set_by_somebody(files: Shell, live: str) -> None:
    files.run("why", "-f", "config.json", "--live", f"{live}.json")
    assert "somebody" not in files.out
    assert "managedFields" not in files.err


def test_without_managed_fields_only_default_values_are_known(files: Shell) -> None:
    bare = json.loads(json.dumps(RECORDED["by_people"]))
    del bare["metadata"]["managedFields"]
    files.run("why", "-f", "config.json", "--live", files.write("bare.json", bare))
    assert re.search(r"spec\.replicas +kept: only in live, set by another writer\n", files.out)
    assert re.search(r"spec\.strategy +kept: only in live, default value of the server\n", files.out)
    assert files.err.count("the live object has no managedFields") == 1
    files.run("why", "-f", "config.json", "--live", "bare.json", "spec.strategy")
    assert "managedFields" not in files.err


def test_managed_fields_that_cannot_be_read_say_nothing(files: Shell) -> None:
    broken = json.loads(json.dumps(RECORDED["by_people"]))
    broken["metadata"]["managedFields"] = [{"manager": "x", "fieldsV1": 3}]
    assert files.run("why", "-f", "config.json", "--live", files.write("broken.json", broken), "spec.replicas") == 0
    assert "set by another writer" in files.out


def test_who_changed_an_object_of_a_file(shell: Shell) -> None:
    config = deployment("web", {"name": "web", "image": "web:1", "ports": [{"containerPort": 80}]})
    shell.done("apply", "-f", shell.write("web.yaml", config))
    shell.done("scale", "deployment/web", "--replicas=3")
    shell.run("why", "-q", "-f", "web.yaml", "spec")
    assert re.search(r"spec\.replicas +kept: only in live, set by a user: kubectl \(Update through scale\b", shell.out)
    assert re.search(r"spec\.strategy +kept: only in live, default value of the server\n", shell.out)


def test_defaults_of_an_object_with_few_of_them(shell: Shell) -> None:
    """Fields that cannot be owned, such as the name, do not make nobody the creator."""
    config = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}, "spec": {"ports": [{"port": 80}]}}
    shell.done("apply", "-f", shell.write("a.yaml", config))
    shell.run("why", "-q", "-f", "a.yaml", "spec.type")
    assert re.search(r"spec\.type +kept: only in live, default value of the server\n", shell.out)


def test_a_value_of_a_kind_without_default_values(shell: Shell) -> None:
    shell.done("apply", "-f", shell.write("a.yaml", config_map("a")))
    shell.done("patch", "configmap/a", "-p", '{"data":{"k":"v"}}')
    shell.run("why", "-q", "-f", "a.yaml", "data.k")
    assert "set by a user: kubectl-patch (Update since" in shell.out


@pytest.mark.parametrize(
    ("manager", "operation", "subresource", "kind"),
    [
        ("kubectl-edit", "Update", None, "person"),
        ("kubectl", "Update", "scale", "person"),
        ("k9s", "Update", None, "person"),
        ("kubectl", "Apply", None, "apply"),
        ("kubectl-client-side-apply", "Update", None, "apply"),
        ("helm", "Update", None, "apply"),
        ("argocd-controller", "Update", None, "apply"),
        ("kube-controller-manager", "Update", "status", "controller"),
        ("cert-manager-certificates-issuing", "Update", "status", "controller"),
        ("vpa-updater", "Update", None, "controller"),
        ("my-script", "Update", None, "unknown"),
    ],
)
def test_what_a_manager_is(manager: str, operation: str, subresource: str | None, kind: str) -> None:
    assert kind_of(engine.Owner("spec", manager, operation, subresource, "v1")) == kind
