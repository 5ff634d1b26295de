"""`kubemerge replace`: one object in place of another, whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from engine import last_applied_text

from ...objects import ANNOTATION, config_map, deployment

if TYPE_CHECKING:
    from ...shell import Shell


@pytest.fixture
def filled(shell: Shell) -> Shell:
    config = config_map("a", {"old": "1"}, labels={"by": "hand"})
    shell.done("create", "--save-config", "-f", shell.write("created.yaml", config, deployment("web")))
    return shell


def test_nothing_is_left_of_what_was_there(filled: Shell) -> None:
    before = filled.live("cm", "a")
    assert (
        filled.done("replace", "-f", filled.write("a.yaml", config_map("a", {"new": "2"}))) == "configmap/a replaced\n"
    )
    after = filled.live("cm", "a")
    assert after["data"] == {"new": "2"}
    assert set(after["metadata"]) == {
        "creationTimestamp",
        "managedFields",
        "name",
        "namespace",
        "resourceVersion",
        "uid",
    }
    assert after["metadata"]["uid"] == before["metadata"]["uid"]


def test_the_config_is_kept_if_that_is_asked_for(filled: Shell) -> None:
    config = config_map("a", {"new": "2"}, namespace="default")
    filled.done("replace", "--save-config", "-f", filled.write("a.yaml", config))
    assert filled.live("cm", "a")["metadata"]["annotations"] == {ANNOTATION: last_applied_text(config)}
    assert filled.done("apply", "-f", "a.yaml") == "configmap/a unchanged\n"


def test_an_annotation_in_the_file_is_made_again(filled: Shell) -> None:
    live = filled.live("cm", "a")
    live["data"] = {"new": "2"}
    filled.done("replace", "-f", filled.write("a.yaml", live))
    kept = json.loads(filled.live("cm", "a")["metadata"]["annotations"][ANNOTATION])
    assert kept["data"] == {"new": "2"}
    assert ANNOTATION not in kept["metadata"]["annotations"]


def test_an_object_made_by_hand_is_applied_from_then_on(shell: Shell) -> None:
    """The steps in Kubernetes' documentation: print it, remove fields that are no config, replace it, apply it."""
    shell.create(deployment("web", replicas=2))
    live = shell.live("deploy/web")
    kept = {key: live["metadata"][key] for key in ("name", "namespace")}
    file = shell.write("deployment_web.yaml", {**live, "metadata": kept})
    assert shell.done("replace", "--save-config", "-f", file) == "deployment.apps/web replaced\n"
    assert shell.done("apply", "-f", file) == "deployment.apps/web unchanged\n"
    del live["spec"]["replicas"]
    shell.write(file, {**live, "metadata": kept})
    assert shell.done("apply", "-f", file) == "deployment.apps/web configured\n"
    assert shell.live("deploy/web")["spec"]["replicas"] == 1


def test_a_resource_version_has_to_be_the_latest(filled: Shell) -> None:
    live = filled.live("cm", "a")
    filled.done("replace", "-f", filled.write("a.yaml", {**live, "data": {"first": "1"}}))
    filled.write("b.yaml", {**live, "data": {"second": "1"}})
    assert "the object has been modified" in filled.fails("replace", "-f", "b.yaml")
    assert filled.live("cm", "a")["data"] == {"first": "1"}


def test_status_is_apart(filled: Shell) -> None:
    live = filled.live("deploy", "web")
    filled.done("replace", "-f", filled.write("a.yaml", {**live, "status": {"replicas": 3}}))
    assert filled.live("deploy", "web")["status"] == {}
    del live["metadata"]["resourceVersion"]
    status = {**live, "status": {"replicas": 3}, "spec": {**live["spec"], "replicas": 9}}
    filled.done("replace", "--subresource=status", "-f", filled.write("b.yaml", status))
    assert filled.live("deploy", "web")["status"] == {"replicas": 3}
    assert filled.live("deploy", "web")["spec"]["replicas"] == 1


@pytest.mark.parametrize(("mode", "words"), [("client", " (dry run)"), ("server", " (server dry run)")])
def test_a_dry_run(filled: Shell, mode: str, words: str) -> None:
    before = filled.live("cm", "a")
    filled.write("a.yaml", config_map("a"))
    assert filled.done("replace", "-f", "a.yaml", f"--dry-run={mode}") == f"configmap/a replaced{words}\n"
    assert filled.live("cm", "a") == before


# ---- by force ------------------------------------------------------------------------------------------------------


def other_selector() -> dict[str, Any]:
    """A config that cannot replace the object: the selector of a Deployment may not change."""
    wanted = deployment("web")
    wanted["spec"]["selector"]["matchLabels"] = {"app": "web", "tier": "front"}
    wanted["spec"]["template"]["metadata"]["labels"] = {"app": "web", "tier": "front"}
    return wanted


def test_by_force_it_is_deleted_and_created(filled: Shell) -> None:
    before = filled.live("deploy", "web")
    filled.write("a.yaml", other_selector())
    assert "field is immutable" in filled.fails("replace", "-f", "a.yaml")
    assert filled.done("replace", "--force", "-f", "a.yaml").splitlines() == [
        'deployment.apps "web" deleted from default namespace',
        "deployment.apps/web replaced",
    ]
    assert filled.live("deploy", "web")["metadata"]["uid"] != before["metadata"]["uid"]


def test_by_force_it_need_not_be_there(filled: Shell) -> None:
    filled.write("a.yaml", config_map("new", resourceVersion="5"))
    assert filled.done("replace", "--force", "-f", "a.yaml") == "configmap/new replaced\n"


def test_nothing_is_deleted_for_what_would_be_refused(filled: Shell) -> None:
    before = filled.live("deploy", "web")
    filled.write("a.yaml", deployment("web", replicas=-1))
    assert "spec.replicas" in filled.fails("replace", "--force", "-f", "a.yaml")
    assert filled.live("deploy", "web") == before


def test_by_force_with_finalizers(shell: Shell) -> None:
    shell.create(config_map("a", finalizers=["example.com/a"]))
    shell.write("a.yaml", config_map("a"))
    assert "finalizers (example.com/a)" in shell.fails("replace", "--force", "-f", "a.yaml", "--timeout=100ms")


# ---- what is not there ---------------------------------------------------------------------------------------------


def service(**metadata: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", **metadata},
        "spec": {"ports": [{"port": 80}]},
    }


@pytest.mark.parametrize("metadata", [{}, {"resourceVersion": "5"}, {"creationTimestamp": "2020-01-01T00:00:00Z"}])
def test_some_kinds_come_to_be_by_a_replace(filled: Shell, metadata: dict[str, Any]) -> None:
    filled.write("a.yaml", service(**metadata))
    assert filled.done("replace", "-f", "a.yaml", "--dry-run=server") == "service/web replaced (server dry run)\n"
    assert 'services "web" not found' in filled.fails("get", "svc", "web")
    assert filled.done("replace", "-f", "a.yaml") == "service/web replaced\n"
    assert filled.live("svc", "web")["metadata"]["creationTimestamp"] > "2021"


def test_what_is_gone_is_not_created_again(filled: Shell) -> None:
    filled.write("a.yaml", service(uid="abc"))
    assert "Precondition failed: UID in precondition: abc" in filled.fails("replace", "-f", "a.yaml")


FAILS: dict[tuple[str, ...], str] = {
    (): "must specify one of -f and -k",
    ("-f", "no.yaml"): 'error when replacing "no.yaml": configmaps "no" not found',
    ("-f", "nowhere.yaml"): "No such file",
    ("-f", "no.yaml", "--force", "--dry-run=server"): "--dry-run can not be used when --force is set",
    ("-f", "no.yaml", "--force", "--subresource=status"): "--subresource can not be used with --force",
    ("-f", "no.yaml", "--grace-period=0"): "--grace-period must have --force",
    ("-f", "no.yaml", "--subresource=scale"): "'scale'",
    ("-f", "no.yaml", "--cluster", "nowhere.db"): "no such cluster",
}


@pytest.mark.parametrize("words", FAILS)
def test_what_is_refused(filled: Shell, words: tuple[str, ...]) -> None:
    filled.write("no.yaml", config_map("no"))
    assert FAILS[words] in filled.fails("replace", *words)
    assert filled.out == ""


def test_the_others_are_replaced(filled: Shell) -> None:
    file = filled.write("all.yaml", config_map("no"), config_map("a", {"new": "2"}))
    assert 'replacing "all.yaml": configmaps "no" not found' in filled.fails("replace", "-f", file)
    assert filled.out == "configmap/a replaced\n"
