"""`kubemerge create`: it creates new objects, and replaces none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from codegen.documents.yaml_text import documents
from engine import last_applied_text
from kubemerge.apiserver.storage.opening import DEFAULT

from ....conftest import NEWEST, native
from ...objects import ANNOTATION, config_map, deployment

if TYPE_CHECKING:
    from ...shell import Shell


def test_lines_as_those_of_kubectl(shell: Shell) -> None:
    file = shell.write("a.yaml", deployment("web"), config_map("a"))
    assert shell.done("create", "-f", file) == "deployment.apps/web created\nconfigmap/a created\n"
    assert (shell.folder / DEFAULT).exists()
    assert ANNOTATION not in shell.live("cm", "a")["metadata"].get("annotations", {})


def test_the_config_is_kept_if_that_is_asked_for(shell: Shell) -> None:
    config = config_map("a", {"k": "<1>"}, namespace="default")
    shell.done("create", "--save-config", "-f", shell.write("a.yaml", config))
    assert shell.live("cm", "a")["metadata"]["annotations"] == {ANNOTATION: last_applied_text(config)}
    assert shell.done("apply", "-f", "a.yaml") == "configmap/a unchanged\n"


def test_an_annotation_in_the_config_is_made_again(shell: Shell) -> None:
    config = config_map("a", annotations={ANNOTATION: "{}"}, namespace="default")
    shell.create(config)
    assert shell.live("cm", "a")["metadata"]["annotations"][ANNOTATION] == last_applied_text(config)
    shell.create(config_map("b", annotations={ANNOTATION: ""}))
    assert shell.live("cm", "b")["metadata"]["annotations"] == {ANNOTATION: ""}


def test_a_resource_version_is_left_out(shell: Shell) -> None:
    shell.create(config_map("a", resourceVersion="17"))
    assert shell.live("cm", "a")["metadata"]["resourceVersion"] != "17"


def test_a_name_is_made_up(shell: Shell) -> None:
    job = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "run-"}}
    line = shell.done("create", "-f", shell.write("a.yaml", job))
    assert line.startswith("configmap/run-")
    assert len(line.split()[0]) == len("configmap/run-xxxxx")


@pytest.mark.parametrize(("mode", "words"), [("client", " (dry run)"), ("server", " (server dry run)")])
def test_a_dry_run_leaves_no_trace(shell: Shell, mode: str, words: str) -> None:
    file = shell.write("a.yaml", config_map("a"))
    assert shell.done("create", "-f", file, f"--dry-run={mode}") == f"configmap/a created{words}\n"
    assert not (shell.folder / DEFAULT).exists()
    printed = json.loads(shell.done("create", "-f", file, f"--dry-run={mode}", "-o", "json", "--save-config"))
    assert ANNOTATION in printed["metadata"]["annotations"]
    assert ("uid" in printed["metadata"]) is (mode == "server")


def test_what_is_printed(shell: Shell) -> None:
    file = shell.write("a.yaml", config_map("a"), config_map("b"))
    assert shell.done("create", "-f", file, "-o", "name") == "configmap/a\nconfigmap/b\n"
    shell.done("delete", "-f", file)
    first, *others = documents(shell.done("create", "-f", file, "-o", "yaml"))
    assert (first["metadata"]["name"], len(others)) == ("a", 1)


def test_only_those_with_a_label(shell: Shell) -> None:
    file = shell.write("a.yaml", config_map("a"), config_map("b", labels={"app": "web"}))
    assert shell.done("create", "-f", file, "-l", "app=web") == "configmap/b created\n"


def test_the_release_is_chosen_at_the_beginning(shell: Shell) -> None:
    file = shell.write("a.yaml", config_map("a"))
    shell.done("create", "-f", file, "--release", "1.20")
    assert "1.20" in shell.done("cluster", "info")


FAILS: dict[str, tuple[list[object], str]] = {
    "it is there": ([config_map("old")], 'error when creating "a.yaml": configmaps "old" already exists'),
    "no namespace": ([config_map("a", namespace="no")], 'error when creating "a.yaml": namespaces "no" not found; a'),
    "no such kind": ([{**config_map("a"), "kind": "ConfigMop"}], 'no matches for kind "ConfigMop" in version "v1"'),
    "invalid": ([deployment("web", replicas=-1)], 'The Deployment "web" is invalid: spec.replicas'),
    "a bad label": ([config_map("a", labels={"a b": "1"})], 'ConfigMap "a" is invalid: metadata.labels'),
    "no object": ([{"a": 1}], "this is not a Kubernetes object"),
}


@pytest.mark.parametrize("case", FAILS)
def test_what_is_refused(shell: Shell, case: str) -> None:
    objects, said = FAILS[case]
    shell.create(config_map("old", {"a": "1"}))
    assert said in shell.fails("create", "-f", shell.write("a.yaml", *objects))
    assert shell.live("cm", "old")["data"] == {"a": "1"}


def test_the_others_are_created(shell: Shell) -> None:
    file = shell.write("a.yaml", config_map("a"), config_map("old", namespace="no"), config_map("c"))
    assert "a.yaml:3: configmap/old; apply" in shell.fails("create", "-f", file)
    assert shell.out == "configmap/a created\nconfigmap/c created\n"


WORDS: dict[tuple[str, ...], str] = {
    (): "must specify one of -f and -k",
    ("-f", "nowhere.yaml"): "No such file",
    ("-f", "a.yaml", "-n", "shop"): "does not match the namespace",
    ("-f", "a.yaml", "--dry-run=perhaps"): "'perhaps'",
    ("-f", "a.yaml", "--release", "1.99"): f"1.7 to {NEWEST}",
    ("-f", "a.yaml", "--cluster", "no/such/folder.db"): f"the folder {native('no/such')} does not exist",
    ("-f", "a.yaml", "--cluster", "a.yaml"): "a.yaml is not a kubemerge database",
    ("-f", "a.yaml", "-l", "?"): "unable to parse requirement",
}


@pytest.mark.parametrize("words", WORDS)
def test_words_that_make_no_sense(shell: Shell, words: tuple[str, ...]) -> None:
    shell.write("a.yaml", config_map("a", namespace="default"))
    assert WORDS[words] in shell.fails("create", *words)


@pytest.mark.parametrize("path", ["nope.yaml", "bad.yaml", "empty.yaml"])
def test_no_cluster_is_created_for_what_cannot_be_read(path: str, shell: Shell) -> None:
    (shell.folder / "bad.yaml").write_text("a: [\n")
    (shell.folder / "empty.yaml").write_text("")
    assert (path if path != "empty.yaml" else "no objects passed to create") in shell.fails("create", "-f", path)
    assert not (shell.folder / DEFAULT).parent.exists()


def test_no_cluster_is_created_where_nothing_is_selected(shell: Shell) -> None:
    file = shell.write("a.yaml", config_map("a"))
    assert shell.fails("create", "-f", file, "-l", "app=web") == "no objects passed to create"
    assert not (shell.folder / DEFAULT).exists()
    assert shell.done("create", "-f", file, "-l", "!app") == "configmap/a created\n"
