"""Diagnostics are the findings of `kubemerge lint`, also after edits, and only for text that lint reads."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.lsp import documents as parts
from kubemerge.lsp.checking import TOO_LARGE, Checker, Superseded
from kubemerge.lsp.repository import Repository
from tests.conftest import ROOT, native

from ...codegen.sample_specs import kubemerge

if TYPE_CHECKING:
    from kubemerge.lsp.checking import Diagnostic

SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: NAME}\nspec: {type: Nope, ports: [{port: 80}]}\n"
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: a, imge: "nginx:1", ports: [{containerPort: "80"}, {containerPort: 80}]}
"""
SCALER = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {maxReplicas: 3, minReplicas: 1, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
"""


def check(name: str, text: str, repository: Repository | None = None) -> list[Diagnostic]:
    checker = Checker(name, repository or Repository(str(Path.cwd()), pytest.fail))
    return checker.check(text, {name: text.encode()}, lambda: True, alone=False)


def by_lint(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> dict[str, list[tuple[int, int, str, str]]]:
    """The findings of `kubemerge lint` by file: line, column, code and message."""
    capsys.readouterr()
    kubemerge("lint", *words, "-o", "json")
    found: dict[str, list[tuple[int, int, str, str]]] = {}
    for one in json.loads(capsys.readouterr().out):
        template = f" (rendered from {one['template']})" if one["template"] else ""
        message = f"{one['message']} {one['advice']}{template}".replace(native(" ./"), " ").replace(native("(./"), "(")
        found.setdefault(os.path.normpath(one["file"]), []).append((one["line"], one["column"], one["code"], message))
    return {name: sorted(every) for name, every in found.items()}


def as_lint(text: str, found: list[Diagnostic]) -> list[tuple[int, int, str, str]]:
    """The diagnostics in the form of `by_lint`."""
    starts = parts.yaml_starts(text)
    lines = [max(at for at, start in enumerate(starts) if start <= one.start) for one in found]
    return sorted(
        (line + 1, one.start - starts[line] + 1, one.code, one.message) for line, one in zip(lines, found, strict=True)
    )


def compare(files: list[Path], words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> int:
    """Compare the diagnostics of files with lint, and count them. Lint ends at broken YAML: left out."""
    wanted = by_lint(words, capsys)
    repository = Repository(str(Path.cwd()), pytest.fail)
    count = 0
    for file in files:
        name, text = os.path.relpath(file), file.read_bytes().decode()
        found = as_lint(text, check(name, text, repository))
        if any(one[2] in ("", "KM302", "KM304") for one in found):
            continue
        found = [one for one in found if one[2] != "KM303"]  # lint prints it, but not as JSON
        assert found == wanted.get(name, []), name
        count += len(found)
    return count


def test_the_findings_are_those_of_lint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    folders = ("examples", "docs/how-to", "docs/walkthrough", "docs/server-side")
    for folder in folders:
        for file in (ROOT / folder).rglob("*.yaml"):
            copied = tmp_path / file.relative_to(ROOT)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copied)
    files = sorted(tmp_path.rglob("*.yaml"))
    assert len(files) > 40
    count = sum(
        compare([one for one in files if one.parent == folder], (os.path.relpath(folder), *crds), capsys)
        for folder in sorted({one.parent for one in files})
        for crds in [
            [
                os.path.relpath(one)
                for one in files
                if b"CustomResourceDefinition" in one.read_bytes() and one.parent != folder
            ]
        ]
    )
    assert count > 20


def test_odd_files_have_the_findings_of_lint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    item = json.dumps({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}, "spec": {"type": "No"}})
    texts = {
        "a.yaml": f"{SERVICE}---\n# a comment\n{DEPLOYMENT}---\n{SERVICE}...\n---\n\n",
        "b.yaml": f"# above\n---\n{SCALER}--- # behind\n{DEPLOYMENT}",
        "c.yaml": f"{SERVICE}---\n{DEPLOYMENT}".replace("\n", "\r\n"),
        "d.yaml": f"apiVersion: v1\nkind: List\nitems:\n- {item}\n- {item}\n",
        "e.json": item,
        "f.yaml": f"a: b\n---\n- x\n---\n{SERVICE}---\n\ufeff{SERVICE}",
        "g.yaml": f"# x\u2028# y\x85{SERVICE}---\n# \u2028\n{SERVICE}",
        "h.yaml": f"---\n# Source: web/templates/a.yaml\n{SERVICE}---\n# Source: web/templates/b.yaml\n{DEPLOYMENT}",
        "i.yaml": "apiVersion: v1\nkind: Service\n---\n" + SERVICE,
        "j.yaml": f"# x\n%YAML 1.1\n---\n{SERVICE}...\n%YAML 1.1\n# x\n\n---\n{SERVICE}",
        "kubemerge.toml": 'release = "1.30..1.33"\nignore = ["KM015"]\n[per-path-ignores]\n"d.yaml" = ["KM301"]\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text.encode())
    assert compare(sorted(tmp_path.glob("?.*")), (".",), capsys) > 20
    assert [name for name, text in texts.items() if "KM302" in {one.code for one in check(name, text)}] == []


def test_after_edits_the_findings_are_those_of_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    repository = Repository(str(tmp_path), pytest.fail)
    checker = Checker("a.yaml", repository)
    text = f"{DEPLOYMENT}---\n{SERVICE}---\n{SCALER}---\n{SERVICE}"
    chance = random.Random(3)
    for _ in range(60):
        start = chance.randrange(len(text))
        new = chance.choice(["", "\n", "---\n", "x", "  ", "replicas: 1\n", ": ", "[", "# kubemerge: ignore=KM103\n"])
        text = text[:start] + new + text[start + chance.randrange(6) :]
        found = checker.check(text, {"a.yaml": text.encode()}, lambda: True, alone=False)
        assert found == check("a.yaml", text, repository), text


def test_only_a_changed_document_is_linted_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    checker = Checker("a.yaml", Repository(str(tmp_path), pytest.fail))
    text = "---\n".join(SERVICE.replace("NAME", f"a{number}") for number in range(20))
    assert len(checker.check(text, {"a.yaml": text.encode()}, lambda: True, alone=False)) == 20
    linted: list[Any] = []
    lint = Checker._lint

    def counted(self: Checker, document: parts.Document, rules: Any) -> Any:
        linted.append(document.line)
        return lint(self, document, rules)

    monkeypatch.setattr(Checker, "_lint", counted)
    changed = f"# a new line\n{text.replace('a7', 'b7')}"
    found = checker.check(changed, {"a.yaml": changed.encode()}, lambda: True, alone=False)
    assert len(found) == 20
    assert [changed.count("\n", 0, one.start) for one in found] == [4 + 5 * number for number in range(20)]
    assert linted == [0, 35]


def test_a_check_ends_when_the_text_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    checker = Checker("a.yaml", Repository(str(tmp_path), pytest.fail))
    with pytest.raises(Superseded):
        checker.check(SERVICE, {"a.yaml": SERVICE.encode()}, lambda: False, alone=True)


def test_a_large_file_is_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (found,) = check("a.yaml", f"{SERVICE}# {'x' * parts.LARGEST}")
    assert (found.severity, found.message) == ("info", TOO_LARGE)


def test_a_baseline_suppresses_its_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(SERVICE, encoding="utf-8")
    assert kubemerge("lint", "a.yaml", "--write-baseline", "known.json") == 0
    (tmp_path / "kubemerge.toml").write_text('baseline = "known.json"\n', encoding="utf-8")
    assert check("a.yaml", SERVICE) == []
    assert len(check("a.yaml", SERVICE.replace("Nope", "No"))) == 1


def test_an_excluded_file_loses_its_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(SERVICE, encoding="utf-8")
    checker = Checker("a.yaml", Repository(str(tmp_path), pytest.fail))
    assert checker.check(SERVICE, {}, lambda: True, alone=False)
    (tmp_path / "kubemerge.toml").write_text('exclude = ["a.yaml"]\n', encoding="utf-8")
    assert checker.check(SERVICE, {}, lambda: True, alone=False) == []


def test_documents_are_the_whole_text() -> None:
    chance = random.Random(5)
    pieces: tuple[str, ...] = (
        "---\n",
        "--- # x\n",
        "---",
        "a: b\n",
        "\n",
        "\r\n---\r\n",
        "----\n",
        " ---\n",
        "...\n",
        "\u2028",
        "\r",
    )
    pieces += ("%A 1\n", "#\n", "\ufeff")
    for _ in range(500):
        text = "".join(chance.choices(pieces, k=12))
        found = parts.documents(text)
        assert "".join(one.text for one in found) == text
        starts = parts.yaml_starts(text)
        assert [starts[one.line] for one in found] == [one.offset for one in found], repr(text)
        for offset in range(len(text) + 1):
            one = parts.document_at(text, offset)
            assert one in found
            assert one.offset <= offset <= one.offset + len(one.text)
