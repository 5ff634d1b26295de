"""`--policies` of lint, merge, diff and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ....codegen.sample_specs import kubemerge
from ...apiserver.policies.samples import mutating, rules, validating
from ...manifests_in_files import config_map, fails, written

SMALL = validating("size(object.data) < 2", matchConstraints=rules("configmaps"))
BLUE = mutating('Object{data: {"colour": "blue"}}', matchConstraints=rules("configmaps"))
COLOUR = config_map(data={"colour": "red"})
DENIED = "ValidatingAdmissionPolicy 'rule' with binding 'rule-binding' denied request: failed expression"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policies").mkdir()


def policies(*objects: object) -> None:
    for place, one in enumerate(objects):
        written(Path(f"policies/{place}.yaml"), one)


def linted(capsys: pytest.CaptureFixture[str], *options: str) -> list[tuple[str, str, int]]:
    kubemerge("lint", "config.yaml", "--untracked", "-o", "json", *options)
    found = json.loads(capsys.readouterr().out)
    return [(one["code"], one["path"], one["line"]) for one in found]


def test_lint_reports_a_denial_at_its_field(capsys: pytest.CaptureFixture[str]) -> None:
    policies(*SMALL)
    written(Path("config.yaml"), config_map(data={"a": "1", "b": "2"}))
    assert linted(capsys, "--policies", "policies") == [("KM113", "data", 7)]
    assert linted(capsys) == []
    assert kubemerge("lint", "config.yaml", "--policies", "policies") == 1
    assert DENIED in capsys.readouterr().out


def test_lint_reads_policies_of_the_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policies(*SMALL)
    written(Path("config.yaml"), config_map(data={"a": "1", "b": "2"}))
    (tmp_path / "kubemerge.toml").write_text('policies = ["policies"]\n')
    assert [code for code, _, _ in linted(capsys)] == ["KM113"]


def test_lint_repeats_a_check_after_a_policy_was_changed(capsys: pytest.CaptureFixture[str]) -> None:
    written(Path("config.yaml"), config_map(data={"a": "1", "b": "2"}))
    policies(*SMALL)
    assert len(linted(capsys, "--policies", "policies")) == 1
    policies(*validating("size(object.data) < 3", matchConstraints=rules("configmaps")))
    assert linted(capsys, "--policies", "policies") == []


def test_lint_reports_a_value_that_a_policy_replaces(capsys: pytest.CaptureFixture[str]) -> None:
    policies(*BLUE)
    written(Path("config.yaml"), COLOUR)
    assert [code for code, _, _ in linted(capsys, "--policies", "policies")] == ["KM115"]
    written(Path("config.yaml"), config_map(data={"colour": "blue"}))
    assert linted(capsys, "--policies", "policies") == []


def test_merge_returns_the_mutated_object(capsys: pytest.CaptureFixture[str]) -> None:
    policies(*BLUE)
    written(Path("config.yaml"), COLOUR)
    assert kubemerge("merge", "-f", "config.yaml", "--policies", "policies", "-o", "json") == 0
    assert json.loads(capsys.readouterr().out)["data"] == {"colour": "blue"}


def test_diff_reports_a_denial(capsys: pytest.CaptureFixture[str]) -> None:
    policies(*SMALL)
    written(Path("config.yaml"), config_map(data={"a": "1", "b": "2"}))
    kubemerge("diff", "-f", "config.yaml", "--policies", "policies")
    assert DENIED in capsys.readouterr().err


def test_diff_compares_with_the_mutated_object(capsys: pytest.CaptureFixture[str]) -> None:
    policies(*BLUE)
    written(Path("config.yaml"), COLOUR)
    written(Path("live.yaml"), config_map(data={"colour": "blue"}))
    kubemerge("diff", "-f", "config.yaml", "--live", "live.yaml", "--policies", "policies")
    assert "colour" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "command", [("lint", "config.yaml"), ("merge", "-f", "config.yaml"), ("diff", "-f", "config.yaml")]
)
def test_files_without_a_policy_are_an_error(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    written(Path("config.yaml"), COLOUR)
    said = fails(capsys, *command, "--policies", "config.yaml")
    assert "no admission policy or binding in config.yaml" in said


def test_an_invalid_policy_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    policies(*validating("object.spec ="))
    written(Path("config.yaml"), COLOUR)
    said = fails(capsys, "merge", "-f", "config.yaml", "--policies", "policies")
    assert "ValidatingAdmissionPolicy rule: spec.validations[0].expression: Invalid value" in said


@pytest.mark.parametrize(
    ("expression", "resources", "expected"),
    [
        ("object.dat.a == 'b'", "configmaps", [("KM116", "spec.validations[0].expression", 28)]),
        ("object.stringData.a == 'b'", "configmaps secrets", []),
        ("object.spec.a == 'b'", "configmaps secrets", [("KM116", "spec.validations[0].expression", 29)]),
        ("object.data.a == 'b'", "configmaps", []),
    ],
)
def test_lint_reports_an_expression_that_fits_no_matched_kind(
    capsys: pytest.CaptureFixture[str], expression: str, resources: str, expected: list[tuple[str, str, int]]
) -> None:
    one = {"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": resources.split()}
    written(Path("config.yaml"), validating(expression, matchConstraints={"resourceRules": [one]})[0])
    assert linted(capsys) == expected
