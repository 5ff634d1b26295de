"""`kubemerge patch` of live objects, which are named by words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kubemerge.output.object_text import without_managed_fields

from ...apiserver.conftest import crontab, crontabs
from ...objects import config_map, deployment

if TYPE_CHECKING:
    from ...shell import Shell

REPLICAS = '{"spec": {"replicas": 2}}'


@pytest.fixture
def filled(shell: Shell) -> Shell:
    shell.create(deployment("web"), deployment("api"), config_map("a", {"k": "1"}))
    return shell


LINES: dict[tuple[str, ...], str] = {
    ("deploy", "web", "-p", REPLICAS): "deployment.apps/web patched\n",
    ("deploy", "web", "api", "-p", REPLICAS): "deployment.apps/web patched\ndeployment.apps/api patched\n",
    ("deploy/web", "-p", "spec:\n  replicas: 2"): "deployment.apps/web patched\n",
    ("deploy/web", "-p", '{"spec": {"replicas": 1}}'): "deployment.apps/web patched (no change)\n",
    ("deploy/web", "-p", REPLICAS, "-o", "name"): "deployment.apps/web\n",
    ("deploy/web", "-p", REPLICAS, "--dry-run"): "deployment.apps/web patched\n",
    ("deploy/web", "-p", REPLICAS, "--dry-run=server"): "deployment.apps/web patched\n",
    ("cm", "a", "--type=merge", "-p", '{"data": {"k": null}}'): "configmap/a patched\n",
    ("cm", "a", "--type=json", "-p", '[{"op": "test", "path": "/data/k", "value": "1"}]'): (
        "configmap/a patched (no change)\n"
    ),
}


@pytest.mark.parametrize("words", LINES)
def test_lines_as_those_of_kubectl(filled: Shell, words: tuple[str, ...]) -> None:
    assert filled.done("patch", *words) == LINES[words]


def test_it_is_in_the_cluster_then(filled: Shell) -> None:
    filled.done("patch", "deploy", "web", "--dry-run=server", "-p", REPLICAS)
    assert filled.live("deploy", "web")["spec"]["replicas"] == 1
    printed = json.loads(filled.done("patch", "deploy", "web", "-p", REPLICAS, "-o", "json"))
    assert printed == without_managed_fields(filled.live("deploy", "web"))
    assert printed["spec"]["replicas"] == 2


def test_a_patch_in_a_file(filled: Shell) -> None:
    (filled.folder / "patch.yaml").write_text("data:\n  k: '2'\n", encoding="utf-8")
    filled.done("patch", "cm", "a", "--patch-file", "patch.yaml")
    assert filled.live("cm", "a")["data"] == {"k": "2"}


def test_status(filled: Shell) -> None:
    status = '{"status": {"replicas": 5}}'
    assert filled.done("patch", "deploy", "web", "-p", status) == "deployment.apps/web patched (no change)\n"
    assert filled.done("patch", "deploy", "web", "--subresource=status", "-p", status) == (
        "deployment.apps/web patched\n"
    )
    assert filled.live("deploy", "web")["status"] == {"replicas": 5}


def test_a_version_in_the_patch_has_to_be_the_latest(filled: Shell) -> None:
    patch = {"metadata": {"resourceVersion": filled.live("cm", "a")["metadata"]["resourceVersion"]}, "data": {"k": "2"}}
    filled.done("patch", "cm", "a", "-p", json.dumps(patch))
    patch["data"] = {"k": "3"}
    assert "the object has been modified" in filled.fails("patch", "cm", "a", "-p", json.dumps(patch))


FAILS: dict[tuple[str, ...], str] = {
    ("deploy", "no", "-p", "{}"): 'deployments.apps "no" not found',
    ("deploy", "-p", "{}"): "no name was specified",
    ("deploy", "web"): "must specify --patch or --patch-file containing the contents of the patch",
    ("deploy", "web", "-p", "{}", "--patch-file", "x"): "cannot specify --patch and --patch-file together",
    ("deploy", "web", "-p", "[]"): "a patch of the type 'strategic' is a map",
    ("deploy", "web", "--type=json", "-p", "{}"): "is a list of operations",
    ("deploy", "web", "--type=frob", "-p", "{}"): '--type must be one of [json merge strategic], not "frob"',
    ("deploy", "web", "-p", '{"spec": {"replicas": -1}}'): "must be greater than or equal to 0",
    ("deploy", "web", "-p", '{"spec": {"$patch": "frob"}}'): "spec: $patch",
    ("deploy", "web", "-f", "created.yaml", "-p", "{}"): "you may not specify resource arguments as well",
    ("deploy", "web", "--local", "-p", "{}"): "cannot specify --local and server resources",
    ("deploy", "web", "--schema", "x", "-p", "{}"): "--schema requires --local",
    ("deploy", "web", "--lists=schema", "-p", "{}"): "--lists=schema requires --local",
    ("-f", "created.yaml", "--local", "--dry-run=server", "-p", "{}"): "cannot specify --local and --dry-run=server",
    ("-f", "created.yaml", "--local", "--cluster", "x.db", "-p", "{}"): "--local uses no cluster",
    ("-p", "{}"): "You must provide one or more resources by argument or filename.",
    ("cm", "a", "-p", "{}", "--subresource=frob"): "could not find the requested resource",
    ("cm", "a", "-p", "{}", "--cluster", "nowhere.db"): "no such cluster",
}


@pytest.mark.parametrize("words", FAILS)
def test_what_is_refused(filled: Shell, words: tuple[str, ...]) -> None:
    before = filled.done("cluster", "export")
    assert FAILS[words] in filled.fails("patch", *words)
    assert filled.out == ""
    assert filled.done("cluster", "export") == before


def test_custom_resources_take_no_strategic_patch(shell: Shell) -> None:
    shell.create(crontabs(), crontab())
    assert "do not take a patch of the type 'strategic'" in shell.fails("patch", "ct", "night", "-p", "{}")


def test_the_others_are_patched(filled: Shell) -> None:
    assert "no" in filled.fails("patch", "deploy", "web", "no", "api", "-p", REPLICAS)
    assert filled.out == "deployment.apps/web patched\ndeployment.apps/api patched\n"


OF_FILES = ("-f", "created.yaml", "--type=merge", "-p", '{"data": {"k": "2"}}')


def test_objects_that_files_name_are_patched_in_the_cluster(filled: Shell) -> None:
    assert "configmap/a patched\n" in filled.done("patch", *OF_FILES, "-q")
    assert filled.live("cm", "a")["data"] == {"k": "2"}


def test_with_local_the_cluster_stays_as_it_is(filled: Shell) -> None:
    before = filled.done("cluster", "export")
    assert "configmap/a patched\n" in filled.done("patch", "--local", *OF_FILES)
    assert 'k: "2"' in filled.done("patch", "--local", *OF_FILES, "-o", "yaml")
    assert filled.done("cluster", "export") == before


@pytest.mark.parametrize("files", [("-f", "none"), ("-Rf", "none"), ("--filename=none",)], ids=" ".join)
def test_files_that_there_are_not(files: tuple[str, ...], shell: Shell) -> None:
    assert shell.run("patch", *files, "-p", "{}") == 1
    assert shell.run("patch", "--local", *files, "-p", "{}") == 1
