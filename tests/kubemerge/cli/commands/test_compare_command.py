"""`kubemerge compare`: its sides, options, reports, errors and exit codes."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import engine

from ....codegen.sample_specs import bundle, crd, kubemerge
from ....conftest import NEWEST, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

CONFIG = ROOT / "examples" / "strategy" / "config.yaml"
LIVE = ROOT / "docs" / "live" / "strategy.yaml"
EXAMPLE = ("-f", CONFIG, "--live", LIVE)
CRD = ROOT / "tests" / "data" / "specs" / "crd-v1.yaml"


class Run:
    """The output and the exit code of the command."""

    def __init__(self, capsys: pytest.CaptureFixture[str], words: tuple[object, ...]) -> None:
        capsys.readouterr()
        self.code = kubemerge("compare", *words)
        self.out, self.err = capsys.readouterr()

    @property
    def facts(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)

    @property
    def found(self) -> set[tuple[str, str, str]]:
        """The kind, path and aspects of every change, of JSON output."""
        return {
            (f"{change['apiVersion']}/{change['kind']}", change["path"], "+".join(change["aspects"]))
            for step in self.facts["steps"]
            for change in step["changes"]
        }


@pytest.fixture
def compare(capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    return lambda *words: Run(capsys, words)


STRATEGY = ("apps/v1/Deployment", "spec.strategy", "strategy")


def test_two_releases(compare: Callable[..., Run]) -> None:
    run = compare("1.12", "1.13", "--kind", "apps/v1/Deployment", "-o", "json")
    assert STRATEGY in run.found
    assert list(run.facts) == ["sides", "counts", "steps"]
    (step,) = run.facts["steps"]
    assert list(step) == ["left", "right", "counts", "changes"]
    assert step["counts"] == run.facts["counts"] == {"breaking": 1, "notable": 2, "info": 1}
    change = next(one for one in step["changes"] if one["path"] == "spec.strategy")
    assert change["before"]["strategies"] == []
    assert change["after"]["strategies"] == ["retainKeys"]
    assert change["effect"] == "fields missing in the config are now dropped by retainKeys (before: they were kept)"
    assert list(change) == ["apiVersion", "kind", "path", "aspects", "severity", "before", "after", "effect"]


def test_all_kinds_take_no_time_to_speak_of(compare: Callable[..., Run]) -> None:
    start = time.process_time()
    facts = compare("1.8", "1.37", "-o", "json").facts
    assert time.process_time() - start < 5
    assert sum(facts["counts"].values()) > 2000


@pytest.mark.slow
def test_the_page_of_the_whole_chain_counts_less_than_the_facts(compare: Callable[..., Run]) -> None:
    """Lists are left out, and a change that many kinds share is counted once."""
    counts = compare("1.8..1.37", "-o", "json").facts["counts"]
    page = compare("1.8..1.37", "-o", "html").out
    for severity, number in counts.items():
        (shown,) = re.findall(rf'<dl class="tiles"[^>]* data-{severity}="(\d+)"', page)
        assert 0 < int(shown) < number


RANGES = {
    "1.35..1.37": ["1.35", "1.36", "1.37"],
    "v1.35..v1.36": ["1.35", "1.36"],
    "..1.8": ["1.7", "1.8"],
    f"{engine.releases()[-2]}..": [*engine.releases()[-2:]],
    "1.36..1.36": ["1.36"],
}


@pytest.mark.parametrize("text", RANGES)
def test_ranges(text: str, compare: Callable[..., Run]) -> None:
    facts = compare(text, "--kind", "pod", "-o", "json").facts
    assert facts["sides"] == RANGES[text]
    assert [(step["left"], step["right"]) for step in facts["steps"]] == list(zip(RANGES[text], RANGES[text][1:]))  # noqa: B905


def test_two_api_versions(compare: Callable[..., Run]) -> None:
    run = compare("apps/v1beta1/Deployment@1.12", "deploy@v1.37", "-o", "json")
    assert {STRATEGY, ("apps/v1/Deployment", "spec.rollbackTo", "field removed")} <= run.found
    assert run.facts["sides"] == ["apps/v1beta1/Deployment@1.12", "apps/v1/Deployment@1.37"]


def test_a_core_kind_of_two_releases(compare: Callable[..., Run]) -> None:
    assert ("v1/Service", "spec.ports", "map keys") in compare("v1/Service@1.13", "v1/Service@1.14", "-o", "json").found


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster's document, two versions of a CRD in separate files, and files without a specification."""
    monkeypatch.chdir(tmp_path)
    Path("cluster.json").write_text(json.dumps(bundle(size={"type": "integer"})), encoding="utf-8")
    for name, field in (("old", "size"), ("new", "width")):
        schema = {
            "type": "object",
            "properties": {"spec": {"type": "object", "properties": {field: {"type": "integer"}}}},
        }
        Path(f"{name}.yaml").write_text(yaml.safe_dump(crd(schema)), encoding="utf-8")
    Path("empty.yaml").write_text("# nothing\n", encoding="utf-8")
    Path("notes.txt").write_text("just words", encoding="utf-8")
    Path("other.yaml").write_text(
        yaml.safe_dump({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {}}), encoding="utf-8"
    )


@pytest.mark.usefixtures("documents")
@pytest.mark.parametrize(
    "words",
    [
        ("--left", "old.yaml", "--right", "new.yaml"),
        ("old.yaml", "new.yaml"),
        ("old.yaml", "--right", "new.yaml"),
        ("new.yaml", "--left", "old.yaml"),
    ],
    ids=str,
)
def test_two_versions_of_a_crd(words: tuple[str, ...], compare: Callable[..., Run]) -> None:
    assert compare(*words, "-o", "json").found == {
        ("test.example/v1/Thing", "spec.size", "field removed"),
        ("test.example/v1/Thing", "spec.width", "field added"),
    }


def test_two_versions_in_one_crd(compare: Callable[..., Run]) -> None:
    run = compare(f"test.example/v1alpha1/Widget@{CRD}", f"widgets@{CRD}", "-o", "json")
    assert run.facts["sides"] == [f"test.example/v1alpha1/Widget@{CRD}", f"test.example/v1/Widget@{CRD}"]
    assert run.found
    assert {kind for kind, _, _ in run.found} == {"test.example/v1/Widget"}


@pytest.mark.usefixtures("documents")
def test_a_cluster_against_a_release(compare: Callable[..., Run]) -> None:
    found = compare("cluster.json", "1.37", "-o", "json").found
    assert ("test/v1/Thing", "", "kind removed") in found
    assert ("v1/Pod", "", "kind added") in found


def test_a_cluster_that_is_as_a_release_says(compare: Callable[..., Run]) -> None:
    snapshot = ROOT / "openapi" / "1.13.json"
    run = compare("--left", snapshot, "--right", "1.13")
    assert run.out == f"{snapshot} to 1.13: nothing merges differently\n"


@pytest.mark.usefixtures("documents")
def test_a_schema_lies_over_both_sides(compare: Callable[..., Run]) -> None:
    run = compare("1.36", "1.37", "--schema", "old.yaml", "--kind", "things", "-o", "json")
    assert run.found == set()
    assert compare("1.36", "old.yaml", "--schema", "new.yaml", "--kind", "thing", "-o", "json").found == set()
    assert compare("things@1.36", "things@1.37", "--schema", "old.yaml", "-o", "json").found == set()


KINDS = {
    "deploy": {"Deployment"},
    "Deployments,svc": {"Deployment", "Service"},
    "apps/v1/deployment": {"Deployment"},
    "v1/pods": {"Pod"},
    "deployments.apps": {"Deployment"},
    "deployments.v1.apps": {"Deployment"},
}


@pytest.mark.parametrize("text", KINDS)
def test_kinds_as_people_type_them(text: str, compare: Callable[..., Run]) -> None:
    found = compare("1.12", "1.14", "--kind", text, "-o", "json").found
    assert {kind.rpartition("/")[2] for kind, _, _ in found} == KINDS[text]
    if "/" in text:
        assert {kind.lower().rstrip("s") for kind, _, _ in found} == {text.rstrip("s")}


def test_kinds_may_be_repeated(compare: Callable[..., Run]) -> None:
    found = compare("1.12", "1.14", "--kind", "deploy", "--kind", "svc", "-o", "json").found
    assert {kind.rpartition("/")[2] for kind, _, _ in found} == {"Deployment", "Service"}


def test_severity_leaves_out_what_is_less_bad(compare: Callable[..., Run]) -> None:
    counts = [
        compare("1.12", "1.13", "--severity", one, "-o", "json").facts["counts"] for one in ("breaking", "notable")
    ]
    assert [[bool(number) for number in one.values()] for one in counts] == [[True, False, False], [True, True, False]]


def test_the_text_folds_what_many_kinds_share(compare: Callable[..., Run]) -> None:
    text = compare("1.12..1.14").out
    assert text.startswith("1.12 to 1.14: 6 breaking, 96 notable, 561 info\n")
    assert "  1.12 to 1.13         3        38       103\n" in text
    assert text.count("Container.ports") == 1
    assert "9 kinds: CronJob, DaemonSet, Deployment, Job, Pod, PodTemplate, ReplicaSet" in text
    assert (
        "Deployment of apps/v1, apps/v1beta1, apps/v1beta2\n  breaking  spec.strategy  fields missing in the config"
        in text
    )
    gone = "admissionregistration.k8s.io/v1alpha1"
    assert f"kinds removed (breaking)\n  {gone}: InitializerConfiguration\n" in text
    assert (
        f"kinds removed that users do not apply (info)\n  {gone}: DeleteOptions, InitializerConfigurationList," in text
    )
    assert "DeploymentList" not in text
    assert len(text.splitlines()) < 100


def test_a_list_that_is_asked_for_is_shown(compare: Callable[..., Run]) -> None:
    assert "  info      items.spec.strategy" in compare("1.12", "1.13", "--kind", "apps/v1/DeploymentList").out


def test_all_paths_of_one_kind_are_shown(compare: Callable[..., Run]) -> None:
    text = compare("1.12", "1.13", "--kind", "pod").out
    assert re.search(r"^  notable   spec.containers.ports      server-side", text, re.MULTILINE)
    assert re.search(r"^  notable   spec.initContainers.ports  server-side", text, re.MULTILINE)


def test_nothing_to_find(compare: Callable[..., Run]) -> None:
    assert compare("1.37", "1.37").out == "1.37 to 1.37: nothing merges differently\n"
    assert compare("1.37", "1.37", "-o", "markdown").out == "# 1.37 to 1.37\n\nNothing merges differently.\n"


def test_markdown(compare: Callable[..., Run]) -> None:
    text = compare("1.12..1.14", "-o", "markdown").out
    assert "| step | breaking | notable | info |\n| --- | --- | --- | --- |\n| 1.12 to 1.13 | 3 | 38 | 103 |\n" in text
    assert "## 1.13 to 1.14\n" in text
    assert "### Kinds removed (breaking)\n\n- admissionregistration.k8s.io/v1alpha1: Init" in text
    said = "fields missing in the config are now dropped by retainKeys (before: they were kept)"
    assert f"| breaking | `spec.strategy` | strategy | {said} |" in text.splitlines()
    assert all(line.count("|") == 5 for line in text.splitlines() if line.startswith("| notable"))


def test_html(compare: Callable[..., Run], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run = compare("1.12", "1.13", "--html", page, "-o", "html")
    assert run.code == 0, run.err
    assert run.out.rstrip() == page.read_text(encoding="utf-8").rstrip()
    assert "page.html" in run.err
    shown = page.read_text(encoding="utf-8")
    assert 'data-breaking="3" data-notable="1" data-info="16"' in shown


def test_the_page_on_standard_output(compare: Callable[..., Run], tmp_path: Path) -> None:
    run = compare("1.12", "1.13", "--html", "-")
    assert run.out == compare("1.12", "1.13", "-o", "html").out
    assert (run.err, [*tmp_path.iterdir()]) == ("", [])


def test_the_example_of_the_documentation(compare: Callable[..., Run]) -> None:
    run = compare("1.8..1.37", *EXAMPLE)
    assert run.code == 0
    assert (
        run.out
        == f"""\
1.8 to 1.37: 1 of 1 object changes (1 breaking)

1 info change hidden (use --severity info to show it)

1.13 breaking: spec.strategy.rollingUpdate: the result of kubectl apply changes, \
{{"maxSurge":"25%","maxUnavailable":"25%"}} -> nothing
  deployment.apps/ledger in default  {CONFIG}:1

deployment.apps/ledger in default
  1.8           no result: apps/v1 Deployment is not served
  1.9 to 1.12   configured by {{"spec":{{"strategy":{{"type":"Recreate"}}}}}}
  1.13 to 1.37  configured by {{"spec":{{"strategy":{{"$retainKeys":["type"],"type":"Recreate"}}}}}}

1.13 gives a different result than 1.12:
  spec.strategy.rollingUpdate  {{"maxSurge":"25%","maxUnavailable":"25%"}} -> nothing
because these rules differ:
  spec.strategy  fields missing in the config are now dropped by retainKeys (before: they were kept)
"""
    )


def test_the_example_for_programs(compare: Callable[..., Run]) -> None:
    (facts,) = compare("1.8..1.37", *EXAMPLE, "-o", "json").facts
    assert list(facts) == ["object", "source", "groups", "splits", "namespace", "line", "severity", "findings"]
    assert [group["releases"][0] for group in facts["groups"]] == ["1.8", "1.9", "1.13"]
    assert list(facts["groups"][0]) == ["releases", "result", "patchType", "patch", "merged", "problem"]
    (split,) = facts["splits"]
    assert list(split) == ["at", "previous", "differences", "rules"]
    assert (split["at"], split["differences"][0]["path"]) == ("1.13", "spec.strategy.rollingUpdate")
    assert split["rules"][0]["after"]["strategies"] == ["retainKeys"]


def test_the_example_in_markdown_and_html(compare: Callable[..., Run], tmp_path: Path) -> None:
    text = compare("1.8..1.37", *EXAMPLE, "-o", "markdown").out
    assert "## 1.13 gives a different result than 1.12" in text
    assert "| 1.13 to 1.37 | configured |" in text
    page = tmp_path / "page.html"
    run = compare("1.8..1.37", *EXAMPLE, "--html", page, "-q")
    assert (run.code, run.out, run.err) == (0, "", "")
    assert "rollingUpdate" in page.read_text(encoding="utf-8")


def test_a_replay_without_sides_is_one_under_all_releases(compare: Callable[..., Run]) -> None:
    (facts,) = compare(*EXAMPLE, "-o", "json").facts
    assert facts["groups"][0]["releases"] == ["1.7", "1.8"]
    assert facts["groups"][-1]["releases"][-1] == NEWEST


def test_a_replay_under_two_sides(compare: Callable[..., Run]) -> None:
    (facts,) = compare(ROOT / "openapi" / "1.12.json", "1.13", *EXAMPLE, "-o", "json").facts
    assert [split["at"] for split in facts["splits"]] == ["1.13"]
    assert compare(ROOT / "openapi" / "1.13.json", "1.14", *EXAMPLE, "--exit-code").code == 0


def test_an_object_without_any_result_is_an_error(compare: Callable[..., Run], tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("{apiVersion: extensions/v1beta1, kind: Deployment, metadata: {name: a}}", encoding="utf-8")
    assert compare("1.8..1.20", "-f", file).code == 0
    run = compare("apps.json", "1.37", "-f", file)
    assert run.code == 2
    assert run.err.startswith("kubemerge: ")
    assert len(run.err.splitlines()) == 1


@pytest.mark.parametrize("sides", [("1.24", "1.25"), ("1.20", "1.21"), ("1.8..1.37",)])
def test_a_result_on_one_side_only_is_a_difference(
    sides: tuple[str, ...], compare: Callable[..., Run], tmp_path: Path
) -> None:
    file = tmp_path / "config.yaml"
    api_version = "batch/v1" if sides == ("1.20", "1.21") else "batch/v1beta1"
    file.write_text(f"{{apiVersion: {api_version}, kind: CronJob, metadata: {{name: a}}}}", encoding="utf-8")
    assert compare(*sides, "-f", file).code == 0
    assert compare(*sides, "-f", file, "--exit-code", "-q", "--severity", "info").code == 1
    assert compare(*sides, "-f", file, "--exit-code", "-q").code == int(sides != ("1.20", "1.21"))


def test_a_kind_that_is_gone_is_reported_where_it_is_now(compare: Callable[..., Run], tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("{apiVersion: batch/v1beta1, kind: CronJob, metadata: {name: a}}", encoding="utf-8")
    said = "batch/v1beta1 CronJob was removed in 1.25"
    printed = compare("1.24", "1.25", "-f", file).out
    assert f"1.25 breaking: {said}" in printed.splitlines()
    assert "  -> migrate to batch/v1 CronJob manually, because batch/v1 rejects it: " in printed
    assert (
        f"| 1.25 | breaking | {said} | migrate to batch/v1 CronJob"
        in compare("1.24", "1.25", "-f", file, "-o", "markdown").out
    )


EXIT_CODES: dict[str, tuple[tuple[object, ...], int]] = {
    "changes": (("1.12", "1.13", "--exit-code"), 1),
    "changes, and nobody asks": (("1.12", "1.13"), 0),
    "no changes": (("1.37", "1.37", "--exit-code"), 0),
    "no changes of this kind": (("1.12", "1.13", "--exit-code", "--kind", "configmap"), 0),
    "none so bad": (("1.8", "1.9", "--exit-code", "--kind", "pod", "--severity", "breaking"), 0),
    "a split": (("1.12", "1.13", *EXAMPLE, "--exit-code"), 1),
    "no split": (("1.13..1.37", *EXAMPLE, "--exit-code"), 0),
}


@pytest.mark.parametrize("case", EXIT_CODES.values(), ids=EXIT_CODES)
def test_exit_codes(case: tuple[tuple[object, ...], int], compare: Callable[..., Run]) -> None:
    words, expected = case
    run = compare(*words, "-q")
    assert (run.code, run.out, run.err) == (expected, "", "")
    assert compare(*words).code == expected


FAILURES: dict[str, tuple[tuple[object, ...], str]] = {
    "no side": ((), "pass two sides"),
    "one side": (("1.12",), "pass two sides"),
    "one side by its option": (("--left", "1.12"), "pass two sides"),
    "three sides": (("1.12", "1.13", "1.14"), "pass two sides"),
    "a range and a side": (("1.8..1.12", "1.13"), "is a range, so no other release may be passed"),
    "two ranges": (("1.8..1.9", "1.9..1.10"), "is a range, so no other release may be passed"),
    "a range by an option": (("--left", "1.8..1.9", "--right", "1.9"), "is a range, so no other release may be passed"),
    "a range backwards": (("1.13..1.12",), "is reversed. Write 1.12..1.13"),
    "a range with an unknown end": (("1.13..1.99",), f"are 1.7 to {NEWEST}"),
    "an unknown release": (("1.12", "1.99"), f"are 1.7 to {NEWEST}"),
    "something else": (("1.x", "1.37"), f"'1.x' is neither a release (1.7 to {NEWEST}) nor a file or address"),
    "a kind of something else": (("Pod@1.x", "1.37"), "'1.x' in 'Pod@1.x' is neither a release"),
    "an empty side": (("", "1.37"), "a command line argument is empty"),
    "an empty kind": (("1.12", "1.13", "--kind", ""), "the name after --kind is empty. Pass a value, or omit --kind"),
    "a kind that both have no more": (
        ("1.25", "1.26", "--kind", "psp"),
        "no kind 'PodSecurityPolicy' of apiVersion 'policy/v1beta1'. It is served in 1.10 to 1.24",
    ),
    "a group that had it": (("1.25", "1.26", "--kind", "deployments.extensions"), "It is served in 1.7 to 1.17"),
    "commas alone": (("1.12", "1.13", "--kind", " ,"), "--kind is empty"),
    "a kind without a release": (("Pod@", "1.37"), "'' in 'Pod@' is neither a release"),
    "an unknown kind on a side": (("apps/v1/Deploymnt@1.12", "1.37"), "Did you mean Deployment of apps/v1"),
    "a word that is no kind": (("@1.12", "1.37"), "no kind ''"),
    "an unknown kind": (
        ("1.12", "1.13", "--kind", "pod,deplyment"),
        "Did you mean Deployment of apps/v1 or DeploymentRollback",
    ),
    "a kind of another version": (
        ("1.12", "1.13", "--kind", "apps/v7/Deployment"),
        "Did you mean Deployment of apps/v1 or",
    ),
    "a kind of another group": (("1.12", "1.13", "--kind", "pods.apps"), "Did you mean Pod of v1?"),
    "no kind like it": (("1.12", "1.13", "--kind", "zzz"), "no kind 'zzz'"),
    "an unknown severity": (("1.12", "1.13", "--severity", "bad"), "bad"),
    "no specification": (("notes.txt", "1.37"), "notes.txt: expected"),
    "a manifest": (("other.yaml", "1.37"), "found a 'ConfigMap' object"),
    "a missing schema": (("1.12", "1.13", "--schema", "missing.yaml"), "missing.yaml"),
    "a missing config": (("1.12", "1.13", "-f", "missing.yaml"), "missing.yaml"),
    "a config without objects": (("1.12", "1.13", "-f", "empty.yaml"), "empty.yaml: no object"),
    "live without a config": (("1.12", "1.13", "--live", "old.yaml"), "Pass one with -f"),
    "kinds with a config": (("1.12", "1.13", "-f", "other.yaml", "--kind", "pod"), "Omit it with -f"),
    "files to write without a config": (("1.12", "1.13", "--write"), "Pass one with -f"),
    "a single kind with a config": (("pod@1.12", "1.13", "-f", "other.yaml"), "is a single kind"),
    "a page that cannot be written": (("1.12", "1.13", "-q", "--html", "missing/page.html"), "missing/page.html"),
    "an unknown form": (("1.12", "1.13", "-o", "yaml"), "yaml"),
}


@pytest.mark.usefixtures("documents")
@pytest.mark.parametrize("case", FAILURES.values(), ids=FAILURES)
def test_a_failure_is_one_sentence_on_standard_error(
    case: tuple[tuple[object, ...], str], compare: Callable[..., Run]
) -> None:
    words, message = case
    run = compare(*words)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
    assert run.err.startswith("kubemerge: ")
    assert len(run.err.splitlines()) == 1
    assert "bug" not in run.err


def test_only_what_is_owned_in_another_way(compare: Callable[..., Run]) -> None:
    whole = compare("1.21", "1.37", "-o", "json").found
    owned = compare("1.21", "1.37", "--server-side", "-o", "json").found
    about = {"list type", "map keys", "map type"}
    assert owned == {change for change in whole if about & {*change[2].split("+")}}
    assert 0 < len(owned) < len(whole)
    assert "Omit it with -f" in compare("--server-side", "-f", "x.yaml").err
