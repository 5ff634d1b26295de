"""`kubemerge apply` has the results of kubectl and of real servers of every release."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from .__main__ import main
from .compare import differing, words
from .replay import recorded, replayed

if TYPE_CHECKING:
    from pathlib import Path


def test_recorded_triples(tmp_path: Path) -> None:
    found = []
    for release, cases in recorded().items():
        folder = tmp_path / release
        folder.mkdir()
        found += [f"{release} {one}" for one in replayed(release, cases, folder)]
    assert found == []


def test_lines_belong_to_objects() -> None:
    output = (
        'Warning: old\ndeployment.apps/t1000 created\nThe Service "t1001" is invalid: \n* spec.a: Required value\n'
        'Error from server (Invalid): error when applying patch:\n{}\nto:\nResource: "x"\nName: "t1002"\n'
        'for: "/tmp/a/configs/t1002.json": error when patching "/tmp/a/configs/t1002.json": wrong\n'
    )
    assert words(output, 37) == {
        "t1000": ["Warning: old", "deployment.apps/t1000 created"],
        "t1001": ['The Service "t1001" is invalid: \n* spec.a: Required value'],
        "t1002": [
            'Error from server (Invalid): error when applying patch:\n{}\nto:\nResource: "x"\nName: "t1002"\n'
            'for: "t1002.json": error when patching "t1002.json": wrong'
        ],
    }


@pytest.mark.parametrize(("shown", "is_listed"), [("map[string]string{}", True), ('map[string]string{"a":"b"}', False)])
def test_empty_maps_in_go_syntax_are_listed(shown: str, is_listed: bool) -> None:
    ours, theirs = (
        {
            "words": [[], [f"nodeTopology: Invalid value: v1.LabelSelector{{MatchLabels:{one}}}"]],
            "objects": [None, None],
        }
        for one in ("map[string]string(nil)", shown)
    )
    assert (differing(ours, theirs, 33) == []) is is_listed


@pytest.mark.slow
@pytest.mark.skipif("KUBECONFIG" not in os.environ, reason="needs a server that may be filled, and its kubectl")
def test_random_triples_on_a_real_server() -> None:
    assert main(["--count", "50", "--seed", "7"]) == 0
