"""What a real API server stored of valid and spoilt objects, and what it refused, is what the embedded cluster says.

`recorded.jsonl.gz` has questions about 39 kinds and the answers of 1.37.1; `judge.py` lists what is known to differ.
"""

from __future__ import annotations

from collections import defaultdict
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from . import judge
from .__main__ import main
from .record import recorded

if TYPE_CHECKING:
    from .ask import Case

CASES: dict[str, list[Case]] = defaultdict(list)
for _case in recorded():
    CASES[_case["kind"]].append(_case)


@pytest.mark.parametrize("kind", sorted(CASES))
def test_every_answer_is_that_of_the_server(kind: str) -> None:
    different = [(case["do"], found) for case in CASES[kind] if (found := judge.differences(case, judge.ours(case)))]
    assert different == []


def test_the_sample_has_objects_that_are_stored_and_that_are_refused() -> None:
    assert len(CASES) > 35
    for cases in CASES.values():
        assert {"after", "said"} <= {key for case in cases for key in case}


def test_a_difference_is_noticed() -> None:
    stored = next(case for case in CASES["Ingress"] if "after" in case)
    other = deepcopy(stored)
    other["after"]["spec"]["ingressClassName"] = "another"
    assert judge.differences(other, judge.ours(other)) != []
    assert judge.differences({**stored, "code": 422, "said": "no"}, judge.ours(stored)) != []
    refused = next(case for case in CASES["Ingress"] if case["code"] == 422)
    assert judge.differences({**refused, "said": "no"}, judge.ours(refused)) != []


def test_without_a_server_it_is_said_what_to_do(
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
