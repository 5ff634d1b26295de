"""The recorded cases are current, and the tools around the reference work."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from . import cases, mergeitem, yaml_fuzz
from .answers import answers
from .generate import case
from .inputs import handwritten, line_of, problems
from .oracle import Oracle, OracleDied, OracleUnavailable
from .shrink import shrunk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INPUTS = handwritten()
MERGE = {"op": "apply", "schema": {"go": "MergeItem"}}


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    try:
        with Oracle() as running:
            running.ask({"op": "version"})
            yield running
    except OracleUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", INPUTS)
def test_every_input_is_recorded(name: str) -> None:
    found = [
        {key: value for key, value in line.items() if key not in ("expect", "lookups")} for line in cases.raw(name)[1:]
    ]
    assert [line_of(line) for line in found] == [line_of(line) for line in INPUTS[name]]


def test_names_are_unique_in_a_file() -> None:
    for name in cases.files():
        names = [case.name for case in cases.load(name)]
        assert len(names) == len(set(names)), name


def test_inputs_are_complete() -> None:
    for name, found in INPUTS.items():
        for one in found:
            assert problems(one) == [], (name, one["name"])


@pytest.mark.parametrize("name", INPUTS)
def test_recorded_cases_are_current(oracle: Oracle, name: str) -> None:
    recorded = cases.raw(name)[1:]
    for line, found in zip(recorded, answers(INPUTS[name], processes=1, repeat=3), strict=True):
        first = next(iter(found))
        for lookup, before in {first: line["expect"], **line.get("lookups", {})}.items():
            assert _possible(found[lookup], before), (line["name"], lookup, before, found[lookup])


def _possible(now: dict[str, Any], before: dict[str, Any]) -> bool:
    """True if all current responses were recorded; a few repetitions need not show all recorded ones."""
    said = before.get("varies", [before])
    return all(one in said for one in now.get("varies", [now]))


def test_recorded_versions_are_current(oracle: Oracle) -> None:
    version = oracle.ask({"op": "version"})["result"]["modules"]
    for name in cases.files():
        assert cases.raw(name)[0]["reference"]["modules"] == version, name


def test_large_responses_come_in_order(oracle: Oracle) -> None:
    large = {str(number): "x" * 100 for number in range(2000)}
    asked = [{**MERGE, "target": {"simpleMap": large}, "patch": {"name": str(number)}} for number in range(40)]
    assert [answer["result"]["name"] for answer in oracle.ask_many(asked)] == [str(number) for number in range(40)]


def test_crash_of_the_reference_is_a_response(oracle: Oracle) -> None:
    answer = oracle.ask({**MERGE, "target": {"mergingIntList": [None]}, "patch": {"mergingIntList": [1]}})
    assert "nil pointer" in answer["panic"]
    assert oracle.ask({**MERGE, "target": {}, "patch": {}})["result"] == {}


@pytest.mark.parametrize(
    "question",
    [
        {"op": "melt"},
        {"op": "apply"},
        {"op": "apply", "schema": {"go": "Nothing"}},
        {"op": "apply", "schema": {"go": {"group": "apps", "version": "v1", "kind": "Nothing"}}},
        {"op": "apply", "schema": {"openapi_v2": "nowhere.json", "definition": "x"}},
        {"op": "bench", "call": {"op": "melt"}},
    ],
)
def test_invalid_request_is_rejected(oracle: Oracle, question: dict[str, Any]) -> None:
    assert "refused" in oracle.ask(question)


def test_a_timed_call(oracle: Oracle) -> None:
    call = {**MERGE, "target": {}, "patch": {"name": "a"}}
    timing = oracle.ask({"op": "bench", "call": call, "seconds": 0.01})["result"]["single"]
    assert 0 < timing["min_ns"] <= timing["median_ns"]


def test_a_died_process_is_reported_and_replaced(oracle: Oracle) -> None:
    with Oracle() as own:
        own.ask({"op": "version"})
        assert own._process is not None
        own._process.kill()
        with pytest.raises(OracleDied):
            own.ask({"op": "version"})
        assert "result" in own.ask({"op": "version"})


def test_without_go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(OracleUnavailable, match=r"needs Go"), Oracle():
        pass


def test_the_v3_form_of_the_test_type_is_current() -> None:
    assert mergeitem.TARGET.read_text(encoding="utf-8") == mergeitem.text()


def test_the_go_and_openapi_forms_of_the_test_type_are_one(oracle: Oracle) -> None:
    described = oracle.ask({"op": "fields", "schema": {"go": "MergeItem"}})["result"]
    by_go = {name: (row.get("strategies"), row.get("merge_key")) for name, row in _rows(described).items()}
    document = json.loads(mergeitem.SOURCE.read_text(encoding="utf-8"))
    properties = document["definitions"]["io.k8s.test.v1.MergeItem"]["properties"]
    assert by_go == {name: _marks(schema) for name, schema in properties.items()}


def _rows(described: dict[str, Any]) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = described["types"][described["root"]]
    return rows


def _marks(schema: dict[str, Any]) -> tuple[list[str] | None, str | None]:
    words = schema.get("x-kubernetes-patch-strategy")
    return words.split(",") if words else None, schema.get("x-kubernetes-patch-merge-key")


@pytest.mark.parametrize("schema", ["MergeItem", "apps/v1 Deployment", "v1 Pod 1.7"])
def test_one_seed_gives_one_case(schema: str) -> None:
    drawn = [line_of(case(schema, seed)) for seed in range(30)]
    assert drawn == [line_of(case(schema, seed)) for seed in range(30)]
    assert len(set(drawn)) == 30
    assert [line_of(json.loads(line)) for line in drawn] == drawn


def test_shrinking_keeps_the_failure() -> None:
    large = next(
        one for one in (case("MergeItem", seed) for seed in range(1000)) if "mergingList" in one.get("live", ())
    )
    small = shrunk(large, lambda one: "mergingList" in one["live"])
    assert small["live"] in ({"mergingList": []}, {"mergingList": None})
    assert small["config"] == {}
    assert small["last_applied"] == {}


@pytest.mark.parametrize(
    ("value", "printed"),
    [(1.0, 1), (True, True), (1e21, 1e21), (9223372036854775808, 9223372036854776000), (1e16, 10**16), (0.5, 0.5)],
)
def test_printed_values(value: Any, printed: Any) -> None:
    assert cases.same(printed, value)
    assert json.dumps(cases.as_printed(value)) == json.dumps(printed)


def test_files_are_read_as_kubectl_reads_them(oracle: Oracle, capsys: pytest.CaptureFixture[str]) -> None:
    assert yaml_fuzz.main(["--count", "3000", "--seed", "1"]) == 0, capsys.readouterr().out
