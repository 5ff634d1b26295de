"""Of the objects recorded for the embedded cluster, those that a real API server rejected have findings.

Those that it stored have none.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

import pytest

import engine
from engine.linter import findings_if_plain, lint
from kubemerge.linting.gate.gate import Gate
from kubemerge.linting.gate.rules.refusals import KINDS
from tests.conformance.kinds.judge import release_of
from tests.conformance.kinds.record import recorded

if TYPE_CHECKING:
    from tests.conformance.kinds.ask import Case

REFUSING = {"KM101", "KM107", "KM109", *KINDS}
CASES: dict[str, list[Case]] = defaultdict(list)


def _is_judged(case: Case) -> bool:
    """Left out: an error that depends on a label of the namespace, and the name that a server gives a LimitRange."""
    if case["do"] != "create" or "adminAccess: Forbidden" in case.get("said", ""):
        return False
    return case["kind"] != "LimitRange" or "name" in case["body"].get("metadata", {})


for _case in filter(_is_judged, recorded()):
    CASES[_case["kind"]].append(_case)


@cache
def gate(release: str) -> Gate:
    """The gate of one release."""
    return Gate((release,))


@pytest.mark.parametrize("kind", sorted(CASES))
def test_what_the_server_refused_is_found_and_nothing_else(kind: str) -> None:
    different = []
    for case in CASES[kind]:
        found = {one.finding.code for one in gate(release_of(case)).findings(case["body"], None)} & REFUSING
        if bool(found) != (case["code"] != 201):
            different.append((case.get("said", "stored"), found, case["body"]))
    assert different == []


def test_there_are_objects_of_both_sorts() -> None:
    codes = [case["code"] for cases in CASES.values() for case in cases]
    assert codes.count(201) > 100
    assert len(codes) - codes.count(201) > 100


def test_of_what_is_plain_the_long_way_finds_nothing_either() -> None:
    plain = 0
    for case in (one for cases in CASES.values() for one in cases):
        tables = engine.load(release_of(case))
        schema = tables.schema(case["body"]["apiVersion"], case["body"]["kind"])
        if findings_if_plain(case["body"], schema) is not None:
            plain += 1
            assert lint(case["body"], schema, last_applied={}, tables=tables) == [], case["body"]
    assert plain > 50
