"""`kubemerge last-applied`: the annotation viewed, set and checked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import engine
from codegen.documents.yaml_text import documents

from ....codegen.sample_specs import kubemerge
from ....conftest import NEWEST, ROOT
from ...objects import ANNOTATION, applied, config_map, deployment, write

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = ROOT / "examples" / "nginx" / "deployment.yaml"
LIVE = ROOT / "docs" / "live" / "nginx.yaml"


def run(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> tuple[str, str]:
    """The output and the messages of `last-applied`."""
    assert kubemerge("last-applied", *words) == code
    said = capsys.readouterr()
    return said.out, said.err


def with_text(live: dict[str, Any], text: Any) -> dict[str, Any]:
    """A live object with this annotation."""
    return {**live, "metadata": {**live["metadata"], "annotations": {ANNOTATION: text}}}


# view


def test_view_prints_the_document_in_the_annotation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    live = applied(config_map("a", {"k": "v"}), immutable=True)
    printed, said = run(capsys, "view", "-f", write(tmp_path, "l", live))
    assert printed.splitlines() == [
        *("apiVersion: v1", "data:", "  k: v", "kind: ConfigMap", "metadata:", "  annotations: {}", "  name: a"),
    ]
    assert said == ""


def test_view_prints_several_as_documents_or_as_one_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    live = write(tmp_path, "l", applied(config_map("a")), applied(config_map("b")))
    names = [one["metadata"]["name"] for one in documents(run(capsys, "view", "--live", live)[0])]
    assert names == ["a", "b"]
    whole = json.loads(run(capsys, "view", "-f", live, "-o", "json")[0])
    assert [one["metadata"]["name"] for one in whole["items"]] == ["a", "b"]


def test_view_reports_objects_without_the_annotation_and_prints_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = write(tmp_path, "l", config_map("a"), applied(config_map("b")), with_text(config_map("c"), "{"))
    printed, said = run(capsys, "view", "-f", live, code=2)
    assert "name: b" in printed
    first, second = said.splitlines()
    assert f"configmap/a: the live object has no annotation {ANNOTATION}. " in first
    assert f"configmap/c: the annotation {ANNOTATION} does not hold JSON" in second


# set


def set_(capsys: pytest.CaptureFixture[str], config: object, live: object, *words: object) -> list[Any]:
    """The live objects that `set` prints."""
    return list(documents(run(capsys, "set", "-f", config, "--live", live, *words)[0]))


def test_set_changes_the_annotation_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    (one,) = set_(capsys, CONFIG, LIVE)
    (live,) = documents(LIVE.read_text())
    text = one["metadata"]["annotations"].pop(ANNOTATION)
    live["metadata"]["annotations"].pop(ANNOTATION)
    assert one == live
    assert json.loads(text)["spec"]["template"]["spec"]["containers"][0]["image"] == "nginx:1.16.1"


def test_what_is_set_is_what_the_next_apply_would_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = config_map("a", {"k": "<é>"})
    live = config_map("a", {"k": "<é>"}, namespace="dev")
    (one,) = set_(capsys, write(tmp_path, "c", config), write(tmp_path, "l", live), "-n", "dev", "--create-annotation")
    sent = {**config, "metadata": {**config["metadata"], "namespace": "dev"}}
    assert one["metadata"]["annotations"][ANNOTATION] == engine.last_applied_text(sent)
    assert engine.apply(sent, one, engine.load().schema("v1", "ConfigMap")).patch == {}


def test_the_patch_sets_the_annotation_alone(capsys: pytest.CaptureFixture[str]) -> None:
    printed, said = run(capsys, "set", "-f", CONFIG, "--live", LIVE, "-o", "patch")
    assert list(json.loads(printed)["metadata"]["annotations"]) == [ANNOTATION]
    assert said == "deployment.apps/nginx-deployment set\n"


@pytest.mark.parametrize("leave_out", ["nothing", "the empty annotations", "the newline at the end"])
def test_nothing_is_set_where_the_annotation_says_so_already(
    leave_out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = config_map("a", {"k": "v"})
    text = engine.last_applied_text(config)
    text = text.replace('"annotations":{},', "") if leave_out == "the empty annotations" else text
    text = text.strip() if leave_out == "the newline at the end" else text
    words = ("-f", write(tmp_path, "c", config), "--live", write(tmp_path, "l", with_text(config, text)))
    assert run(capsys, "set", *words, "-o", "patch") == ("{}\n", "configmap/a no changes required\n")
    assert run(capsys, "set", *words, "-o", "json", "-q")[1] == ""


def test_an_annotation_that_cannot_be_read_is_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = config_map("a")
    live = write(tmp_path, "l", with_text(config, "{"))
    (one,) = set_(capsys, write(tmp_path, "c", config), live)
    assert one["metadata"]["annotations"][ANNOTATION] == engine.last_applied_text(config)


def test_set_reports_what_it_cannot_set_and_prints_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(tmp_path, "c", config_map("none"), config_map("gone"), config_map("a", {"k": "v"}))
    live = write(tmp_path, "l", config_map("none"), applied(config_map("a")))
    printed, said = run(capsys, "set", "-f", config, "--live", live, code=2)
    assert printed.count("kind: ConfigMap") == 1
    lines = said.splitlines()
    assert (
        f"configmap/none: the live object has no annotation {ANNOTATION}. Add it with --create-annotation" in lines[0]
    )
    assert "configmap/gone: --live does not have this object" in lines[1]
    assert lines[2] == "configmap/a set"


# check


def test_check_names_every_field_that_differs(capsys: pytest.CaptureFixture[str]) -> None:
    printed, said = run(capsys, "check", "-f", CONFIG, "--live", LIVE, code=1)
    assert printed.splitlines() == [
        "deployment.apps/nginx-deployment spec.minReadySeconds: last applied has 5, config has none",
        "deployment.apps/nginx-deployment spec.template.spec.containers[name=nginx].image: "
        'last applied has "nginx:1.14.2", config has "nginx:1.16.1"',
    ]
    assert said == "1 of 1 object changed since the last apply\n"


def test_what_was_set_is_what_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "l").write_text(run(capsys, "set", "-f", CONFIG, "--live", LIVE)[0])
    assert run(capsys, "check", "-f", CONFIG, "--live", tmp_path / "l", "-q") == ("", "")


def test_a_namespace_that_nobody_wrote_is_not_a_difference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = config_map("a", {"k": "v"})
    live = applied(config)
    live["metadata"]["namespace"] = "default"
    files = (write(tmp_path, "c", config), "--live", write(tmp_path, "l", live))
    assert run(capsys, "check", "-f", *files, "-q") == ("", "")
    assert run(capsys, "check", "-f", *files, "-n", "default", "-q") == ("", "")
    said = write(tmp_path, "c", config_map("a", {"k": "v"}, namespace="default"))
    printed, _ = run(capsys, "check", "-f", said, "--live", files[2], code=1)
    assert printed == 'configmap/a metadata.namespace: last applied has none, config has "default"\n'


SECRETS = {
    "added": ({}, {"k": "MQ=="}, "data: last applied has none, config has one"),
    "changed": ({"data": {"k": "MQ=="}}, {"k": "Mg=="}, "data.k: last applied has one, config has another"),
    "removed": ({"data": {"k": "MQ=="}}, {}, "data.k: last applied has one, config has none"),
}


@pytest.mark.parametrize("case", SECRETS)
def test_check_does_not_show_values_of_secrets(tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str) -> None:
    before, data, expected = SECRETS[case]
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
    config, live = write(tmp_path, "c", {**secret, "data": data}), write(tmp_path, "l", applied({**secret, **before}))
    printed, _ = run(capsys, "check", "-f", config, "--live", live, code=1)
    assert printed == f"secret/s {expected}\n"


def test_after_an_error_nothing_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, live = write(tmp_path, "c", config_map("a")), write(tmp_path, "l", with_text(config_map("a"), "{"))
    _, said = run(capsys, "check", "-f", config, "--live", live, code=2)
    assert len(said.splitlines()) == 1
    assert "changed since" not in said


COMMANDS: dict[str, tuple[str, ...]] = {
    "view": ("view", "-o", "json", "-f"),
    "set": ("set", "--live", str(LIVE), "-f"),
    "check": ("check", "--live", str(LIVE), "-f"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_without_an_object_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    (tmp_path / "empty.yaml").write_text("# nothing\n")
    printed, said = run(capsys, *COMMANDS[command], tmp_path / "empty.yaml", code=2)
    assert printed == ""
    assert "empty.yaml: no object in it. Pass a file with an object" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_cannot_be_read_does_not_keep_the_others_from_their_turn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / "bad.yaml").write_text("a: [\n")
    there = LIVE if command == "view" else CONFIG
    words = (*COMMANDS[command], tmp_path / "bad.yaml", "-f", there)
    printed, said = run(capsys, *words, code=2)
    assert "nginx" in printed
    assert "bad.yaml" in said.splitlines()[0]


DIFFERENCES: dict[str, tuple[dict[str, Any], dict[str, Any], list[str]]] = {
    "nothing": (deployment("a"), deployment("a"), []),
    "another apiVersion": (
        {**deployment("a"), "apiVersion": "apps/v1beta1"},
        deployment("a"),
        ['apiVersion: last applied has "apps/v1beta1", config has "apps/v1"'],
    ),
    "a number and text": (
        deployment("a", replicas=1),
        deployment("a", replicas="1"),
        ['spec.replicas: last applied has 1, config has "1"'],
    ),
    "a number and truth": (
        deployment("a", replicas=1),
        deployment("a", replicas=True),
        ["spec.replicas: last applied has 1, config has true"],
    ),
    "1 and 1.0": (deployment("a", replicas=1), deployment("a", replicas=1.0), []),
    "a null": (deployment("a"), deployment("a", paused=None), ["spec.paused: last applied has none, config has null"]),
    "an element more": (
        deployment("a", {"name": "a"}),
        deployment("a", {"name": "b"}, {"name": "a"}),
        ['spec.template.spec.containers[name=b]: last applied has none, config has {"name":"b"}'],
    ),
    "another order": (
        deployment("a", {"name": "a"}, {"name": "b"}),
        deployment("a", {"name": "b"}, {"name": "a"}),
        [
            'spec.template.spec.containers[0].name: last applied has "a", config has "b"',
            'spec.template.spec.containers[1].name: last applied has "b", config has "a"',
        ],
    ),
    "elements of one name": (
        deployment("a", {"name": "a"}),
        deployment("a", {"name": "a"}, {"name": "a"}),
        ['spec.template.spec.containers: last applied has [{"name":"a"}], config has [{"name":"a"},{"name":"a"}]'],
    ),
    "a long value": (
        config_map("a", {"k": "x" * 100}),
        config_map("a", {}),
        [f'data.k: last applied has "{"x" * 56}..., config has none'],
    ),
}


@pytest.mark.parametrize("case", DIFFERENCES.values(), ids=DIFFERENCES)
def test_differences(
    case: tuple[dict[str, Any], dict[str, Any], list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, config, expected = case
    live = write(tmp_path, "l", applied(before))
    printed, _ = run(capsys, "check", "-f", write(tmp_path, "c", config), "--live", live, code=1 if expected else 0)
    assert [line.partition(" ")[2] for line in printed.splitlines()] == expected


def test_what_was_never_applied_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(tmp_path, "c", config_map("a"), config_map("b"))
    live = write(tmp_path, "l", config_map("a"))
    printed, _ = run(capsys, "check", "-f", config, "--live", live, code=1)
    assert printed.splitlines() == [
        "configmap/a was never applied: the live object has no annotation",
        "configmap/b was never applied: there is no live object",
    ]


def test_the_check_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(tmp_path, "c", config_map("a", {"k": "new"}), config_map("b"))
    live = write(tmp_path, "l", applied(config_map("a", {"k": "old"})))
    first, second = json.loads(run(capsys, "check", "-f", config, "--live", live, "-o", "json", code=1)[0])
    place = {"file": config, "line": 1, "path": "data.k"}
    assert first == {"object": "configmap/a", **place, "lastApplied": "old", "config": "new"}
    assert second == {"object": "configmap/b", "file": config, "line": 3, "path": "."}


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_values_of_secrets_are_not_shown(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def secret(value: str) -> dict[str, Any]:
        return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"k": value}}

    live = write(tmp_path, "l", applied(secret("hunter1")))
    printed, said = run(
        capsys, "check", "-f", write(tmp_path, "c", secret("hunter2")), "--live", live, "-o", form, code=1
    )
    assert "stringData.k" in printed
    assert "hunter" not in printed + said


def test_an_annotation_that_cannot_be_read_is_an_error_and_the_others_are_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(tmp_path, "c", config_map("a"), config_map("b", {"k": "v"}))
    live = write(tmp_path, "l", with_text(config_map("a"), "[]"), applied(config_map("b")))
    printed, said = run(capsys, "check", "-f", config, "--live", live, code=2)
    assert "configmap/b data.k" in printed
    assert "configmap/a: the annotation" in said.splitlines()[0]


# Failures

FAILURES: dict[str, tuple[tuple[object, ...], str]] = {
    "no command": ((), "Missing command"),
    "an unknown command": (("edit",), "No such command 'edit'"),
    "nothing to view": (("view",), "Missing option '-f'"),
    "no such file": (("view", "-f", "missing.yaml"), "missing.yaml: No such file"),
    "no live to set": (("set", "-f", CONFIG), "pass --live"),
    "no live to check": (("check", "-f", CONFIG), "pass --live"),
    "no config": (("check", "--live", LIVE), "Missing option '-f'"),
    "a missing config": (("set", "-f", "missing.yaml", "--live", LIVE), "missing.yaml: No such file"),
    "a missing live": (("check", "-f", CONFIG, "--live", "missing.yaml"), "missing.yaml: No such file"),
    "an unknown release": (
        ("check", "-f", CONFIG, "--live", LIVE, "--release", "1.99"),
        f"are 1.7 to {NEWEST}",
    ),
    "another namespace": (("check", "-f", LIVE, "--live", LIVE, "-n", "prod"), "not in 'prod'"),
    "an unknown form": (("set", "-f", CONFIG, "--live", LIVE, "-o", "xml"), "'xml' is not one of"),
}


@pytest.mark.parametrize("case", FAILURES.values(), ids=FAILURES)
def test_a_failure_is_one_sentence_on_standard_error(
    case: tuple[tuple[object, ...], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    words, message = case
    printed, said = run(capsys, *words, code=2)
    assert printed == ""
    assert message in said
    assert said.count("\n") == 1
    assert "bug" not in said
