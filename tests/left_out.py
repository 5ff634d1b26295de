"""Choose the recorded cases that run by default: `python -m tests.left_out`.

The tests in `CHOSEN` have hundreds of recorded cases. By default only those run that together run every line which all
of them run, cheap ones first. The rest is listed in left_out.json; these cases are slow tests. A new case runs by
default until this is run again.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from functools import reduce
from operator import or_

import pytest

from .conftest import ROOT
from .mutation.baseline import IMPORT, Baseline, Measured

CHOSEN = (
    "tests/apiserver/test_scenarios.py::test_as_the_api_server",
    "tests/apiserver/test_walks.py::test_a_walk",
    "tests/conformance/custom/expressions/test_expressions.py::test_definitions_have_the_same_problems",
    "tests/conformance/kinds/test_recorded.py::test_every_response_equals_the_server",
    "tests/conformance/policies/test_policies.py::test_responses_are_those_of_a_server",
    "tests/conformance/custom/expressions/test_expressions.py::test_rules_have_the_same_costs_and_verdicts",
    "tests/kubemerge/apiserver/http/wire/test_answers.py::test_an_exchange",
    "tests/kubemerge/compare/upgrade/test_corpus.py",
    "tests/conformance/custom/test_custom.py",
    "tests/conformance/kinds/test_releases.py",
    "tests/conformance/releases/test_expressions.py",
    "tests/conformance/releases/test_recorded.py",
    "tests/conformance/releases/test_upgrades.py",
    "tests/kubemerge/apiserver/releases/test_fates.py",
    "tests/kubemerge/cli/terminal/test_widths.py",
)
FILE = ROOT / "tests" / "left_out.json"
CHEAP = 0.01
"""Seconds below which tests cost the same."""


def main() -> int:
    """Run the cases with coverage, and write the names of those to leave out."""
    plugin = Measured(ROOT, "engine", "kubemerge")
    plugin.cover.start()
    settled = ["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    code = pytest.main([*settled, "-m", "not slow or left_out", *CHOSEN], plugins=[plugin])
    plugin.cover.stop()
    if code:
        return int(code)
    baseline = plugin.result()
    left_out = sorted(baseline.seconds.keys() - needed(baseline))
    found: dict[str, list[str]] = defaultdict(list)
    for name in left_out:
        test, _, case = name.removesuffix("]").partition("[")
        if case:
            found[test].append(case)
    FILE.write_text(json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(left_out)} of {len(baseline.seconds)} cases are left out")
    return 0


def needed(baseline: Baseline) -> set[str]:
    """Tests that run every line of all tests: again and again the one with the most new lines for its time."""
    lines = _lines_by_test(baseline)
    missing = reduce(or_, lines.values(), 0)
    chosen: set[str] = set()
    while missing:
        gains = {test: bin(bits & missing).count("1") for test, bits in lines.items()}
        lines = {test: bits for test, bits in lines.items() if gains[test]}
        best = max(sorted(lines), key=lambda test: gains[test] / max(CHEAP, baseline.seconds[test]))
        chosen.add(best)
        missing &= ~lines.pop(best)
    return chosen


def _lines_by_test(baseline: Baseline) -> dict[str, int]:
    """The lines of all files that each test runs, as bits of one number."""
    found = dict.fromkeys(baseline.seconds, 0)
    first = 0
    for tests in baseline.lines.values():
        for test in tests.keys() & found.keys() - {IMPORT}:
            found[test] |= tests[test] << first
        first += max(map(int.bit_length, tests.values()), default=0)
    return found


if __name__ == "__main__":
    sys.exit(main())
