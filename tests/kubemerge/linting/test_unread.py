"""Files of real repositories without objects: those that are skipped and counted, and those with a code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ...codegen.sample_specs import kubemerge
from ...conftest import native

if TYPE_CHECKING:
    from pathlib import Path

COMMENT_FIRST = "{{/*\nWARNING: DO NOT EDIT.\n\nFoo: (bar)\n1. The x\n*/}}\n{{- $x := 1 }}\n"
OPERATOR = "apiVersion: install.istio.io/v1alpha1\nkind: IstioOperator\n{}spec: {{profile: demo}}\n"
REVIEW = "apiVersion: authorization.k8s.io/v1\nkind: SubjectAccessReview\nspec: {user: a}\n"
BROKEN = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a\n"
NAMELESS = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  labels: {a: b}\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / f"{tmp_path.name}-cache"))
    return tmp_path


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "text", "what"),
    [
        ("web/templates/a.yaml", COMMENT_FIRST, "Helm template"),
        ("web/templates/a.yaml", "\ufeff\n {{- if .Values.a }}\na: {{ .b }}\n{{ end }}\n", "Helm template"),
        ("web/templates/a.yaml", "a: 'b\nc: {{ .Values.c }}\n", "Helm template"),
        ("web/files/a.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Name | quote }}\n", "Helm template"),
        ("note.yaml", "apiVersion: release-notes/v2\nkind: feature\narea: a\n", "feature without a name"),
        ("data.json", "{rating: 5}\n{rating: 4}\n", "other YAML"),
        ("data.json", '{"rating": 5,}\n', "other YAML"),
        ("op.yaml", OPERATOR.format(""), "IstioOperator without a name"),
        ("op.yaml", OPERATOR.format("metadata: {namespace: istio-system}\n"), "IstioOperator without a name"),
        ("sar.yaml", REVIEW, "API request"),
        ("sar.yaml", REVIEW + "metadata: {name: a}\n", "API request"),
        ("tr.yaml", "apiVersion: authentication.k8s.io/v1\nkind: TokenReview\nspec: {token: a}\n", "API request"),
    ],
)
def test_what_is_no_manifest_is_passed_over_and_counted(
    file: str, text: str, what: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(here / "web/Chart.yaml", "name: web\nversion: 1.0.0\n")
    put(here / file, text)
    assert kubemerge("lint", file) == 0
    assert f"skipped: {what} (1)" in capsys.readouterr().err


def test_json_lines_with_objects_are_linted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "%s"}, "data": {"a": 1}}\n'
    put(here / "all.json", one % "a" + one % "b")
    assert kubemerge("lint", "all.json", "-o", "json") == 1
    assert [one["line"] for one in json.loads(capsys.readouterr().out)] == [1, 2]


CODED = {
    "KM302": ("a.yaml", BROKEN, 4),
    "KM303": ("a.yaml", NAMELESS, 3),
    "KM304": ("a.yaml", 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n{{ include "x" . }}\n', 4),
}


@pytest.mark.parametrize("code", CODED)
def test_what_cannot_be_read_has_a_code_by_which_it_is_suppressed(
    code: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, text, line = CODED[code]
    put(here / file, text)
    assert kubemerge("lint", ".") == 2
    err = capsys.readouterr().err
    assert err.startswith(native(f"kubemerge: ./{file}:{line}:"))
    assert f" ({code})\n" in err
    for words in (("--ignore", code), ("--ignore", f"KM001,{code.lower()}")):
        assert kubemerge("lint", ".", *words) == 0
        assert ", ignored (1)" in capsys.readouterr().err
    assert kubemerge("lint", ".", "--ignore", "inputs,KM3", "--select", "KM001") == 2, "a group does not hide it"
    put(here / "kubemerge.toml", f'[per-path-ignores]\n"a.yaml" = ["{code}"]\n')
    assert kubemerge("lint", ".") == 0
    (here / "kubemerge.toml").unlink()
    assert kubemerge("lint", ".", "--write-baseline", "known.json") == 0
    assert kubemerge("lint", ".", "--baseline", "known.json") == 0
    assert "1 finding in the baseline" in capsys.readouterr().err
    rows = text.splitlines()
    put(here / file, "\n".join([*rows[: line - 1], f"# kubemerge: ignore={code}", *rows[line - 1 :], ""]))
    assert kubemerge("lint", ".") == 0, "a comment above the line suppresses it"


@pytest.mark.parametrize("code", CODED)
def test_every_report_has_the_code(code: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, text, _ = CODED[code]
    put(here / file, text)
    for form in ("sarif", "github", "gitlab", "junit"):
        assert kubemerge("lint", ".", "-q", "-o", form) == 2
        assert code in capsys.readouterr().out.replace('"rules"', "").split("invocations")[-1]


def test_utf_16_is_no_other_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.json").write_bytes(BROKEN.encode("utf-16"))
    assert kubemerge("lint", "a.json") == 2
    assert "UTF-16" in capsys.readouterr().err


def test_one_bad_item_does_not_hide_the_others(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: {}\n  data: {{a: 1}}\n"
    items = "".join(map(item.format, ("a", '""', "yes", "b")))
    put(here / "a.yaml", f"apiVersion: v1\nkind: List\nitems:\n- 5\n{items}")
    assert kubemerge("lint", "a.yaml", "-o", "json") == 2
    out, err = capsys.readouterr()
    found = [(one["object"], one["line"], one["path"]) for one in json.loads(out)]
    assert found == [
        ("configmap/a", 9, "data.a"),
        ("configmap/yes", 18, "metadata.name"),
        ("configmap/yes", 19, "data.a"),
        ("configmap/b", 24, "data.a"),
    ]
    assert "a.yaml:1: items[0]: a number is not a Kubernetes object" in err
    assert "a.yaml:13: items[2]: ConfigMap has no metadata.name" in err


NAMES = {"yes": "yes", "1.10": "1.10", "0x1f": "0x1f", "true # a": "true", "7": "7"}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_without_quotes_is_found_where_it_is_and_quoted(
    name: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A YAML parser reads it as a boolean or a number, but the author meant the text."""
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  namespace: 5\ndata: {{a: 1}}\n"
    put(here / "a.yaml", text)
    assert kubemerge("lint", "a.yaml", "-o", "json") == 1
    found = json.loads(capsys.readouterr().out)
    assert [(one["code"], one["line"], one["path"]) for one in found][:3] == [
        ("KM101", 4, "metadata.name"),
        ("KM101", 5, "metadata.namespace"),
        ("KM101", 6, "data.a"),
    ]
    kubemerge("lint", "a.yaml", "--fix")
    fixed = text.replace(f": {NAMES[name]}", f': "{NAMES[name]}"', 1).replace("namespace: 5", 'namespace: "5"')
    assert (here / "a.yaml").read_text(encoding="utf-8") == fixed.replace("a: 1}", 'a: "1"}')


def test_an_empty_run_names_its_paths(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(here / "my-folder/rendered/a.yaml", BROKEN)
    put(here / "kubemerge.toml", 'exclude = ["rendered/"]\n')
    assert kubemerge("lint", "-R", ".") == 2
    assert capsys.readouterr().err == "kubemerge: no objects in the current folder\n"
    assert kubemerge("lint", "-R", "my-folder") == 2
    assert capsys.readouterr().err == "kubemerge: no objects in my-folder\n"
