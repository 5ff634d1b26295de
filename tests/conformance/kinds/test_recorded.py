"""For valid and spoilt objects, the embedded cluster gives the recorded responses of a real API server.

`recorded*.jsonl.gz` have requests about all kinds and the responses of 1.37.1, or of the release that a request names.
`judge.py` lists the known differences.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from . import judge
from .__main__ import main
from .record import recorded

if TYPE_CHECKING:
    from pathlib import Path

    from .ask import Case

CREATED = 201
CASES: dict[str, list[Case]] = defaultdict(list)
for _case in recorded():
    CASES[_case["kind"]].append(_case)


@pytest.mark.parametrize("kind", sorted(CASES))
def test_every_response_equals_the_server(kind: str) -> None:
    different = []
    for case in CASES[kind]:
        found = judge.differences(case, judge.ours(case), strict=case.get("strict", False))
        if found:
            different.append((case["do"], found))
    assert different == []


def test_sample_has_stored_and_rejected_objects() -> None:
    drawn = {kind: [case for case in cases if "strict" not in case] for kind, cases in CASES.items()}
    assert len([cases for cases in drawn.values() if cases]) > 35
    for cases in filter(None, drawn.values()):
        assert {"after", "said"} <= {key for case in cases for key in case}


def test_a_difference_is_noticed() -> None:
    stored = next(case for case in CASES["Ingress"] if case["code"] == CREATED)
    other = deepcopy(stored)
    other["after"]["spec"]["ingressClassName"] = "another"
    assert judge.differences(other, judge.ours(other)) != []
    assert judge.differences({**stored, "code": 422, "said": "no"}, judge.ours(stored)) != []
    refused = next(case for case in CASES["Ingress"] if case["code"] == 422)
    assert judge.differences({**refused, "said": "no"}, judge.ours(refused)) != []


def test_the_table_has_the_shares_of_equal_verdicts_and_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = next(case for case in CASES["Ingress"] if case["code"] == CREATED)
    refused = next(case for case in CASES["Ingress"] if case["code"] == 422)
    cases = [stored, {**refused, "said": "no"}, {**stored, "code": 422, "said": 'a "b" 5'}, refused]
    kept, differing = tmp_path / "kept", tmp_path / "differing"
    kept.write_text("".join(json.dumps(case) + "\n" for case in cases))
    assert main(["--replay", str(kept), "--differing", str(differing)]) == 1
    said = capsys.readouterr().out
    assert re.search(r"^all +4 +75.0% +50.0% +50.0% +0$", said, re.MULTILINE)
    assert '1  code 201, real 422: a "" N  [Ingress]' in said
    assert len(differing.read_text().splitlines()) == 2


def test_missing_server_is_reported_with_a_fix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KUBECONFIG", raising=False)
    assert main(["--count", "1"]) == 2
    assert "set KUBECONFIG" in capsys.readouterr().out


@pytest.mark.slow
def test_questions_to_a_real_server(capsys: pytest.CaptureFixture[str]) -> None:
    if main(["--count", "20", "--seed", "3", "--only", ",".join(sorted(CASES))]) == 2:
        pytest.skip(capsys.readouterr().out)
    assert ", 0 differences" in capsys.readouterr().out
