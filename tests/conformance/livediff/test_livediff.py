"""`diff`, `why`, `merge` and `fleet drift` predict from files what kubectl reports on a real server.

`cases.jsonl.gz` has pairs of a live object and a config, with the output of `kubectl diff` and `kubectl apply`.
"""

from __future__ import annotations

from collections import defaultdict
from copy import deepcopy
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from . import ours
from .__main__ import main
from .changes import changes
from .compare import contrast, differences
from .drawn import DRAWN
from .facts import facts_differ
from .record import recorded

if TYPE_CHECKING:
    from .batch import Case

CASES: dict[str, list[Case]] = defaultdict(list)
for _case in recorded():
    CASES[_case["kind"]].append(_case)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> ours.Answers:
    every = [case for cases in CASES.values() for case in cases]
    return ours.answers(every, tmp_path_factory.mktemp("livediff"), fleet=find_spec("pyarrow") is not None)


@pytest.mark.slow
@pytest.mark.left_out
@pytest.mark.parametrize("kind", sorted(CASES))
def test_prediction_equals_the_server(kind: str, answers: ours.Answers) -> None:
    found = {case["id"]: differences(case, answers) for case in CASES[kind]}
    assert {number: lines for number, lines in found.items() if lines} == {}


def test_the_sample_has_every_kind_changed_and_unchanged() -> None:
    assert len(CASES) > 45
    assert {"Real", "Kept", "Plain", "CustomResourceDefinition"} <= CASES.keys()
    answered = [case for cases in CASES.values() for case in cases if "refused" not in case]
    changed = [case for case in answered if changes(case["before"], case["merged"])]
    assert len(changed) > 100
    assert len(answered) - len(changed) > 50


@pytest.mark.slow
@pytest.mark.left_out
def test_a_difference_is_noticed(answers: ours.Answers) -> None:
    case = next(
        case
        for case in CASES["ConfigMap"]
        if "refused" not in case and case["stored"] and not differences(case, answers)
    )
    for side in ("before", "merged", "stored"):
        other = deepcopy(case)
        other[side]["data"] = {"another": "value"}
        assert differences(other, answers) != {}
    assert differences({**case, "refused": "no"}, answers) != {}
    refused = {**answers.refused, case["id"]: "data: Forbidden"}
    assert differences(case, answers._replace(refused=refused)) != {}
    assert differences(case, answers._replace(merged={}))["merge"] == ["failed: no answer"]
    fact = {"path": "data.more", "action": "added", "before": None, "after": "x", "reason": ""}
    more = {case["id"]: [*answers.why.get(case["id"], []), fact]}
    assert differences(case, answers._replace(why=more)) == {"why --changed": ["only ours /data/more: None -> 'x'"]}


@pytest.mark.slow
@pytest.mark.left_out
def test_field_lists_cover_all_changes(answers: ours.Answers) -> None:
    every = (case for cases in CASES.values() for case in cases if "refused" not in case)
    case = next(case for case in every if answers.diff_facts.get(case["id"]) and not differences(case, answers))
    nothing = answers._replace(diff_facts={})
    assert all(line.startswith("only the server's") for line in differences(case, nothing)["diff -o json"])


def test_changes_are_leaves() -> None:
    before = {"a": {"b": 1, "c": []}, "d": [{"e": 1}, {"e": 2}], "f": 1}
    after = {"a": {"c": [], "x": {}}, "d": [{"e": 1}], "f": 1.0, "g": {"h/i": None}}
    assert changes(before, after) == [
        ["/a/b", [1], []],
        ["/a/x", [], [{}]],
        ["/d/1/e", [2], []],
        ["/g/h~1i", [], [None]],
    ]
    assert contrast({"/a": ([], [1])}, {"/a": ([], [1])}) == []
    assert contrast({"/a": ([], [1])}, {"/a": ([], ["1"])}) != []


def test_without_a_server_the_command_reports_the_fix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("KUBECONFIG", raising=False)
    assert main(["--count", "1"]) == 2
    assert "set KUBECONFIG" in capsys.readouterr().out


@pytest.mark.slow
def test_pairs_of_a_real_server(capsys: pytest.CaptureFixture[str]) -> None:
    if main(["--count", "80", "--seed", "5"]) == 2:
        pytest.skip(capsys.readouterr().out)
    assert "diff               0 differ" in capsys.readouterr().out


def test_an_added_element_does_not_sort_the_list_of_one_side() -> None:
    """The path of the element leads nowhere in `before`. A list in another order differs from this case."""
    before = {"metadata": {}, "spec": {"volumes": [{"name": "b", "a": 1}, {"name": "a", "b": 1}]}}
    added = {"name": "c", "at": DRAWN}
    after = {"metadata": {}, "spec": {"volumes": [*before["spec"]["volumes"], added]}}
    fact = {"path": "spec.volumes[name=c]", "action": "added", "before": None, "after": {"name": "c"}}
    assert facts_differ(before, after, [fact]) == []
    assert facts_differ(before, after, [{**fact, "after": {"name": "c", "at": "d"}}]) != []
    assert facts_differ(before, after, []) != []


def test_a_value_that_only_a_server_chooses_may_be_missing() -> None:
    before = {"metadata": {}, "spec": {"ports": [{"port": 80}]}}
    assert facts_differ(before, {"metadata": {}, "spec": {"ports": [{"port": 80, "nodePort": DRAWN}]}}, []) == []
    assert facts_differ(before, {"metadata": {}, "spec": {"ports": [{"port": 80, "nodePort": 30000}]}}, []) != []


def test_a_new_element_with_a_drawn_value_moves_no_other_element() -> None:
    before = {"metadata": {}, "spec": {"ports": [{"port": 53, "name": "dns"}]}}
    new = {"port": 80, "nodePort": DRAWN}
    after = {"metadata": {}, "spec": {"ports": [new, {"port": 53, "name": "dns", "nodePort": DRAWN}]}}
    fact = {"path": "spec.ports[port=80].port", "action": "added", "before": None, "after": 80}
    assert facts_differ(before, after, [fact]) == []
    assert facts_differ(before, after, []) != []
    chosen = {"metadata": {}, "spec": {"clusterIP": "10.0.0.1"}}
    assert facts_differ(chosen, {"metadata": {}, "spec": {"clusterIP": DRAWN}}, []) != []
