"""`kubemerge fleet lint --policies`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ..apiserver.policies.samples import rules, validating
from ..manifests_in_files import config_map, written

if TYPE_CHECKING:
    from ..shell import Shell

pytestmark = pytest.mark.filterwarnings("ignore")
"""Dask leaves resources open, which causes warnings."""


def test_a_run_evaluates_policies(shell: Shell) -> None:
    for name, size in (("a", 1), ("b", 3)):
        written(shell.folder / f"{name}.jsonl", json.dumps(config_map(data={str(at): "" for at in range(size)})))
    policies = written(shell.folder / "policies.yaml", *_at_most(2))
    options = ("--select", "KM113", "-o", "json", "--policies", policies)
    assert shell.run("fleet", "lint", "a.jsonl", "b.jsonl", "--out", "out", *options) == 1
    assert [(one["cluster"], one["what"]) for one in json.loads(shell.out)["counts"]] == [("b", "KM113")]
    written(policies, *_at_most(3))
    assert shell.run("fleet", "lint", "a.jsonl", "b.jsonl", "--out", "out", "--replace", *options) == 0
    assert json.loads(shell.out)["counts"] == []


def _at_most(size: int) -> list[dict[str, object]]:
    return validating(f"size(object.data) <= {size}", matchConstraints=rules("configmaps"))
