"""`kubemerge scale`: the number of replicas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ...apiserver.conftest import crontab, crontabs
from ...objects import config_map, deployment

if TYPE_CHECKING:
    from ...shell import Shell


@pytest.fixture
def filled(shell: Shell) -> Shell:
    labelled = {"name": "web", "labels": {"app": "web"}}
    shell.create({**deployment("web", replicas=3), "metadata": labelled}, deployment("api"), config_map("a"))
    return shell


def replicas(shell: Shell, name: str = "web") -> Any:
    return shell.live("deploy", name)["spec"]["replicas"]


LINES: dict[tuple[str, ...], tuple[str, dict[str, int]]] = {
    ("deployment/web", "--replicas=2"): ("deployment.apps/web scaled\n", {"web": 2, "api": 1}),
    ("deployment", "web", "--replicas=3"): ("deployment.apps/web scaled\n", {"web": 3, "api": 1}),
    ("deploy", "web", "api", "--replicas=0"): (
        "deployment.apps/web scaled\ndeployment.apps/api scaled\n",
        {"web": 0, "api": 0},
    ),
    ("deploy", "--all", "--replicas=5"): (
        "deployment.apps/api scaled\ndeployment.apps/web scaled\n",
        {"web": 5, "api": 5},
    ),
    ("deploy", "-l", "app=web", "--replicas=5"): ("deployment.apps/web scaled\n", {"web": 5, "api": 1}),
    ("-f", "created.yaml", "-l", "app=web", "--replicas=5"): ("deployment.apps/web scaled\n", {"web": 5, "api": 1}),
    ("deploy", "web", "--replicas=2", "--current-replicas=3"): ("deployment.apps/web scaled\n", {"web": 2, "api": 1}),
    ("deploy", "web", "--replicas=2", "-o", "name"): ("deployment.apps/web\n", {"web": 2, "api": 1}),
    ("deploy", "web", "--replicas=2", "--dry-run"): ("deployment.apps/web scaled (dry run)\n", {"web": 3, "api": 1}),
    ("deploy", "web", "--replicas=2", "--dry-run=server"): (
        "deployment.apps/web scaled (server dry run)\n",
        {"web": 3, "api": 1},
    ),
}


@pytest.mark.parametrize("words", LINES)
def test_what_is_scaled(filled: Shell, words: tuple[str, ...]) -> None:
    line, then = LINES[words]
    assert filled.done("scale", *words) == line
    assert {name: replicas(filled, name) for name in then} == then


def test_an_expected_version(filled: Shell) -> None:
    version = filled.live("deploy", "web")["metadata"]["resourceVersion"]
    filled.done("scale", "deploy", "web", "--replicas=2", "--resource-version", version)
    said = filled.fails("scale", "deploy", "web", "--replicas=4", "--resource-version", version)
    assert said.startswith(f"Expected resource version to be {version}, was ")
    assert replicas(filled) == 2


def test_an_apply_that_says_nothing_of_replicas_keeps_them(shell: Shell) -> None:
    """The example of the documentation of Kubernetes, from the first apply to the last command."""
    file = shell.write("nginx.yaml", deployment("nginx-deployment", minReadySeconds=5))
    assert shell.done("apply", "-f", file) == "deployment.apps/nginx-deployment created\n"
    assert shell.done("scale", "deployment/nginx-deployment", "--replicas=2") == (
        "deployment.apps/nginx-deployment scaled\n"
    )
    shell.write(file, deployment("nginx-deployment", {"name": "nginx", "image": "nginx:1.16.1"}))
    assert shell.done("apply", "-f", file) == "deployment.apps/nginx-deployment configured\n"
    spec = json.loads(shell.done("get", "-f", file, "-o", "json"))["spec"]
    assert (spec["replicas"], spec["template"]["spec"]["containers"][0]["image"]) == (2, "nginx:1.16.1")
    assert "minReadySeconds" not in spec
    assert shell.done("delete", "-f", file) == 'deployment.apps "nginx-deployment" deleted from default namespace\n'


# ---- custom resources ----------------------------------------------------------------------------------------------


def scalable(**scale: str) -> dict[str, Any]:
    """The definition of CronTabs, with its `scale` subresource."""
    definition = crontabs()
    version = definition["spec"]["versions"][0]
    version["schema"]["openAPIV3Schema"] = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    version["subresources"]["scale"] = {
        "specReplicasPath": ".spec.size.count",
        "statusReplicasPath": ".status.count",
        **scale,
    }
    return definition


@pytest.mark.parametrize("spec", [{"size": {"count": 3, "kept": 1}}, {"x": 1}, {"size": None}, None])
def test_custom_resources_are_scaled_where_their_definition_says(shell: Shell, spec: Any) -> None:
    shell.create(scalable(), {**crontab(), "spec": spec})
    assert shell.done("scale", "ct", "night", "--replicas=2") == "crontab.stable.example.com/night scaled\n"
    size = (spec or {}).get("size") or {}
    assert shell.live("ct", "night")["spec"]["size"] == {**size, "count": 2}
    assert shell.live("ct", "night")["metadata"]["generation"] == 2


@pytest.mark.parametrize(("current", "done"), [("0", True), ("-1", True), ("1", False)])
def test_no_number_of_replicas_is_taken_for_zero(shell: Shell, current: str, done: bool) -> None:
    shell.create(scalable(), crontab())
    words = ("scale", "ct", "night", "--replicas=2", f"--current-replicas={current}")
    if done:
        shell.done(*words)
    else:
        assert shell.fails(*words).startswith("Expected replicas to be 1, was 0; ")


def test_a_definition_without_scale(shell: Shell) -> None:
    shell.create(crontabs(), crontab(replicas=3))
    said = shell.fails("scale", "ct", "night", "--replicas=2")
    assert said.startswith("the server could not find the requested resource; ")
    assert "CronTab cannot be scaled" in said
    assert "subresources.scale" in said


FAILS: dict[tuple[str, ...], str] = {
    ("deploy", "no", "--replicas=1"): 'deployments.apps "no" not found',
    (
        "cm",
        "a",
        "--replicas=1",
    ): "the server could not find the requested resource; configmap/a; ConfigMap cannot be scaled",
    ("deploy", "web"): 'required flag(s) "replicas" not set',
    ("deploy", "web", "--replicas=-1"): "-1 is not in the range x>=0",
    ("deploy", "web", "--replicas=many"): '"many"',
    ("deploy", "--replicas=1"): "no name was specified",
    ("deploy", "-l", "a=b", "--replicas=1"): "no objects passed to scale",
    ("deploy", "web", "--replicas=1", "--current-replicas=2"): "Expected replicas to be 2, was 3",
    ("deploy", "web", "--replicas=1", "--current-replicas=-2"): "-2 is not in the range x>=-1",
    ("deploy", "web", "api", "--replicas=1", "--resource-version=1"): "only be used with a single object",
    ("deploy", "web", "--replicas=1", "--cluster", "nowhere.db"): "no such cluster",
}


@pytest.mark.parametrize("words", FAILS)
def test_what_is_refused(filled: Shell, words: tuple[str, ...]) -> None:
    assert FAILS[words] in filled.fails("scale", *words)
    assert filled.out == ""
    assert (replicas(filled), replicas(filled, "api")) == (3, 1)


def test_the_others_are_scaled(filled: Shell) -> None:
    assert "configmap/a; ConfigMap cannot be scaled" in filled.fails(
        "scale", "deploy/web", "cm/a", "deploy/api", "--replicas=2"
    )
    assert filled.out == "deployment.apps/web scaled\ndeployment.apps/api scaled\n"
