"""The embedded cluster reads folders of static manifests like a real API server."""

from __future__ import annotations

from ....conftest import needs_posix
from .folders import folders, identity, recorded
from .replay import ours

DIFFER = {
    "a tab": "errors of YAML parsers have our words",
    "text that is not UTF-8": "errors of YAML parsers have our words",
    "an invalid binding": "requests get the shorter text of declarative validation",
}
"""Folders with another error, by name."""
LEAST = 61


@needs_posix
def test_folders_have_the_errors_and_responses_of_a_server() -> None:
    known, differing = recorded(), {}
    for one in folders():
        assert known[one["name"]]["of"] == identity(one), "record it again"
        for mine, other in zip(ours(one), known[one["name"]]["steps"], strict=True):
            if mine != other:
                differing[one["name"]] = (mine, other)
    assert {name: found for name, found in differing.items() if name not in DIFFER} == {}
    assert set(differing) == set(DIFFER)


def test_there_are_as_many_steps_as_before() -> None:
    assert sum(len(one["steps"]) for one in recorded().values()) >= LEAST
