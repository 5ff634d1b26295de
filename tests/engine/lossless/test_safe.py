"""Safe merging loses nothing, and its patch leads to the right result under the exact rules."""

from __future__ import annotations

import ast
import copy
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import codegen
import engine
from codegen.documents.yaml_text import documents
from tests.conformance import safety
from tests.conformance.schemas import engine_schema
from tests.conftest import ROOT

CASES = list(documents((Path(__file__).parent / "safe.yaml").read_text(encoding="utf-8")))
MERGING = [case for case in CASES if "result" in case]
REFUSED = [
    pytest.param(
        case, marks=pytest.mark.xfail(strict=True, reason=case["pending"]) if "pending" in case else (), id=case["name"]
    )
    for case in CASES
    if "error" in case
]
PAGE = (ROOT / "docs" / "safe.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"^```yaml\n(?P<head>(?:# (?:release|type|kind|lists): [^\n]*\n)+)(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)


def schema(case: dict[str, Any]) -> engine.Schema:
    return engine.load("1.37").schema(*case["kind"])


def three_way(case: dict[str, Any], *, safe: bool, overwrite: bool = True) -> Any:
    return engine.three_way_patch(case["last"], case["config"], case["live"], schema(case), overwrite, safe=safe)


@pytest.mark.parametrize("case", MERGING, ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    before = copy.deepcopy(case)
    patch = three_way(case, safe=True)
    merged = engine.apply_patch(case["live"], patch, schema(case))
    assert merged == case["result"]
    if "patch" in case:
        assert patch == case["patch"]
    assert case == before, "an input was changed"
    assert engine.three_way_patch(case["config"], case["config"], merged, schema(case), safe=True) == {}


@pytest.mark.parametrize("case", MERGING, ids=lambda case: case["name"])
def test_exact_merge_result(case: dict[str, Any]) -> None:
    patch = three_way(case, safe=False)
    if case.get("exact") == "refused":
        with pytest.raises(engine.MergeError):
            engine.apply_patch(case["live"], patch, schema(case))
        return
    assert engine.apply_patch(case["live"], patch, schema(case)) == case.get("exact", case["result"])
    if "sends" in case:
        assert patch, "the exact merge sends something that changes nothing"


@pytest.mark.parametrize("case", REFUSED)
def test_rejected_inputs(case: dict[str, Any]) -> None:
    with pytest.raises(engine.MergeError) as caught:
        three_way(case, safe=True)
    name, path, facts = case["error"]
    assert (type(caught.value).__name__, caught.value.path) == (name, path)
    assert {fact: json.loads(json.dumps(getattr(caught.value, fact))) for fact in facts} == facts
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("case", [param for param in REFUSED if not param.marks], ids=lambda case: case["name"])
def test_create_is_rejected_too(case: dict[str, Any]) -> None:
    metadata = {"name": "x", **case["config"].get("metadata", {})}
    head = {"apiVersion": case["kind"][0], "kind": case["kind"][1]}
    with pytest.raises(engine.MergeError) as caught:
        engine.apply({**case["config"], **head, "metadata": metadata}, None, schema(case), safe=True)
    assert (type(caught.value).__name__, caught.value.path) == tuple(case["error"][:2])


@pytest.mark.parametrize("case", MERGING, ids=lambda case: case["name"])
def test_apply_does_the_same(case: dict[str, Any]) -> None:
    names = {"apiVersion": case["kind"][0], "kind": case["kind"][1]}
    last, config, live = (
        {**case[name], **names, "metadata": {"name": "x", **case[name].get("metadata", {})}}
        for name in ("last", "config", "live")
    )
    outcome = engine.apply(config, live, schema(case), last_applied=last, safe=True)
    expected = {**case["result"], **names, "metadata": {"name": "x", **case["result"].get("metadata", {})}}
    annotations = outcome.merged["metadata"].pop("annotations")
    assert outcome.merged == expected
    again = engine.apply(
        config, {**expected, "metadata": {**expected["metadata"], "annotations": annotations}}, schema(case), safe=True
    )
    assert (again.result, again.patch_type, again.patch) == ("unchanged", "none", {})


def test_reasons_distinguish_ports_by_protocol() -> None:
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}}
    tcp, udp = {"port": 53, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}
    rules = engine.load("1.37").schema("v1", "Service")
    documents = {**service, "spec": {"ports": [{"port": 53}, udp]}}, {**service, "spec": {"ports": [tcp]}}
    told = {
        change.path: change.action
        for change in engine.apply(*documents, rules, last_applied=None, safe=True).changes
        if change.path.startswith("spec")
    }
    assert told == {
        "spec.ports[port=53,protocol=TCP]": "matched",
        "spec.ports[port=53,protocol=TCP].port": "unchanged",
        "spec.ports[port=53,protocol=TCP].protocol": "kept",
        "spec.ports[port=53,protocol=UDP]": "added",
    }
    exact = engine.apply(*documents, rules, last_applied=None).changes
    assert "spec.ports" in [change.path for change in exact], "by the port alone they cannot be told apart"


CONFIG_MAP = engine.load("1.37").schema("v1", "ConfigMap")
SERVICE = engine.load("1.37").schema("v1", "Service")


def test_conflicts_are_found_in_a_safe_merge_too() -> None:
    last, config, live = {"data": {"a": "1"}}, {"data": {"a": "2"}}, {"data": {"a": "3", "b": "theirs"}}
    with pytest.raises(engine.ConflictError) as caught:
        engine.three_way_patch(last, config, live, CONFIG_MAP, False, safe=True)
    assert [(one.path, one.ours, one.theirs) for one in caught.value.conflicts] == [("data.a", "2", "3")]
    assert engine.three_way_patch(last, config, live, CONFIG_MAP, True, safe=True) == {"data": {"a": "2"}}


def test_safe_merge_has_no_conflict_without_other_writers() -> None:
    ports = [{"port": 53, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}]
    last, config, live = {"spec": {"ports": ports[:1]}}, {"spec": {"ports": ports}}, {"spec": {"ports": ports[:1]}}
    patch = engine.three_way_patch(last, config, live, SERVICE, False, safe=True)
    assert engine.apply_patch(live, patch, SERVICE) == config


def test_a_kind_without_a_schema_is_unchanged_when_nothing_changes() -> None:
    config = {"apiVersion": "e.example/v1", "kind": "C", "metadata": {"name": "x"}, "spec": {"gone": None, "a": 1}}
    live = engine.apply(config, None, None).merged
    assert engine.apply(config, live, None, last_applied=None).patch == {"spec": {"gone": None}}
    outcome = engine.apply(config, live, None, last_applied=None, safe=True)
    assert (outcome.result, outcome.patch) == ("unchanged", {})


RELEASES = ("1.7", "1.8", "1.9", "1.10", "1.11", "1.12", "1.13", "1.14", "1.20", "1.29", "1.30", "1.37")
"""All releases before the protocol of a port was stated to be a key, and some after."""


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("kind", safety.PORTS)
def test_ports_with_one_number_are_distinguished_in_every_release(kind: str, release: str) -> None:
    rules = engine_schema(f"{kind} {release}")
    for drawn in safety.port_triples(kind, release, 30):
        found = safety.faults(drawn["last_applied"], drawn["config"], drawn["live"], rules)
        assert found == [], f"{found}\n{json.dumps(drawn)}"


def promises_kept(count: int, seed: int) -> int:
    """The number of random triples that were compared, and not rejected; none may break a promise."""
    judged = 0
    for name, drawn in safety.triples(count, seed):
        if '"mergingLists"' in json.dumps(drawn):
            continue  # lists of lists, which only the test type has, and which never merge
        found = safety.faults(drawn["last_applied"], drawn["config"], drawn["live"], engine_schema(name))
        assert not found, f"{found}\n{json.dumps({'schema': name, **drawn})}"
        judged += found is not None
    return judged


def test_no_promise_is_broken_for_random_triples() -> None:
    assert promises_kept(750, 4) > 350


@pytest.mark.slow
@pytest.mark.left_out
def test_no_promise_is_broken_for_very_many_random_triples() -> None:
    assert promises_kept(20_000, 5) > 10_000


class Example(NamedTuple):
    """One worked example of docs/safe.md."""

    head: dict[str, str]
    documents: dict[str, Any]


def examples() -> list[Example]:
    found = []
    for block in BLOCK.finditer(PAGE):
        head = dict(re.findall(r"^# (\w+): (.*)$", block["head"], re.MULTILINE))
        labels = re.findall(r"^# (last-applied|config|live|result|patch|exact)$", block["body"], re.MULTILINE)
        assert labels[:4] == ["last-applied", "config", "live", "result"], block["body"]
        found.append(Example(head, dict(zip(labels, documents(block["body"]), strict=True))))
    return found


@cache
def tables() -> engine.Tables:
    return engine.load().overlay(codegen.read(str(ROOT / "tests" / "data" / "crds")))


def test_every_yaml_block_of_the_page_is_an_example() -> None:
    assert len(examples()) == PAGE.count("```yaml\n") >= 10


@pytest.mark.parametrize("example", examples(), ids=lambda example: str(list(example.documents["config"])))
def test_example_of_the_page_has_the_shown_result(example: Example) -> None:
    head, shown = example
    if head.get("lists") == "schema":
        by_schema(head["kind"].split(), shown)
        return
    rules = tables().definition(head["type"])
    last, config, live = (shown[name] for name in ("last-applied", "config", "live"))
    patch = engine.three_way_patch(last, config, live, rules, safe=True)
    assert engine.apply_patch(live, patch, rules) == shown["result"]
    if "patch" in shown:
        assert patch == shown["patch"]
    exact = engine.three_way_patch(last, config, live, rules)
    assert engine.apply_patch(live, exact, rules) == shown.get("exact", shown["result"])


def by_schema(kind: list[str], shown: dict[str, Any]) -> None:
    """An example of lists="schema": its documents are the spec of an object."""
    names = {"apiVersion": kind[0], "kind": kind[1], "metadata": {"name": "x"}}
    last, config, live = ({**names, "spec": shown[name]} for name in ("last-applied", "config", "live"))
    rules = tables().schema(kind[0], kind[1])
    outcome = engine.apply(config, live, rules, last_applied=last, lists="schema")
    assert outcome.merged["spec"] == shown["result"]
    assert outcome.patch["spec"] == shown.get("patch", outcome.patch["spec"])
    exact = engine.apply(config, live, rules, last_applied=last)
    assert exact.merged["spec"] == shown.get("exact", shown["result"])


def test_the_python_of_the_page_does_what_its_comments_say() -> None:
    """Every expression that is followed by `# -> value` has that value; the statements before it are run."""
    block = PAGE.split("```python\n")[1].split("```")[0]
    names: dict[str, Any] = {}
    said = 0
    for node in ast.parse(block).body:
        after = block.splitlines()[(node.end_lineno or 0) - 1][node.end_col_offset :]
        if not isinstance(node, ast.Expr):
            exec(ast.unparse(node), names)
            continue
        said += 1
        assert eval(ast.unparse(node), names) == ast.literal_eval(after.partition("# -> ")[2]), ast.unparse(node)
    assert said >= 5
