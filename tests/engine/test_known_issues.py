"""Long-standing issues with client-side apply: the exact result, the safe result, and the lint findings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import engine
from codegen.documents.yaml_text import documents

CASES = list(documents((Path(__file__).parent / "known_issues.yaml").read_text(encoding="utf-8")))
NAMED = ("39188", "58477", "65106", "103544", "105610", "108148", "136340", "4752")


def whole(case: dict[str, Any], document: str) -> dict[str, Any]:
    api_version, kind = case["kind"]
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}, "spec": case[document]}


def schema(case: dict[str, Any]) -> engine.Schema:
    return engine.load("1.37").schema(*case["kind"])


def applied(case: dict[str, Any], *, safe: bool) -> engine.Outcome:
    return engine.apply(
        whole(case, "config"), whole(case, "live"), schema(case), last_applied=whole(case, "last"), safe=safe
    )


def test_every_issue_has_a_case() -> None:
    assert {re.findall(r"#(\d+) ", case["name"])[0] for case in CASES} == set(NAMED)


@pytest.mark.parametrize("safe", [False, True], ids=["exact", "safe"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_issue(case: dict[str, Any], safe: bool) -> None:
    way = "safe" if safe else "exact"
    if way in case:
        outcome = applied(case, safe=safe)
        assert outcome.merged["spec"] == case[way]
        assert engine.apply_patch(whole(case, "live"), outcome.patch, schema(case)) == outcome.merged
        return
    name, path, *positions = case[f"{way}_error"]
    with pytest.raises(engine.MergeError) as caught:
        applied(case, safe=safe)
    assert (type(caught.value).__name__, caught.value.path) == (name, path)
    assert [list(getattr(caught.value, "positions", ()))] * bool(positions) == positions


@pytest.mark.parametrize("case", [case for case in CASES if "safe" in case], ids=lambda case: case["name"])
def test_second_safe_apply_is_unchanged_and_exact_result_differs(case: dict[str, Any]) -> None:
    assert case["safe"] != case.get("exact")
    outcome = applied(case, safe=True)
    again = engine.apply(whole(case, "config"), outcome.merged, schema(case), safe=True)
    assert (again.result, again.patch) == ("unchanged", {})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_lint_reports_it_beforehand(case: dict[str, Any]) -> None:
    found = engine.lint(whole(case, "config"), schema(case), live=whole(case, "live"), last_applied=whole(case, "last"))
    assert set(case["lint"]) <= {finding.code for finding in found}
