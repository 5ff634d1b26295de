"""`kubemerge lint` on folders as they are in repositories: files that are read, skipped, and cached."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from kubemerge.linting import many_files, pool, runs
from kubemerge.linting.serialization import from_text, to_text

from ...codegen.sample_specs import kubemerge
from ...conftest import native

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kubemerge.linting.one_file import FileLinter
    from kubemerge.linting.pool import Done, File, OnProgress

WRONG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\ndata: {a: 1}\n"
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.a.example.com}
spec:
  group: a.example.com
  names: {kind: Shop, plural: shops}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties: {size: {type: integer, maximum: MOST}, open: {type: string}}
            x-kubernetes-validations:
            - {rule: "self.size != 3", message: "three is unlucky"}
"""
SERVICE = "---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 1}, {port: 1}]}\n"
SHOP = "apiVersion: a.example.com/v1\nkind: Shop\nmetadata: {name: s}\nspec: SPEC\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / f"{tmp_path.name}-cache"))
    return tmp_path


def put(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_yaml", ".yaml").replace("_toml", ".toml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def codes(capsys: pytest.CaptureFixture[str], *words: str, code: int = 1) -> list[str]:
    """Codes with file and line."""
    assert kubemerge("lint", *words, "-o", "json") == code
    found = json.loads(capsys.readouterr().out)
    return [f"{one['code']} {one['file'].replace(os.sep, '/')}:{one['line']}" for one in found]


def git(*words: str) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *name, *words], check=True, capture_output=True)


def test_definitions_judge_their_objects_with_schema_and_rules(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(here, a_yaml=SHOP.replace("SPEC", "{size: 3, opn: x}"), b_yaml=CRD.replace("MOST", "9"))
    put(here, c_yaml=SHOP.replace("SPEC", "{size: 10}").replace("name: s", "name: t"))
    assert codes(capsys, ".") == ["KM104 ./a.yaml:4", "KM015 ./a.yaml:4", "KM104 ./c.yaml:4"]


def test_what_is_kept_is_taken_unless_definitions_change(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(
        here,
        a_yaml=SHOP.replace("SPEC", "{size: 8}"),
        b_yaml=CRD.replace("MOST", "9"),
        c_yaml=WRONG.replace("NAME", "c"),
    )
    assert codes(capsys, ".") == ["KM101 ./c.yaml:4"]
    linted: list[str] = []
    real = pool.reports

    def noted(linter: FileLinter, files: Sequence[File], jobs: int, on_progress: OnProgress | None) -> list[Done]:
        linted.extend(one.replace(os.sep, "/") for one, _ in files)
        return real(linter, files, jobs, on_progress)

    monkeypatch.setattr(many_files, "reports", noted)
    assert codes(capsys, ".") == ["KM101 ./c.yaml:4"]
    assert linted == []
    put(here, b_yaml=CRD.replace("MOST", "7"))
    assert codes(capsys, ".") == ["KM104 ./a.yaml:4", "KM101 ./c.yaml:4"]
    assert linted == ["./a.yaml", "./b.yaml"]
    put(here, c_yaml=WRONG.replace("NAME", "c").replace("1}", '"1"}'))
    assert codes(capsys, ".") == ["KM104 ./a.yaml:4"]
    assert linted[2:] == ["./c.yaml"]


def test_several_processes_say_what_one_says(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBEMERGE_NO_CACHE", "1")
    for at in range(40):
        put(here, **{f"f{at:02}_yaml": WRONG.replace("NAME", f"n{at}") if at % 3 else "a: b\n"})
    put(here, z_yaml="a: [\n")
    assert kubemerge("lint", ".") == 2
    alone = capsys.readouterr()
    monkeypatch.setattr(pool, "WORTH_IT", 2)
    monkeypatch.setattr(runs, "processors", lambda: 2)
    assert kubemerge("lint", ".") == 2
    assert capsys.readouterr() == alone
    assert "26 findings in 26 of 26 objects; skipped: other YAML (14)" in alone.err


def test_a_report_is_the_same_after_it_was_kept(here: Path) -> None:
    from kubemerge.linting.gate.gate import Gate
    from kubemerge.linting.one_file import FileLinter
    from kubemerge.manifests.files import Files
    from kubemerge.offline.pairs import Others
    from kubemerge.offline.tables import schemas

    text = WRONG.replace("NAME", "c") + SERVICE
    linter = FileLinter(Others((), None, schemas(None, (), Files()), Files()), Gate(("1.37",)))
    report = linter.lint("a.yaml", text.encode())
    assert len([found for one in report.linted for found in one.found]) > 3
    assert from_text(to_text(report)) == report


def test_a_damaged_definition_is_reported_the_same_way_from_the_cache(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = CRD.replace("type: object\n        properties:", "type: object\n        properties: 5\n        other:")
    put(here, definition_yaml=damaged, shop_yaml=SHOP)
    first, second = ((kubemerge("lint", "."), capsys.readouterr()) for _ in range(2))
    assert first == second
    assert "properties" in first[1].out


def test_an_object_twice_is_found_in_one_folder(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fine = WRONG.replace("NAME", "c").replace("1}", '"1"}')
    put(here, a_yaml=f"{fine}---\n{fine}", b_yaml=fine, other__c_yaml=fine)
    assert codes(capsys, ".") == ["KM301 ./a.yaml:6", "KM301 ./b.yaml:1"]
    assert codes(capsys, ".", "-R") == ["KM301 ./a.yaml:6"]


def test_definitions_of_a_version_that_is_gone_are_no_obstacle(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(here, b_yaml=CRD.replace("MOST", "9").replace("/v1\n", "/v1beta1\n"), a_yaml=SHOP.replace("SPEC", "{size: x}"))
    assert "KM027 ./b.yaml:1" in codes(capsys, ".")


def test_what_is_yet_to_be_filled_in_is_not_judged(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: '${NAME}'}\nspec: {ports: [{port: '${PORT}'}]}\n"
    put(here, a_yaml=service)
    assert codes(capsys, ".", code=0) == []


OTHERS = {
    "kustomization_yaml": "resources: [a.yaml]\n",
    "k__kustomization_yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n",
    "chart__Chart_yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "chart__values_yaml": "image: {tag: 1}\n",
    "chart__templates__web_yaml": "{{- if .Values.on }}\napiVersion: v1\nmetadata: {name: {{ .x }}}\n{{- end }}\n",
    ".github__workflows__ci_yaml": "on: push\njobs: {a: {}}\n",
    "list_yaml": "- a\n- b\n",
    "kind_yaml": "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n",
}


def test_other_yaml_is_passed_over_and_counted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(here, **OTHERS, a_yaml=WRONG.replace("NAME", "c"))
    assert kubemerge("lint", ".", "-R") == 1
    assert capsys.readouterr().err == (
        "1 finding in 1 of 1 object; skipped: GitHub workflow (1), Helm chart (1), Helm template (1), "
        "Helm values (1), Kustomization (2), kind configuration (1), other YAML (1)\n"
    )


def test_what_helm_rendered_is_found_in_its_template(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fine = WRONG.replace("NAME", "a").replace("1}", '"1"}')
    wrong, other = WRONG.replace("NAME", "b"), WRONG.replace("NAME", "c")
    text = f"---\n# Source: web/templates/a.yaml\n{fine}---\n# Source: web/templates/b.yaml\n{wrong}---\n{other}"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert codes(capsys) == ["KM101 web/templates/b.yaml:4", "KM101 standard input:17"]


RENDERED = "---\n# Source: web/templates/a.yaml\n" + WRONG.replace("NAME", "a")


@pytest.mark.parametrize("output", ["text", "json", "sarif", "github", "gitlab", "junit"])
def test_a_rendered_file_is_named_itself_with_the_template_beside_it(
    here: Path, capsys: pytest.CaptureFixture[str], output: str
) -> None:
    put(here, rendered__web_yaml=RENDERED)
    assert kubemerge("lint", "rendered", "-o", output) == 1
    told = capsys.readouterr().out
    place = {
        "text": native("rendered/web.yaml:6:8: KM101"),
        "json": f'"file": {json.dumps(native("rendered/web.yaml"))},\n    "line": 6',
        "sarif": '"uri": "rendered/web.yaml"',
        "github": "file=rendered/web.yaml,line=6,",
        "gitlab": '"path": "rendered/web.yaml"',
        "junit": 'classname="rendered/web.yaml"',
    }
    assert place[output] in told
    words = '"template": "web/templates/a.yaml"' if output == "json" else "(rendered from web/templates/a.yaml)"
    assert words in told
    (here / "kubemerge.toml").write_text('[per-path-ignores]\n"rendered/" = ["KM101"]\n')
    assert kubemerge("lint", "rendered") == 0


def test_two_objects_of_one_name_are_told_apart_for_programs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = WRONG.replace("{name: NAME}", "{name: a, namespace: shop}")
    put(here, a_yaml=f"{WRONG.replace('NAME', 'a')}---\n{there}")
    assert kubemerge("lint", "a.yaml", "-o", "json") == 1
    found = [one["reference"] for one in json.loads(capsys.readouterr().out)]
    assert found == [
        {"apiVersion": "v1", "kind": "ConfigMap", "namespace": namespace, "name": "a"} for namespace in (None, "shop")
    ]


def test_one_object_in_two_files_that_are_named_singly(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As pre-commit names them."""
    fine = WRONG.replace("NAME", "a").replace("1}", '"1"}')
    put(here, two__a_yaml=fine, two__b_yaml=fine, other__a_yaml=fine)
    assert codes(capsys, "two/a.yaml", "two/b.yaml", "other/a.yaml") == ["KM301 two/b.yaml:1"]
    assert kubemerge("lint", "two/a.yaml", "other/a.yaml") == 0


@pytest.mark.parametrize("words", [("-R", "."), ("a/crd.yaml", "b/crd.yaml", "shop.yaml")])
def test_two_definitions_of_one_kind_that_differ(
    here: Path, capsys: pytest.CaptureFixture[str], words: Sequence[str]
) -> None:
    first, second = CRD.replace("MOST", "5"), CRD.replace("MOST", "50")
    put(here, a__crd_yaml=first, b__crd_yaml=second, shop_yaml=SHOP.replace("SPEC", "{size: 20}"))
    for _ in range(2):  # the second time, reports of files are kept
        assert kubemerge("lint", *words) == 0
        said = capsys.readouterr().err.replace(os.sep, "/")
        assert "shops.a.example.com has different definitions in " in said
        assert "a/crd.yaml:1 and " in said
        assert "b/crd.yaml:1. The last one is used for all objects" in said
    put(here, b__crd_yaml=f"# the same\n{first}")
    assert kubemerge("lint", *words) == 1
    assert "is defined in" not in capsys.readouterr().err


def test_of_a_repository_only_tracked_files_are_read(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(
        here,
        k__a_yaml=WRONG.replace("NAME", "a"),
        k__b_yaml=WRONG.replace("NAME", "b"),
        k__in__c_yaml=WRONG.replace("NAME", "c"),
    )
    git("init", "-q")
    assert kubemerge("lint", "k") == 2
    assert "git tracks none of the 2 manifests" in capsys.readouterr().err
    git("add", "k/a.yaml", "k/in/c.yaml")
    assert codes(capsys, "k") == ["KM101 k/a.yaml:4"]
    assert codes(capsys, "k", "-R") == ["KM101 k/a.yaml:4", "KM101 k/in/c.yaml:4"]
    assert len(codes(capsys, "k", "-R", "--untracked")) == 3
    assert codes(capsys, "k/b.yaml") == ["KM101 k/b.yaml:4"]


def test_since_a_revision_only_what_is_new_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(here, a_yaml=WRONG.replace("NAME", "a"), b_yaml=WRONG.replace("NAME", "b"))
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    put(here, a_yaml="# moved\n" + WRONG.replace("NAME", "a").replace("{a: 1}", "{a: 1, b: 2}"))
    assert codes(capsys, ".", "--since", "HEAD") == ["KM101 ./a.yaml:5"]
    assert kubemerge("lint", ".", "--since", "nothing") == 2
    assert "git has no revision 'nothing' here" in capsys.readouterr().err


def test_a_baseline_hides_what_is_known(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(here, a_yaml=WRONG.replace("NAME", "a"))
    assert kubemerge("lint", "a.yaml", "--write-baseline", "known.json") == 0
    assert kubemerge("lint", "a.yaml", "--baseline", "known.json") == 0
    assert "1 finding in the baseline" in capsys.readouterr().err
    put(here, a_yaml="\n" + WRONG.replace("NAME", "a").replace("{a: 1}", "{a: 1, b: 2}"))
    assert codes(capsys, "a.yaml", "--baseline", "known.json") == ["KM101 a.yaml:5"]
    put(here, bad_json="{}")
    assert kubemerge("lint", "a.yaml", "--baseline", "a.yaml") == 2
    assert "not a baseline" in capsys.readouterr().err


def test_files_and_objects_say_what_is_not_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["apiVersion: v1", "kind: ConfigMap", "metadata: {name: a}", "data:"]
    lines += [
        "  a: 1  # kubemerge: ignore=KM101",
        "  # kubemerge: ignore=server",
        "  b: 2",
        "  c: 3 # kubemerge: ignore=KM1,x",
    ]
    lines += ["  d: 4 # kubemerge: ignore=KM102"]
    put(here, a_yaml="\n".join(lines))
    assert codes(capsys, "a.yaml") == ["KM101 a.yaml:9"]
    note = "{name: a, annotations: {kubemerge/ignore: 'wrong-type, KM9'}}"
    put(here, a_yaml="\n".join(lines).replace("{name: a}", note))
    assert codes(capsys, "a.yaml", code=0) == []


FIXED = (
    ('\ufeff# ü\r\n{A: "x"}\r\n', None),
    ("data: {a: 1} # keep\n", 'data: {a: "1"} # keep\n'),
    ("data:\r\n  'ä': yes # true\r\n", "data:\r\n  'ä': \"true\" # true\r\n"),
    ('"Data": {a: "1"}\n', '"data": {a: "1"}\n'),
    ("x: &a {b: 1}\ndata: {c: *z}\n", None),
    ("data: {<<: {a: 1}}\n", None),
)


@pytest.mark.parametrize(("before", "after"), FIXED)
def test_a_fix_changes_what_it_must_and_no_other_byte(
    before: str, after: str | None, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
    (here / "a.yaml").write_bytes((head + before).encode())
    kubemerge("lint", "a.yaml", "--fix")
    assert (here / "a.yaml").read_bytes() == (head + (before if after is None else after)).encode()
    assert ("fixed: 1 place in 1 file" in capsys.readouterr().err) == (after is not None)


def test_only_selected_codes_are_fixed(here: Path) -> None:
    put(here, a_yaml=WRONG.replace("NAME", "a"))
    kubemerge("lint", "a.yaml", "--fix", "--select", "versions")
    assert "{a: 1}" in (here / "a.yaml").read_text()


@pytest.mark.parametrize(
    ("value", "wrong"), [("{{.Name}}", 0), ("${NAME}", 0), ("__NAME__", 0), ("____", 1), ("My_Name", 1)]
)
def test_a_value_that_another_tool_fills_in_is_not_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], value: str, wrong: int
) -> None:
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: '{value}'}}\n"
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    assert kubemerge("lint", str(tmp_path), "--no-config") == wrong
    assert ("KM107" in capsys.readouterr().out) is bool(wrong)


def test_a_name_to_be_generated_is_told_of_with_the_way_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = "spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: 'a:1'}]}}}\n"
    (tmp_path / "a.yaml").write_text(f"apiVersion: batch/v1\nkind: Job\nmetadata: {{generateName: a-}}\n{job}")
    assert kubemerge("lint", str(tmp_path), "--no-config") == 0
    said = capsys.readouterr().out
    assert "KM021 info" in said
    assert "kubectl create" in said
