"""The commands on tables: their output and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

import engine
from kubemerge.apiserver.kinds.builtin_kinds import KINDS
from kubemerge.apiserver.kinds.names import plural
from kubemerge.cli.group import COMMANDS, RUN_BY_GIT, SECTIONS, cli
from kubemerge.cli.main import AS_KUBECTL, main
from kubemerge.kinds.find import find

from ....codegen.sample_specs import exit_code, kubemerge
from ....conftest import NEWEST, ROOT, python

CRD = ROOT / "tests" / "data" / "specs" / "crd-v1.yaml"


def test_releases(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("releases") == 0
    assert tuple(capsys.readouterr().out.split()) == engine.releases()
    assert kubemerge("releases", "-o", "json") == 0
    assert tuple(json.loads(capsys.readouterr().out)) == engine.releases()


def test_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("kinds", "--release", "1.30", "--schema", CRD) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["apps/v1", "Deployment", "namespaced"] in lines
    assert ["v1", "Node", "cluster"] in lines
    assert ["test.example/v1", "Widget", "namespaced"] in lines
    assert kubemerge("kinds", "-o", "json") == 0
    kinds = json.loads(capsys.readouterr().out)
    assert {"apiVersion": "v1", "kind": "Pod"}.items() <= kinds[[one["kind"] for one in kinds].index("Pod")].items()
    assert list(kinds[0]) == ["apiVersion", "kind", "namespaced", "patchTypes"]


FOUND = {
    "deployment": ("apps/v1", "Deployment"),
    "Deployments": ("apps/v1", "Deployment"),
    "deploy": ("apps/v1", "Deployment"),
    "DEPLOY": ("apps/v1", "Deployment"),
    "svc": ("v1", "Service"),
    "ingresses": ("networking.k8s.io/v1", "Ingress"),
    "networkpolicies": ("networking.k8s.io/v1", "NetworkPolicy"),
    "endpoints": ("v1", "Endpoints"),
    "event": ("v1", "Event"),
    "hpa": ("autoscaling/v2", "HorizontalPodAutoscaler"),
    "crd": ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
}


@pytest.mark.parametrize("word", FOUND)
def test_a_kind_as_people_type_it(word: str) -> None:
    schema = find(engine.load("1.37"), word)
    assert (schema.api_version, schema.kind) == FOUND[word]


def test_every_short_name_means_a_kind() -> None:
    tables, last_with_psp = engine.load("1.37"), engine.load("1.24")
    for facts in KINDS.values():
        for short in facts.short_names:
            assert find(last_with_psp if short == "psp" else tables, short).kind == facts.kind


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("Ingress", "ingresses"),
        ("Policy", "policies"),
        ("Gateway", "gateways"),
        ("Pod", "pods"),
        ("Endpoints", "endpoints"),
    ],
)
def test_plurals(kind: str, expected: str) -> None:
    assert plural(kind) == expected


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("explain", "deploy.spec.template.spec.containers", "--release", "1.31") == 0
    said = capsys.readouterr().out
    assert "Deployment of apps/v1, Kubernetes 1.31" in said
    assert "elements merge by name" in said
    assert "  image " in said


def test_explain_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("explain", "deployment.spec.strategy", "--history", "-o", "json") == 0
    facts: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert facts["rule"]["strategies"] == ["retainKeys"]
    assert facts["history"][0]["releases"] == "1.9 to 1.12"
    assert facts["history"][0]["rule"]["strategies"] == []
    assert facts["history"][1]["releases"] == f"1.13 to {NEWEST}"


@pytest.mark.parametrize(
    "word",
    [
        "deployment",
        "pod.metadata.labels",
        "pod.spec.nodeSelector",
        "crd.spec.versions.schema.openAPIV3Schema",
        "configmap.data",
        "pod.apiVersion",
    ],
)
def test_explain_anything(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("explain", word) == 0
    assert "kubectl apply" in capsys.readouterr().out


def test_explain_a_custom_resource(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("explain", "widget.spec.parts", "--schema", CRD) == 0
    assert "name + side" in capsys.readouterr().out


FAILURES: dict[str, tuple[tuple[object, ...], str]] = {
    "an unknown kind": (("explain", "deplyment"), "deplyment"),
    "an unknown field": (("explain", "deployment.spec.replica"), "has no field"),
    "a bad path": (("explain", "deployment.spec["), "not closed"),
    "an unknown release": (("kinds", "--release", "1.99"), f"supported releases are 1.7 to {NEWEST}"),
    "a kind that a release does not serve": (
        ("explain", "Deployment", "--api-version", "extensions/v1beta1"),
        "1.7 to 1.17",
    ),
    "a missing schema": (("kinds", "--schema", "missing.yaml"), "missing.yaml"),
    "a kind that nobody knows": (
        ("explain", "backup"),
        f"kubemerge: no kind 'backup' in Kubernetes {NEWEST}. "
        "For a custom resource, pass its definition with --schema FILE",
    ),
    "a kind of an apiVersion that nobody knows": (
        ("explain", "example.test/v1/Backup"),
        f"no kind 'Backup' of apiVersion 'example.test/v1' in Kubernetes {NEWEST}. For a custom resource, pass its "
        "definition with --schema FILE",
    ),
    "a kind that nobody knows, to compare": (
        ("compare", "1.24", "1.25", "--kind", "foo"),
        "kubemerge: no kind 'foo'. For a custom resource, pass its definition with --schema FILE",
    ),
    "a file without -f": (
        ("diff", "good.yaml"),
        "pass files with -f, once per file: `kubemerge diff -f FILE`",
    ),
    "a file in place of a path": (
        ("why", "good.yaml"),
        "pass files with -f, once per file: `kubemerge why -f",
    ),
    "a file that is no command of apply": (
        ("apply", "manifests"),
        "pass files with -f: `kubemerge apply -f FILE` (subcommands of apply: view-last-applied",
    ),
    "no shell": (("completion",), "Missing argument '{bash|zsh|fish}'. Choose from: bash, zsh, fish (see"),
    "an unknown command": (("frobnicate",), "kubemerge has no `frobnicate`"),
    "an unknown option": (("kinds", "--frobnicate"), "No such option"),
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
    assert kubemerge(*words) == (1 if words[0] in AS_KUBECTL else 2)
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert "Traceback" not in said.err
    assert "bug" not in said.err


def test_a_bug_says_that_it_is_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(engine, "releases", broken)
    assert kubemerge("releases") == 2
    assert capsys.readouterr().err == (
        "kubemerge: this is a bug in kubemerge: ZeroDivisionError: oops (run with --debug for a traceback)\n"
    )
    assert kubemerge("--debug", "releases") == 2
    assert "ZeroDivisionError: oops" in capsys.readouterr().err.splitlines()[-2]


def test_interrupted_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine, "releases", interrupted)
    assert kubemerge("releases") == 130


def test_an_interrupt_in_the_body_of_a_class_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until 3.11, Python raises RuntimeError for an error while an attribute gets its name, as during an import."""

    class Interrupted:
        def __set_name__(self, _: type, __: str) -> None:
            raise KeyboardInterrupt

    def interrupted(*_: object, **__: object) -> None:
        type("Holder", (), {"value": Interrupted()})

    monkeypatch.setattr("kubemerge.cli.group.cli.main", interrupted)
    assert kubemerge("releases") == 130


def test_the_words_of_the_command_line_are_the_default(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["kubemerge", "--version"])
    assert exit_code(main) == 0
    assert capsys.readouterr().out.startswith("kubemerge ")


def test_one_name_gives_both_lists() -> None:
    import codegen
    import kubemerge as whole
    from kubemerge import migrate

    assert whole.read is codegen.read
    assert whole.SpecError is codegen.SpecError
    assert whole.plan_migration is migrate.plan_migration
    ours = {"read", "SpecError", "SpecWarning", "Migration", "plan_migration"}
    assert {*engine.__all__, *ours} == {*whole.__all__}
    assert all(getattr(whole, name) is getattr(engine, name) for name in engine.__all__)
    with pytest.raises(AttributeError):
        _ = whole.nothing


def test_the_command_starts_without_the_heavy_libraries(tmp_path: Path) -> None:
    program = "import sys, kubemerge.cli.main\nprint(*sys.modules)"
    heavy = {"jinja2", "jsonschema", "requests", "click", "yaml", "codegen.reading", "codegen.documents"}
    assert not heavy & set(python(program, cwd=tmp_path).split())


def test_without_words_it_helps(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge() == 0
    assert capsys.readouterr().out.startswith("Usage: kubemerge ")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_list_is_there_and_says_what_it_does(name: str) -> None:
    command = cli.commands.get(name) or cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.name == name
    assert command.help


@pytest.mark.parametrize("name", sorted(AS_KUBECTL))
def test_help_says_the_exit_code_that_the_command_has(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    for one in (command, *inner):
        assert "exit code is 2" not in " ".join((one.help or "").split())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_help_that_cannot_be_written_is_an_error_in_one_line() -> None:
    command = [sys.executable, "-m", "kubemerge"]
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert "No space left on device" in run.stderr


def test_the_help_shows_every_command_once_below_a_title(capsys: pytest.CaptureFixture[str]) -> None:
    kubemerge("--help")
    shown = capsys.readouterr().out.splitlines()
    assert [line[:-1] for line in shown if line[:-1] in SECTIONS] == list(SECTIONS)
    assert sorted(
        line.split()[0] for line in shown if line[2:3].islower() and line[:2] == "  " and "  " in line[2:]
    ) == sorted(COMMANDS.keys() - RUN_BY_GIT)
