"""`kubemerge explain` and `kinds`: arguments, output, and failures."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kubemerge.kinds.explain import below, eras, field_at
from kubemerge.kinds.find import find, find_field

from ....codegen.sample_specs import kubemerge
from ....conftest import NEWEST, ROOT

if TYPE_CHECKING:
    from pathlib import Path

CRD = ROOT / "tests" / "data" / "specs" / "crd-v1.yaml"


def run(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> tuple[str, str]:
    """The output and the messages of a command."""
    assert kubemerge(*words) == code
    said = capsys.readouterr()
    return said.out, said.err


TARGETS: dict[str, tuple[str, str, str]] = {
    "deployments.apps": ("apps/v1", "Deployment", ""),
    "deploy.apps.spec.replicas": ("apps/v1", "Deployment", "spec.replicas"),
    "deployments.v1.apps.spec": ("apps/v1", "Deployment", "spec"),
    "apps/v1/Deployment": ("apps/v1", "Deployment", ""),
    "apps/v1/deploy.spec.replicas": ("apps/v1", "Deployment", "spec.replicas"),
    "v1/Pod.spec": ("v1", "Pod", "spec"),
    "networking.k8s.io/v1/Ingress.spec": ("networking.k8s.io/v1", "Ingress", "spec"),
    "ingress.networking.k8s.io.spec": ("networking.k8s.io/v1", "Ingress", "spec"),
    "events.events.k8s.io": ("events.k8s.io/v1", "Event", ""),
    "events": ("v1", "Event", ""),
    "hpa.v1.autoscaling": ("autoscaling/v1", "HorizontalPodAutoscaler", ""),
    "hpa.autoscaling.spec": ("autoscaling/v2", "HorizontalPodAutoscaler", "spec"),
    'pod.metadata.labels["a/v1/b"]': ("v1", "Pod", 'metadata.labels["a/v1/b"]'),
}


@pytest.mark.parametrize("text", TARGETS)
def test_a_kind_and_a_field_as_people_type_them(text: str) -> None:
    schema, path = find_field(engine.load("1.37"), text)
    assert (schema.api_version, schema.kind, path) == TARGETS[text]


def test_a_group_and_an_api_version_go_together() -> None:
    assert find_field(engine.load("1.37"), "hpa.autoscaling.spec", "autoscaling/v1")[0].api_version == "autoscaling/v1"


def test_a_path_is_not_part_of_a_kind() -> None:
    with pytest.raises(engine.UnknownKind):
        find(engine.load("1.37"), "pod.spec")


@pytest.mark.parametrize(
    "path",
    [
        "spec.template.spec.containers.ports",
        "spec.template.spec.containers[0].ports",
        "spec.template.spec.containers[name=web].ports",
        "spec.template.spec.containers[].ports",
        "spec.template.spec.containers.*.ports",
    ],
)
def test_elements_are_named_in_any_way_or_not_at_all(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed, _ = run(capsys, "explain", f"deploy.{path}", "--history")
    assert "elements merge by containerPort" in printed
    assert (
        f"1.13 to {NEWEST}       elements merge by containerPort / elements are identified by containerPort" in printed
    )
    assert "  hostPort " in printed


def test_values_of_maps_have_fields_too(capsys: pytest.CaptureFixture[str]) -> None:
    printed, _ = run(capsys, "explain", "crd.spec.versions.schema.openAPIV3Schema.properties")
    assert "  additionalProperties " in printed
    assert "string" in run(capsys, "explain", "pod.metadata.labels.*")[0]


WIDGET = ("--schema", ROOT / "tests" / "data" / "specs" / "crd-v1.yaml")
ANYTHING = "  kubectl apply      maps merge key by key, everything else is replaced\n"


@pytest.mark.parametrize("path", ["spec.half.any", "spec.half.any.of.them", "spec.free.any.of.them"])
def test_where_unknown_fields_are_kept_one_of_any_name_may_be(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("explain", f"widget.{path}", *WIDGET) == 0
    assert f"\n{path}: value of any kind\n{ANYTHING}" in capsys.readouterr().out


def test_a_map_that_has_fields_and_keeps_others_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert kubemerge("explain", "widget.spec.half", *WIDGET) == 0
    assert capsys.readouterr().out.endswith(
        "\nother fields of any name: maps merge key by key, everything else is replaced\n"
    )
    assert kubemerge("explain", "widget.spec.selector", *WIDGET) == 0
    assert "any name" not in capsys.readouterr().out
    assert kubemerge("explain", "widget.spec.half.known.more", *WIDGET) == 2
    assert "has no field spec.half.known.more" in capsys.readouterr().err


def test_all_fields_below_stand_indented_and_none_inside_of_itself(capsys: pytest.CaptureFixture[str]) -> None:
    printed, _ = run(capsys, "explain", "deploy.spec.strategy", "-R")
    lines = printed.partition("fields\n")[2].splitlines()
    assert [(len(line) - len(line.lstrip()), line.split()[0]) for line in lines] == [
        *((2, "rollingUpdate"), (4, "maxSurge"), (4, "maxUnavailable"), (2, "type")),
    ]
    crd = engine.load().schema("apiextensions.k8s.io/v1", "CustomResourceDefinition")
    names = [field.path for field in below(crd, field_at(crd, ""), recursive=True)]
    assert len(names) == len(set(names))
    assert "spec.versions.schema.openAPIV3Schema.not" in names
    assert not [name for name in names if name.startswith("spec.versions.schema.openAPIV3Schema.not.")]


def test_every_field_that_is_listed_can_be_asked_for() -> None:
    pod = engine.load().schema("v1", "Pod")
    fields = list(below(pod, field_at(pod, ""), recursive=True))
    assert len(fields) > 500
    assert all(field_at(pod, field.path) == field.rule for field in fields)


def test_the_report_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    printed, said = run(capsys, "explain", "deploy.spec.strategy", "--history", "-o", "json", "-v")
    facts: dict[str, Any] = json.loads(printed)
    assert list(facts) == ["apiVersion", "kind", "release", "path", "rule", "history", "fields"]
    assert [field["path"] for field in facts["fields"]] == ["rollingUpdate", "type"]
    assert facts["fields"][0]["rule"]["kind"] == "map"
    assert said == "deploy.spec.strategy: kind Deployment of apps/v1, field spec.strategy\n"


def test_history_says_where_there_was_no_such_field() -> None:
    schema = engine.load().schema("v1", "Pod")
    found = [(span, rule is not None) for span, rule in eras(schema, "spec.containers.resizePolicy")]
    assert found[0] == ("1.7 to 1.26", False)
    assert found[-1][1]


def test_history_is_quick(capsys: pytest.CaptureFixture[str]) -> None:
    started = time.process_time()
    run(capsys, "explain", "deploy.spec.template.spec.containers.ports", "--history")
    run(capsys, "kinds", "--history")
    assert time.process_time() - started < 2


# kinds


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("deploy",), ["Deployment", "DeploymentList"]),
        (("Netpol",), ["NetworkPolicy"]),
        (("networkpolicies",), ["NetworkPolicy"]),
        (("policy/v1", "widget"), ["Eviction", "PodDisruptionBudget", "PodDisruptionBudgetList", "Widget", "Widget"]),
        (("nothing",), []),
    ],
)
def test_kinds_are_filtered_by_words(
    words: tuple[str, ...], expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    printed, said = run(capsys, "kinds", *words, "-o", "json", "--schema", CRD)
    assert [
        one["kind"] for one in json.loads(printed) if one["kind"] not in ("DeleteOptions", "WatchEvent")
    ] == expected
    assert said.endswith(" kinds\n")


def test_kinds_tell_in_which_releases_they_are_served(capsys: pytest.CaptureFixture[str]) -> None:
    printed, said = run(capsys, "kinds", "podsecuritypolicy", "--release", "1.24", "--history", "-q")
    assert printed.splitlines()[0].split(None, 3) == ["policy/v1beta1", "PodSecurityPolicy", "cluster", "1.10 to 1.24"]
    assert said == ""
    (widget,) = json.loads(run(capsys, "kinds", "widget", "--schema", CRD, "--history", "-o", "json")[0])[:1]
    assert "releases" not in widget
    (pod,) = json.loads(run(capsys, "kinds", "v1", "--history", "-o", "json", "--release", "1.7")[0])[:1]
    assert pod["releases"].startswith("1.7 to ")


# Failures

FAILURES: dict[str, tuple[tuple[object, ...], str]] = {
    "no kind": (("explain",), "Missing argument"),
    "a kind that is misspelled": (("explain", "deplyment"), "Did you mean Deployment of apps/v1?"),
    "a plural that is misspelled": (("explain", "netwrkpolicies.spec"), "NetworkPolicy of networking.k8s.io/v1"),
    "the beginning of a kind": (("explain", "persistentvolumec"), "PersistentVolumeClaim of v1"),
    "a kind that is no more": (("explain", "podsecuritypolicies"), "It is served in 1.10 to 1.24"),
    "a kind that is not yet": (("explain", "leases", "--release", "1.7"), f"It is served in 1.14 to {NEWEST}"),
    "an empty kind": (("explain", ""), "a command line argument is empty"),
    "a kind that is gone": (
        ("explain", "psp", "--history"),
        "no kind 'PodSecurityPolicy' of apiVersion 'policy/v1beta1'",
    ),
    "the plural of one, and a field": (("explain", "podsecuritypolicies.spec"), "It is served in 1.10 to 1.24"),
    "a group that had the kind": (
        ("explain", "deployments.extensions"),
        f"no kind 'Deployment' of apiVersion 'extensions/v1beta1' in Kubernetes {NEWEST}. "
        "It is served in 1.7 to 1.17. Did you mean Deployment of apps/v1?",
    ),
    "a version and a group that had it, and a field": (
        ("explain", "deploy.v1beta1.extensions.spec"),
        "no kind 'Deployment' of apiVersion 'extensions/v1beta1'",
    ),
    "an apiVersion that never was": (
        ("explain", "ev", "--api-version", "v2"),
        f"no kind 'Event' of apiVersion 'v2' in Kubernetes {NEWEST}. "
        "Did you mean Event of v1 or Event of events.k8s.io/v1?",
    ),
    "an apiVersion that is gone": (
        ("explain", "ing", "--api-version", "extensions/v1beta1"),
        "It is served in 1.7 to 1.21. Did you mean Ingress of networking.k8s.io/v1?",
    ),
    "a kind of another group": (("explain", "deploy.batch.spec"), "has no field batch"),
    "a kind of no such version": (("explain", "apps/v9/Deployment"), "Deployment of apps/v1"),
    "a field that is misspelled": (("explain", "deploy.spec.replica"), "Did you mean spec.replicas?"),
    "a field in other capitals": (("explain", "deploy.spec.minreadyseconds"), "Did you mean spec.minReadySeconds?"),
    "a field without its beginning": (("explain", "svc.ports.nodePort"), "Did you mean spec.ports.nodePort?"),
    "a field of its pods": (("explain", "deploy.containers[0].image"), "spec.template.spec.containers[0].image?"),
    "a field of its pods, from its spec on": (("explain", "cj.spec.containers"), "jobTemplate.spec.template.spec.con"),
    "a field in between": (
        ("explain", "deploy.spec.template.specs.containers"),
        "has no field spec.template.specs. Did you mean spec.template.spec?",
    ),
    "a field that is not yet": (
        ("explain", "pod.spec.containers[0].resizePolicy", "--release", "1.20"),
        f"Pod of v1 in Kubernetes 1.20 has no field spec.containers[].resizePolicy. it exists in 1.27 to {NEWEST}",
    ),
    "a field like no other": (("explain", "deploy.spec.xyz"), "`kubemerge explain deployment.spec` lists the fields"),
    "a field of a value": (("explain", "deploy.spec.replicas.x"), "has no field spec.replicas.x"),
    "an element of a value": (("explain", "deploy.spec.replicas[0]"), "has no field spec.replicas[]"),
    "a bracket that is not closed": (("explain", "deploy.spec["), "not closed"),
    "an unknown apiVersion": (("explain", "deploy", "--api-version", "apps/v9"), "Deployment of apps/v1"),
    "an unknown form": (("explain", "deploy", "-o", "xml"), "'xml' is not one of"),
    "a missing schema": (("explain", "deploy", "--schema", "missing.yaml"), "missing.yaml"),
    "a release of kinds": (("kinds", "--release", "x"), f"supported releases are 1.7 to {NEWEST}"),
    "an unknown form of kinds": (("kinds", "-o", "xml"), "'xml' is not one of"),
    "an unknown form of releases": (("releases", "-o", "xml"), "'xml' is not one of"),
    "no command of spec": (("spec",), "Missing command"),
    "no source of spec": (("spec", "add", "1.38"), "pass one of --from, --server"),
    "a key alone": (
        ("spec", "add", "1.38", "--server", "x", "--client-key", "k"),
        "--client-key requires --client-cert",
    ),
    "no snapshots": (("spec", "list", "--openapi", "missing"), "missing"),
    "no snapshot of a release": (("spec", "check", "1.1", "--openapi", ROOT / "openapi"), "a snapshot of 1.1"),
    "nowhere to generate": (("generate", "--spec", CRD), "--spec, --server and --context require --out"),
    "nothing to generate from": (("generate", "--openapi", "missing"), "missing"),
    "a missing specification": (("generate", "--spec", "missing.yaml", "--out", "tables"), "missing.yaml"),
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


def test_messages_besides_the_data_can_be_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("generate", "--spec", CRD, "--out", tmp_path / "tables")
    assert run(capsys, *words)[1].endswith(" changed\n")
    assert run(capsys, *words, "--check", "-q") == ("", "")
    (tmp_path / "tables" / "index.py").unlink()
    printed, said = run(capsys, *words, "--check", "-q", code=1)
    assert "is missing" in printed
    assert said == ""
    assert run(capsys, "spec", "check", "1.37", "--openapi", ROOT / "openapi") == ("", "3 of 3 match\n")


@pytest.mark.parametrize(
    ("target", "said", "map_type"),
    [
        ("deployment.spec.selector", "owned as a whole", "atomic"),
        ("pod.spec.imagePullSecrets", "elements are identified by name, each owned as a whole", "atomic"),
        ("pod.spec.containers", "elements are identified by name, each with its own owners", None),
        ("deployment.spec.template", "each field has its own owner", None),
    ],
)
def test_a_field_is_owned_as_its_type_says(
    target: str, said: str, map_type: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = run(capsys, "explain", target, "--release", "1.37")
    assert f"server-side apply  {said}\n" in out
    out, _ = run(capsys, "explain", target, "--release", "1.37", "-o", "json")
    assert json.loads(out)["rule"]["mapType"] == map_type
