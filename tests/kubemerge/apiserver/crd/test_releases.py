"""Custom resources on servers of earlier releases: each step was on by default since one of them."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.crd import objects
from kubemerge.apiserver.problems import INVALID, WRONG_TYPE

SCHEMA = {
    "type": "object",
    "properties": {
        "n": {"type": "integer", "maximum": 5},
        "d": {"type": "integer", "default": 7},
        "r": {"type": "integer", "x-kubernetes-validations": [{"rule": "self < 3"}]},
    },
}
DEFINITION: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "spec": {"versions": [{"name": "v1", "storage": True, "schema": {"openAPIV3Schema": SCHEMA}}]},
}
THING = {"apiVersion": "a.b/v1", "kind": "Thing", "metadata": {"name": "a"}}
STEPS = [
    # the minor, and whether it looks at the schema, drops unknown fields, fills in defaults, judges rules, and forgives
    (8, (False, False, False, False, False)),
    (9, (True, False, False, False, False)),
    (14, (True, False, False, False, False)),
    (15, (True, True, False, False, False)),
    (16, (True, True, True, False, False)),
    (24, (True, True, True, False, False)),
    (25, (True, True, True, True, False)),
    (29, (True, True, True, True, False)),
    (30, (True, True, True, True, True)),
]


@pytest.mark.parametrize(("minor", "steps"), STEPS, ids=[f"1.{minor}" for minor, _ in STEPS])
def test_the_steps_of_a_release(minor: int, steps: tuple[bool, ...]) -> None:
    release = f"1.{minor}"

    def wrong(content: dict[str, Any], before: dict[str, Any] | None = None) -> bool:
        return bool(objects.problems({**THING, **content}, before, DEFINITION, release).problems)

    looks = wrong({"n": 9})
    drops = objects.prune_unknown({**THING, "x": 1}, DEFINITION, release) == (THING, ["x"])
    fills = objects.apply_defaults(THING, DEFINITION, release).get("d") == 7
    judges = wrong({"r": 4})
    forgives = looks and not wrong({"n": 9}, {**THING, "n": 9})
    assert (looks, drops, fills, judges, forgives) == steps


@pytest.mark.parametrize(("release", "kind"), [("1.23", INVALID), ("1.24", WRONG_TYPE)])
def test_wrong_type_has_its_own_reason_since_1_24(release: str, kind: str) -> None:
    (problem,) = objects.problems({**THING, "n": "a"}, None, DEFINITION, release).problems
    assert (problem.kind, problem.path) == (kind, "n")
