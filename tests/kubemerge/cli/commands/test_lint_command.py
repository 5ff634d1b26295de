"""`kubemerge lint`: its findings and their places, the six reports, and failures."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from engine import Finding
from kubemerge.apiserver.identity import ObjectId
from kubemerge.linting.gate.rules import ALL as RULES
from kubemerge.linting.reports.codes import UnknownCode, selected
from kubemerge.linting.reports.facts import facts
from kubemerge.linting.reports.github import github
from kubemerge.linting.reports.gitlab import gitlab
from kubemerge.linting.reports.junit import junit
from kubemerge.linting.reports.model import Linted, LintResult, Report, Unread
from kubemerge.linting.reports.sarif import sarif as sarif_log
from kubemerge.linting.reports.text import text
from kubemerge.output.wrapping import wide

from ....codegen.sample_specs import kubemerge
from ....conftest import NEWEST, ROOT, native, needs_posix
from ...objects import applied, config_map, deployment, write

if TYPE_CHECKING:
    from pathlib import Path

MANIFESTS = """\
apiVersion: v1
kind: Service
metadata:
  name: dns
spec:
  ports:
  - {name: tcp, port: 53, protocol: TCP}
  - {name: udp, port: 53, protocol: UDP}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replica: 3
  template:
    spec:
      containers:
      - name: web
        env:
        - {name: A, value: "1"}
        - {name: A, value: "2"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: fine}
"""
FOUND = [("KM002", 8), ("KM015", 14), ("KM001", 21)]
"""The findings in the manifests, with their lines."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the manifests in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.yaml").write_text(MANIFESTS)
    return tmp_path


def lint(capsys: pytest.CaptureFixture[str], *words: object, code: int = 1) -> tuple[str, str]:
    """The output and messages of `lint` about an apply. tests/kubemerge/linting/gate has the tests about servers."""
    assert kubemerge("lint", *words, "--ignore", "server,versions,inputs") == code
    said = capsys.readouterr()
    return said.out, said.err


def codes(printed: str) -> list[tuple[str, int]]:
    """Code and line of the findings in JSON."""
    return [(one["code"], one["line"]) for one in json.loads(printed)]


def test_a_finding_is_a_line_with_its_place_and_the_way_out_below(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed, said = lint(capsys, "app.yaml")
    lines = printed.splitlines()
    assert lines[2] == (
        "app.yaml:14:3: KM015 error deployment.apps/web spec.replica: Field 'replica' does not exist in DeploymentSpec "
        f"of Kubernetes {NEWEST}, so the API server rejects the object. Did you mean 'replicas'?"
    )
    assert lines[3] == "    Write 'replicas', or remove the field."
    assert [line.partition(" ")[0] for line in lines[::2]] == ["app.yaml:8:5:", "app.yaml:14:3:", "app.yaml:21:11:"]
    assert said == "3 findings in 2 of 3 objects\n"


@pytest.mark.parametrize(
    "words", [("app.yaml",), ("-f", "app.yaml"), (".",), ("*.yaml",), ("-R", ".", "-q"), ("app.yaml", "-v")]
)
def test_files_are_given_in_every_way(words: tuple[str, ...], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert codes(lint(capsys, *words, "-o", "json")[0]) == FOUND


@pytest.mark.parametrize("words", [(), ("-",), ("-f", "-")])
def test_manifests_are_piped_in(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MANIFESTS.encode())))
    printed, _ = lint(capsys, *words, "-o", "json")
    assert codes(printed) == FOUND
    assert {one["file"] for one in json.loads(printed)} == {"standard input"}


def test_nothing_found_is_exit_code_0_and_says_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(here, "fine.yaml", config_map())
    assert lint(capsys, config, code=0) == ("", "no findings in 1 object\n")
    assert lint(capsys, config, "-q", code=0) == ("", "")
    assert lint(capsys, config, "-q", "-o", "json", code=0) == ("[]\n", "")


def test_live_and_last_applied_tell_more(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = deployment("web", replicas=3, paused=True)
    live = applied(before)
    live["spec"] = {**live["spec"], "replicas": 5}
    config = write(here, "config.yaml", deployment("web"))
    assert codes(lint(capsys, config, "-o", "json", code=0)[0]) == []
    of_live = lint(capsys, config, "--live", write(here, "live.yaml", live), "-o", "json")[0]
    assert [code for code, _ in codes(of_live)] == ["KM008", "KM023"]
    other = write(here, "before.yaml", deployment("web"))
    words = ("--live", here / "live.yaml", "--last-applied", other, "-o", "json")
    assert codes(lint(capsys, config, *words, code=0)[0]) == []


def test_the_live_object_is_found_in_the_namespace_that_is_asked_for(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live = write(here, "live.yaml", config_map("settings", namespace="prod"))
    config = write(here, "config.yaml", config_map())
    assert lint(capsys, config, "--live", live, code=0)[0] == ""
    assert "KM007" in lint(capsys, config, "--live", live, "-n", "prod")[0]


def test_the_release_decides_what_is_unknown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(here, "c.yaml", deployment("web", {"name": "web", "resizePolicy": []}))
    assert codes(lint(capsys, config, "--release", "1.26", "-o", "json")[0]) == [("KM015", 1)]
    assert codes(lint(capsys, config, "--release", "1.27", "-o", "json", code=0)[0]) == []


def test_a_kind_without_a_schema_is_reported_as_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = write(here, "c.yaml", {"apiVersion": "a.b/v1", "kind": "Thing", "metadata": {"name": "x"}})
    assert "no schema for 1 object (a.b/v1 Thing)" in lint(capsys, config, code=0)[1]
    crd = ROOT / "tests" / "data" / "specs" / "crd-v1.yaml"
    parts = [{"name": "a"}, {"name": "a"}]
    widget = {"apiVersion": "test.example/v1", "kind": "Widget", "metadata": {"name": "x"}, "spec": {"parts": parts}}
    printed, said = lint(capsys, write(here, "w.yaml", widget), "--schema", crd, "-v")
    assert "KM001" in printed
    assert "no schema" not in said
    assert "widget.test.example/x: config" in said


def test_a_kind_of_kubernetes_that_the_release_lacks_is_a_finding(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(here, "c.yaml", deployment("web"))
    printed, said = lint(capsys, config, "--release", "1.8")
    assert (
        "KM027 error deployment.apps/web apiVersion: The kind apps/v1 Deployment is not served. Served as apps/v1beta2"
        in printed
    )
    assert "no schema" not in said
    lint(capsys, config, code=0)


SELECTIONS: dict[str, tuple[tuple[str, ...], list[str]]] = {
    "a code": (("--select", "KM015"), ["KM015"]),
    "a beginning": (("--select", "KM01"), ["KM015"]),
    "a small one": (("--select", "km001"), ["KM001"]),
    "a name": (("--select", "duplicate-merge-key"), ["KM001"]),
    "several at once": (("--select", "KM001, KM002"), ["KM002", "KM001"]),
    "several in turn": (("--select", "KM001", "--select", "KM015"), ["KM015", "KM001"]),
    "all but one": (("--ignore", "KM015"), ["KM002", "KM001"]),
    "some but one": (("--select", "KM0", "--ignore", "narrow-merge-key"), ["KM015", "KM001"]),
    "the bad ones": (("--severity", "error"), ["KM015", "KM001"]),
    "the worse ones": (("--severity", "warning"), ["KM002", "KM015", "KM001"]),
}


@pytest.mark.parametrize("case", SELECTIONS.values(), ids=SELECTIONS)
def test_what_is_asked_for_is_shown(
    case: tuple[tuple[str, ...], list[str]], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, expected = case
    assert [code for code, _ in codes(lint(capsys, "app.yaml", *words, "-o", "json")[0])] == expected


def test_what_is_not_shown_does_not_count(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint(capsys, "app.yaml", "--select", "KM024", code=0)[0] == ""
    assert "KM001" in lint(capsys, "app.yaml", "--exit-zero", code=0)[0]


def test_statistics(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "more.yaml").write_text(MANIFESTS.replace("protocol: UDP", "protocol: TCP"))
    assert lint(capsys, ".", "--statistics")[0].splitlines() == [
        "    3  KM001  duplicate-merge-key",
        "    2  KM015  unknown-field",
        "    1  KM002  narrow-merge-key",
        "",
        native("    3  ./app.yaml"),
        native("    3  ./more.yaml"),
    ]


def test_colours_are_for_who_asks(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "\x1b[" not in lint(capsys, "app.yaml")[0]
    assert "\x1b[31m\x1b[1mKM001 error\x1b[0m" in lint(capsys, "app.yaml", "--color", "always")[0]


# The codes


def test_the_codes_are_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    listed = lint(capsys, "--list", code=0)[0].splitlines()
    assert [line.split() for line in listed] == [[rule.code, rule.severity, rule.slug] for rule in RULES.values()]
    printed = lint(capsys, "--explain", "narrow-merge-key", code=0)[0]
    assert printed.startswith("KM002 narrow-merge-key (warning)\n")
    assert RULES["KM002"].meaning in printed
    assert RULES["KM002"].advice in printed
    assert printed.endswith("\n  Example: https://kubemerge.github.io/kubemerge/lint/KM002.html\n")


@pytest.mark.parametrize(
    ("word", "near"), [("KM099", "KM0"), ("duplicate-merge-keys", "duplicate-merge-key"), ("x", "--list")]
)
def test_an_unknown_code_names_those_that_are_near(word: str, near: str) -> None:
    with pytest.raises(UnknownCode, match=near):
        selected([word], [])


# The reports


def test_the_report_for_programs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = json.loads(lint(capsys, "app.yaml", "--select", "KM001", "-o", "json")[0])[0]
    assert list(one) == [
        *("code", "name", "severity", "object", "reference", "file", "line", "column", "template", "path"),
        *("message", "advice"),
    ]
    assert one["name"] == "duplicate-merge-key"
    assert one["object"] == "deployment.apps/web"
    assert one["path"] == "spec.template.spec.containers[name=web].env[name=A]"


SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "tool": {"properties": {"driver": {"$ref": "#/$defs/driver"}}, "required": ["driver"]},
                    "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
                    "invocations": {"items": {"required": ["executionSuccessful"]}},
                },
            },
        },
    },
    "$defs": {
        "driver": {
            "required": ["name", "rules"],
            "properties": {"rules": {"type": "array", "uniqueItems": True, "items": {"$ref": "#/$defs/rule"}}},
        },
        "rule": {
            "required": ["id", "shortDescription", "defaultConfiguration"],
            "properties": {
                "id": {"type": "string"},
                "shortDescription": {"$ref": "#/$defs/text"},
                "help": {"$ref": "#/$defs/text"},
                "defaultConfiguration": {"properties": {"level": {"$ref": "#/$defs/level"}}, "required": ["level"]},
            },
        },
        "level": {"enum": ["none", "note", "warning", "error"]},
        "text": {"required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}},
        "result": {
            "required": ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
            "properties": {
                "level": {"$ref": "#/$defs/level"},
                "message": {"$ref": "#/$defs/text"},
                "ruleIndex": {"type": "integer", "minimum": 0},
                "locations": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/location"}},
                "partialFingerprints": {"additionalProperties": {"type": "string"}},
            },
        },
        "location": {
            "required": ["physicalLocation"],
            "properties": {
                "physicalLocation": {
                    "required": ["artifactLocation", "region"],
                    "properties": {
                        "artifactLocation": {"properties": {"uri": {"type": "string", "pattern": "^[!-~]+$"}}},
                        "region": {
                            "required": ["startLine"],
                            "properties": {
                                "startLine": {"type": "integer", "minimum": 1},
                                "startColumn": {"type": "integer", "minimum": 1},
                            },
                        },
                    },
                }
            },
        },
    },
}
"""The requirements of SARIF 2.1.0 for the parts that lint prints."""


def sarif(capsys: pytest.CaptureFixture[str], *words: object, code: int = 1) -> dict[str, Any]:
    """The one run in the SARIF log, which is checked."""
    whole = json.loads(lint(capsys, *words, "-o", "sarif", code=code)[0])
    jsonschema.validate(whole, SARIF)
    run: dict[str, Any] = whole["runs"][0]
    return run


def fingerprints(run: dict[str, Any]) -> list[str]:
    return [text for result in run["results"] for text in result["partialFingerprints"].values()]


def test_sarif_refers_to_its_rules_and_to_the_lines(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = sarif(capsys, here / "app.yaml")
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    assert [rule["helpUri"] for rule in rules] == [
        f"https://kubemerge.github.io/kubemerge/lint/{code}.html" for code in RULES
    ]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert {place["artifactLocation"]["uri"] for place in places} == {"app.yaml"}
    assert [
        (result["ruleId"], place["region"]["startLine"]) for result, place in zip(run["results"], places, strict=True)
    ] == FOUND
    assert [result["level"] for result in run["results"]] == ["warning", "error", "error"]
    assert run["invocations"][0] == {"executionSuccessful": True, "toolExecutionNotifications": []}


def test_fingerprints_differ_and_stay_when_lines_move(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = fingerprints(sarif(capsys, "app.yaml"))
    (here / "app.yaml").write_text("# moved\n\n" + MANIFESTS.replace("image", "# more\n        image"))
    assert fingerprints(sarif(capsys, "app.yaml")) == before
    (here / "app.yaml").write_text(f"{MANIFESTS}---\n{MANIFESTS}")
    assert len(set(fingerprints(sarif(capsys, "app.yaml")))) == 6


@pytest.mark.parametrize(
    ("name", "uri"), [("a b%c.yaml", "a%20b%25c.yaml"), ("ä.yaml", "%C3%A4.yaml"), ("./x/../y.yaml", "y.yaml")]
)
def test_files_are_named_by_uris(name: str, uri: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "x").mkdir()
    (here / name).write_text(MANIFESTS)
    result = sarif(capsys, name)["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_a_file_outside_is_named_in_full(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "inside").mkdir()
    monkeypatch.chdir(here / "inside")
    result = sarif(capsys, here / "app.yaml")["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == (here / "app.yaml").as_uri()


def test_workflow_commands_for_github(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = lint(capsys, "./app.yaml", "-o", "github")[0].splitlines()
    assert lines[2].startswith(
        "::error file=app.yaml,line=21,col=11,title=KM001 duplicate-merge-key::deployment.apps/web "
        "spec.template.spec.containers[name=web].env[name=A]: Elements 0 and 1 have the same key: name=A."
    )
    assert [line.split()[0] for line in lines] == ["::warning", "::error", "::error"]


def test_workflow_commands_escape_what_would_end_them(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a,b:c%d.yaml").write_text('{apiVersion: v1, kind: Pod, metadata: {name: x}, spec: {"a\\n::b%": 1}}')
    (line,) = lint(capsys, "a,b:c%d.yaml", "-o", "github")[0].splitlines()
    assert line.startswith("::error file=a%2Cb%3Ac%25d.yaml,line=1,")
    assert "%250A" not in line.partition("file=")[2].partition(",")[0]
    assert "b%25" in line
    assert line.count("::") >= 2


def quality(capsys: pytest.CaptureFixture[str], *words: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(lint(capsys, *words, "-o", "gitlab")[0])
    assert all({*one} == {"check_name", "description", "fingerprint", "location", "severity"} for one in found)
    return found


def test_code_quality_has_what_gitlab_asks_for(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = quality(capsys, here / "app.yaml")
    assert [(one["check_name"], one["location"]["lines"]["begin"]) for one in found] == FOUND
    assert {one["location"]["path"] for one in found} == {"app.yaml"}
    assert [found[0]["severity"], found[-1]["severity"]] == ["major", "critical"]


def test_its_fingerprints_differ_and_stay_when_lines_and_files_move(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = [one["fingerprint"] for one in quality(capsys, "app.yaml")]
    (here / "moved.yaml").write_text(f"# moved\n\n{MANIFESTS}")
    (here / "app.yaml").unlink()
    assert [one["fingerprint"] for one in quality(capsys, ".")] == before
    (here / "moved.yaml").write_text(f"{MANIFESTS}---\n{MANIFESTS}")
    assert len({one["fingerprint"] for one in quality(capsys, ".")}) == 6


def test_junit_has_a_test_case_for_every_object(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = ET.fromstring(lint(capsys, "app.yaml", "-o", "junit")[0])
    (suite,) = root
    assert suite.attrib == {"name": "kubemerge lint", "tests": "3", "failures": "2", "errors": "0"}
    cases = {case.attrib["name"]: case for case in suite}
    assert list(cases) == ["service/dns", "deployment.apps/web", "configmap/fine"]
    assert len(cases["configmap/fine"]) == 0
    (failure,) = cases["deployment.apps/web"]
    assert failure.attrib["type"] == "KM015"
    assert failure.attrib["message"].endswith("(and 1 more)")
    assert [line.split()[:2] for line in str(failure.text).splitlines()] == [
        ["app.yaml:14:3:", "KM015"],
        ["app.yaml:21:11:", "KM001"],
    ]


@needs_posix
def test_junit_holds_only_what_xml_may(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = {'<&"\x01\x85\ufffe\U0001f600\n\r>': 1}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x\x02\n<"}, "spec": spec}
    printed = lint(capsys, write(here, "<&\x03.json", pod), "-o", "junit")[0]
    case = next(ET.fromstring(printed).iter("testcase"))
    assert case.attrib["name"].startswith("pod/x")
    assert "<&" in case[0].attrib["message"]
    assert "\U0001f600" in str(case[0].text)


REPORT = Report(
    [
        Linted(
            "a\x01",
            "pod/x\x1b[31m",
            ObjectId("", "Pod", "default", "x"),
            1,
            (LintResult(Finding("KM021", "apply-fails", "error", (), "\x08\n", ""), 1, 1),),
        ),
    ],
    [Unread("b\x02", 1, "\ufffe")],
)
"""A report with characters that XML cannot contain, and that a terminal would obey."""


def test_no_report_prints_control_characters() -> None:
    for printed in (text(REPORT), junit(REPORT), facts(REPORT), sarif_log(REPORT), github(REPORT), gitlab(REPORT)):
        assert not {*"\x01\x02\x08\x1b"} & {*printed}
    assert "\ufffe" not in junit(REPORT)
    assert [case.attrib["name"] for case in ET.fromstring(junit(REPORT)).iter("testcase")] == [
        "can be read",
        "pod/x[31m",
    ]


def test_findings_of_an_object_come_in_the_order_of_the_lines(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "app.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n  zzz: 1\n  aaa: 1\n")
    assert codes(lint(capsys, "app.yaml", "-o", "json")[0]) == [("KM015", 5), ("KM015", 6)]


def test_what_others_wrote_does_not_reach_the_terminal(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "app.yaml").write_text('{apiVersion: v1, kind: Pod, metadata: {name: "a\\e[31m\\n::error"}, spec: {x: 1}}')
    printed, _ = lint(capsys, "app.yaml")
    assert "\x1b" not in printed
    assert len(printed.splitlines()) == 2


# Unreadable files


@pytest.fixture
def broken(here: Path) -> Path:
    """A folder in which some files cannot be read."""
    (here / "a.yaml").write_text("a: [\n")
    (here / "b.yaml").symlink_to("nowhere")
    (here / "z.yaml").write_text(f"{MANIFESTS}---\nkind: Pod\n")
    return here


def test_the_other_files_are_linted_all_the_same(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed, said = lint(capsys, "missing.yaml", ".", "no*thing", "-o", "json", code=2)
    assert codes(printed) == FOUND * 2
    lines = said.splitlines()
    assert [line.split(": ")[1] for line in lines[:-1]] == [
        *map(native, ("missing.yaml", "./a.yaml:2:1", "./b.yaml", "./z.yaml:27", "no*thing")),
    ]
    assert lines[-1] == "6 findings in 4 of 6 objects"


@pytest.mark.parametrize("form", ["sarif", "github", "gitlab", "junit"])
def test_reports_name_what_could_not_be_read(form: str, broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (broken / "z.yaml").unlink()
    printed, _ = lint(capsys, ".", "-o", form, "--exit-zero", code=2)
    if form == "sarif":
        invocation = json.loads(printed)["runs"][0]["invocations"][0]
        assert invocation["executionSuccessful"] is False
        problems = [one["message"]["text"] for one in invocation["toolExecutionNotifications"]]
    elif form == "junit":
        problems = [one.attrib["message"] for one in ET.fromstring(printed).iter("error")]
    elif form == "gitlab":
        problems = [one["description"] for one in json.loads(printed) if one["severity"] == "blocker"]
    else:
        problems = [line for line in printed.splitlines() if "title=" not in line]
        assert problems[0].startswith("::error file=a.yaml,line=")
    assert ["a value is missing" in problems[0], "No such file" in problems[1]] == [True, True]
    assert len(problems) == 2


FAILURES: dict[str, tuple[tuple[str, ...], str]] = {
    "no such file": (("missing.yaml",), "missing.yaml: No such file or directory. Pass a readable file"),
    "no such folder": (("missing/",), "missing/: "),
    "an empty folder": (("empty",), "the folder contains no .json, .yaml, .yml file"),
    "no objects": (("comment.yaml",), "no objects in comment.yaml"),
    "no YAML": (("bad.yaml",), "bad.yaml:2:1: "),
    "no object": (("text.yaml",), "text.yaml:1: text is not a Kubernetes object"),
    "no live file": (("app.yaml", "--live", "missing.yaml"), "missing.yaml: No such file"),
    "no schema": (("app.yaml", "--schema", "missing.yaml"), "missing.yaml"),
    "no last-applied file": (("app.yaml", "--last-applied", "bad.yaml"), "bad.yaml:2:1: "),
    "another namespace": (("other.yaml", "-n", "prod"), "is in the namespace 'dev', not in 'prod'"),
    "an unknown release": (("app.yaml", "--release", "1.99"), f"supported releases are 1.7 to {NEWEST}"),
    "an unknown code": (("app.yaml", "--select", "KM0011"), "unknown code 'KM0011'. Did you mean KM0"),
    "an unknown code to ignore": (("app.yaml", "--ignore", "ghosts"), "Did you mean ghost?"),
    "an unknown code to explain": (("--explain", "KM9"), "unknown code 'KM9'"),
    "an unknown form": (("app.yaml", "-o", "xml"), "'xml' is not one of"),
    "an unknown severity": (("app.yaml", "--severity", "bad"), "'bad' is not one of"),
    "statistics in another form": (("app.yaml", "--statistics", "-o", "json"), "--statistics requires the text output"),
    "an unknown option": (("--frobnicate",), "No such option"),
}


@pytest.mark.parametrize("case", FAILURES.values(), ids=FAILURES)
def test_a_failure_is_one_sentence_on_standard_error(
    case: tuple[tuple[str, ...], str], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "empty").mkdir()
    (here / "comment.yaml").write_text("# nothing\n")
    (here / "bad.yaml").write_text("a: [\n")
    (here / "text.yaml").write_text("a\n")
    write(here, "other.yaml", config_map(namespace="dev"))
    words, message = case
    printed, said = lint(capsys, *words, code=2)
    assert printed == ""
    assert message in said
    assert said.count("\n") == 1
    assert said.startswith("kubemerge: ")
    assert "bug" not in said


def test_an_object_that_cannot_be_linted_does_not_stop_the_others(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(here, "all.yaml", config_map(namespace="dev"), deployment("web", replica=3))
    printed, said = lint(capsys, config, "-n", "prod", code=2)
    assert "KM015 error deployment.apps/web" in printed
    assert "is in the namespace 'dev', not in 'prod'" in said


def test_nothing_given_at_a_terminal_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert "pass files or folders to lint" in lint(capsys, code=2)[1]


def test_an_empty_pipe_is_an_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert lint(capsys, code=2)[1] == "kubemerge: no objects in standard input\n"


def test_what_is_no_worse_than_info_fails_no_run_unless_it_is_asked_for(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """KM006: only live has it."""
    config = write(here, "config.yaml", config_map(data={"a": "1"}))
    live = write(here, "live.yaml", applied(config_map(data={"a": "1"}), data={"a": "1", "b": "2"}))
    printed, said = lint(capsys, config, "--live", live, code=0)
    assert "KM006 info configmap/settings data.b" in printed
    assert said == "1 finding in 1 of 1 object\n"
    lint(capsys, config, "--live", live, "--severity", "info", code=1)
    (here / "kubemerge.toml").write_text('severity = "info"\n', encoding="utf-8")
    lint(capsys, config, "--live", live, code=1)
    lint(capsys, config, "--live", live, "--severity", "warning", code=0)


def test_on_a_terminal_a_code_is_a_link_to_its_page(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config = write(here, "config.yaml", deployment("web", replica=3))
    plain, _ = lint(capsys, config, "--color", "always")
    assert "\x1b]8" not in plain
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    printed, _ = lint(capsys, config, "--color", "always")
    begin = "\x1b]8;;https://kubemerge.github.io/kubemerge/lint/KM015.html\x1b\\"
    end = "\x1b]8;;\x1b\\"
    assert f"{begin}\x1b[31m\x1b[1mKM015 error\x1b[0m{end}" in " ".join(printed.split("\n  "))
    assert max(map(wide, printed.splitlines())) <= 40
    printed, _ = lint(capsys, config, "--color", "always", "--statistics")
    assert f"{begin}\x1b[31m\x1b[1mKM015\x1b[0m{end}" in printed
    assert "\x1b]8" not in lint(capsys, config, "--color", "never")[0]


@pytest.mark.parametrize(("folder", "told"), [("deep", True), (".hidden", False)])
def test_folders_in_a_folder_that_are_not_read_are_told_of(
    folder: str, told: bool, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inside = here / "all" / folder / "er"
    inside.mkdir(parents=True)
    write(here / "all", "config.yaml", config_map())
    write(inside, "other.yaml", deployment("web", replica=3))
    _, said = lint(capsys, "all", code=0)
    assert ("all: subfolders are not read (see -R)\n" in said) == told
    _, said = lint(capsys, "all", "-R", code=1)
    assert "are not read" not in said
