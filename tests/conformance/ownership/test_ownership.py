"""The recorded responses are current, and random writes have the reference's results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ..oracle import Oracle, OracleUnavailable
from .__main__ import main
from .compare import differs, kind_of, places
from .recorded import NAMED, asked, named_cases, played, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    try:
        with Oracle() as running:
            running.ask({"op": "version"})
            yield running
    except OracleUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.slow
def test_recorded_responses_of_the_reference_are_current(oracle: Oracle) -> None:
    answers = {line["name"]: line["answers"] for line in recorded(NAMED)}
    for case in named_cases():
        said = [answer for _, answer in played(case, asked(oracle))]
        assert not any(differs(one, other) for one, other in zip(said, answers[case["name"]], strict=True))


@pytest.mark.slow
def test_random_writes_equal_the_reference(oracle: Oracle, capsys: pytest.CaptureFixture[str]) -> None:
    assert oracle
    assert main(["--count", "600", "--seed", "7"]) == 0
    assert "0 differences" in capsys.readouterr().out


def test_answers_differ_by_more_than_the_words_of_an_error() -> None:
    assert not differs({"error": "a"}, {"error": "b"})
    assert differs({"error": "a"}, {"object": {}})
    assert differs({"object": {"a": 1}}, {"object": {"a": True}})
    assert kind_of({"conflicts": [], "message": ""}) == "conflicts"
    assert places({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}], "c": 4}) == [
        "/a/1/b: ours 2, theirs 3",
        '/c: ours "nothing", theirs 4',
    ]
    entries = [{"manager": name, "operation": "Update", "fieldsV1": {}} for name in "ab"]
    one, other = ({"object": {"metadata": {"managedFields": given}}} for given in (entries, entries[::-1]))
    assert not differs(one, other)
