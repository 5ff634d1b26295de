"""Files that a kustomization names as patches are parts of objects: they are counted, and not linted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from kubemerge.linting.repository.patches import kustomized

from ....codegen.sample_specs import kubemerge

if TYPE_CHECKING:
    from pathlib import Path

PART = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n"
NAMED = {
    "patches": "patches:\n- path: part.yaml\n  target: {kind: Deployment}\n",
    "patchesStrategicMerge": "patchesStrategicMerge:\n- part.yaml\n",
    "patchesJson6902": "patchesJson6902:\n- {path: ./part.yaml, target: {version: v1, kind: Deployment, name: web}}\n",
    "replacements": "replacements:\n- path: part.yaml\n",
}


@pytest.mark.parametrize("field", NAMED)
@pytest.mark.parametrize("name", ["kustomization.yaml", "kustomization.yml", "Kustomization"])
def test_a_patch_is_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str], field: str, name: str) -> None:
    part = tmp_path / "part.yaml"
    part.write_text(PART)
    assert kubemerge("lint", str(part), "--no-config") == 1
    assert "KM102" in capsys.readouterr().out
    (tmp_path / name).write_text(f"resources: []\n{NAMED[field]}")
    assert kubemerge("lint", str(part), "--no-config") == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert "skipped: Kustomize patch (1)" in said.err


def test_a_patch_may_lie_in_a_folder_below_its_kustomization(tmp_path: Path) -> None:
    (tmp_path / "patches").mkdir()
    (tmp_path / "kustomization.yaml").write_text("patches: [{path: patches/a.yaml}, {patch: '- op: remove'}]\n")
    files = [str(tmp_path / "patches" / name) for name in ("a.yaml", "b.yaml")]
    assert kustomized(files).patches == {files[0]}


@pytest.mark.parametrize(
    "text", ["patches: 3\n", "patches: [3, {path: []}, null]\n", "patches: [\n", "- patches\n", ""]
)
def test_a_kustomization_that_makes_no_sense_names_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "kustomization.yaml").write_text(text)
    assert not any(kustomized([str(tmp_path / "a.yaml")]))


def test_what_is_a_resource_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kustomization.yaml").write_text("resources: [part.yaml]\npatches: [{path: other.yaml}]\n")
    (tmp_path / "part.yaml").write_text(PART)
    assert kubemerge("lint", str(tmp_path), "--no-config") == 1
    assert "KM102" in capsys.readouterr().out


DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: a, image: "a:1"}]}}}
"""


@pytest.mark.parametrize(
    ("kustomization", "codes"),
    [
        ("resources: [a.yaml]\ncommonLabels: {app: web}\n", []),
        ("resources: [a.yaml]\nlabels: [{pairs: {app: web}, includeSelectors: true}]\n", []),
        ("resources: [a.yaml]\nlabels: [{pairs: {app: web}}]\n", ["KM102", "KM104"]),
        ("resources: [b.yaml]\ncommonLabels: {app: web}\n", ["KM102", "KM104"]),
    ],
)
def test_labels_that_a_kustomization_adds_need_not_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kustomization: str, codes: list[str]
) -> None:
    (tmp_path / "kustomization.yaml").write_text(kustomization)
    (tmp_path / "a.yaml").write_text(DEPLOYMENT)
    kubemerge("lint", str(tmp_path), "--no-config", "-o", "json")
    assert [one["code"] for one in json.loads(capsys.readouterr().out)] == codes
