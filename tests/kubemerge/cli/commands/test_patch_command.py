"""`kubemerge patch` of live objects, which are named by words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kubemerge.output.object_text import without_managed_fields

from ...cluster.conftest import crontab, crontabs
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


FILES_ONLY = "-f patches the objects in files; name the object as TYPE NAME to patch it in the cluster"
FAILS: dict[tuple[str, ...], str] = {
    ("deploy", "no", "-p", "{}"): 'deployments.apps "no" not found',
    ("deploy", "-p", "{}"): "no name was specified",
    ("deploy", "web"): "give the patch in one of -p and --patch-file",
    ("deploy", "web", "-p", "[]"): "{}; a patch of the type 'strategic' is a map",
    ("deploy", "web", "--type=json", "-p", "{}"): "is a list of operations",
    ("deploy", "web", "-p", '{"spec": {"replicas": -1}}'): "must be greater than or equal to 0",
    ("deploy", "web", "-p", '{"spec": {"$patch": "frob"}}'): "spec: $patch",
    ("deploy", "web", "-f", "created.yaml", "-p", "{}"): "not by both",
    ("deploy", "web", "--local", "-p", "{}"): "--local is for the objects in files",
    ("deploy", "web", "--schema", "x", "-p", "{}"): "--schema is for the objects in files",
    ("deploy", "web", "--lists=schema", "-p", "{}"): "--lists=schema is for the objects in files",
    ("-f", "created.yaml", "--cluster", "x.db", "-p", "{}"): FILES_ONLY,
    ("-f", "created.yaml", "--subresource=status", "-p", "{}"): FILES_ONLY,
    ("-f", "created.yaml", "--dry-run=server", "-p", "{}"): FILES_ONLY,
    ("-f", "created.yaml", "--local", "--cluster", "x.db", "-p", "{}"): FILES_ONLY,
    ("-p", "{}"): "name objects of the cluster, as TYPE NAME, or give files with -f",
    ("cm", "a", "-p", "{}", "--cluster", "nowhere.db"): "there is no such cluster",
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


OF_FILES = ("patch", "-f", "created.yaml", "-p", '{"data": {"k": "2"}}', "-o", "name")


def test_with_files_a_message_says_that_the_cluster_stays_as_it_is(filled: Shell) -> None:
    said = ".kubemerge/cluster.db, the cluster, is not changed; name the object to patch it there, or say --local"
    assert filled.run(*OF_FILES) == 0
    assert filled.err.splitlines().count(said) == 1
    assert filled.live("cm", "a")["data"] == {"k": "1"}
    for word in ("--local", "-q"):
        assert filled.run(*OF_FILES, word) == 0
        assert said not in filled.err
    (filled.folder / ".kubemerge" / "cluster.db").unlink()
    assert filled.run(*OF_FILES) == 0
    assert said not in filled.err


def test_an_error_is_1_of_the_cluster_and_2_of_files(filled: Shell) -> None:
    (filled.folder / "bad.yaml").write_text("a: [", encoding="utf-8")
    assert filled.run("patch", "cm", "none", "-p", "{}") == 1
    assert filled.run("patch", "cm", "a", "-p", "{}", "--frobnicate") == 1
    for files in ("-f", "--filename"):
        assert filled.run("patch", files, "bad.yaml", "-p", "{}") == 2
    assert filled.run("patch", "--filename=bad.yaml", "-p", "{}") == 2


def test_files_are_patched_as_before(filled: Shell) -> None:
    assert filled.run("patch", "-f", "created.yaml", "--local", "-p", '{"metadata": {"labels": {"x": "1"}}}', "-q") == 0
    assert filled.out.count('x: "1"') == 3


@pytest.mark.parametrize("files", [("-f", "none"), ("-Rf", "none"), ("--filename=none",)], ids=" ".join)
def test_errors_of_files_are_2_however_they_are_named(files: tuple[str, ...], shell: Shell) -> None:
    assert shell.run("patch", *files, "-p", "{}") == 2
