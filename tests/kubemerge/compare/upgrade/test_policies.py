"""Admission policies on the sides of a comparison."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml

from kubemerge.cli.main import run_words

from ...apiserver.policies.samples import deployment, mutating, validating

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

DENIES = validating("object.spec.replicas <= 5")
LABELS = mutating("Object{metadata: Object.metadata{labels: {'team': 'shop'}}}")


def found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], policies: list[Any], content: Any, sides: str = "1.28 1.37"
) -> list[tuple[str, str, str, str]]:
    for name, documents in (("config.yaml", [content]), ("policies.yaml", policies)):
        (tmp_path / name).write_text(yaml.safe_dump_all(documents))
    given = ["-f", str(tmp_path / "config.yaml"), "--policies", str(tmp_path / "policies.yaml")]
    assert run_words(["compare", *sides.split(), *given, "--severity", "info", "-o", "json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    keys = ("at", "sort", "path", "text")
    return [tuple(finding.get(key) or "" for key in keys) for finding in one["findings"]]  # type: ignore[misc]


def test_a_side_whose_release_evaluates_the_policy_rejects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ((at, sort, path, text),) = found(tmp_path, capsys, DENIES, deployment(), "1.29 1.30")
    assert (at, sort, path) == ("1.30", "refused", "")
    assert "ValidatingAdmissionPolicy 'rule' with binding 'rule-binding' denied request" in text


def test_a_warning_begins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policies = validating("object.spec.replicas <= 5", "Warn")
    ((_, sort, path, text),) = found(tmp_path, capsys, policies, deployment(), "1.29 1.30")
    assert (sort, path) == ("warned", "")
    assert text.startswith("the API server now warns: Validation failed for ValidatingAdmissionPolicy 'rule'")


def test_a_mutation_names_its_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ((at, sort, path, text),) = found(tmp_path, capsys, LABELS, deployment(labels={"team": "a"}), "1.35 1.36")
    assert (at, sort, path) == ("1.36", "changed", "metadata.labels.team")
    assert text == "MutatingAdmissionPolicy 'change' changes the field on one side only"


def test_both_sides_with_the_policy_are_equal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert found(tmp_path, capsys, LABELS, deployment(), "1.36 1.37") == []


def test_values_of_secrets_are_masked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"a": "hush"}}
    reveals = [{"expression": "false", "messageExpression": "'it is ' + object.stringData.a"}]
    for action in ("Warn", "Deny"):
        policies = validating("", action, validations=reveals)
        assert "hush" not in str(found(tmp_path, capsys, policies, secret, "1.29 1.30"))


def test_policies_need_a_config(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_words(["compare", "1.29", "1.30", "--policies", "."]) == 2
    assert "Pass one with -f" in capsys.readouterr().err
