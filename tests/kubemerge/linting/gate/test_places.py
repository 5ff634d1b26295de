"""Where a message of a server points to."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.linting.gate.places import steps_of

CONTENT = {"": 1, "spec": {"": 1, "a.b": {"c": [{"d": 1}]}, "list": [1]}}


@pytest.mark.parametrize(
    ("place", "steps"),
    [
        ("spec.a.b.c[0].d", ("spec", "a.b", "c", 0, "d")),
        ("spec.list[0]", ("spec", "list", 0)),
        ("spec.", ("spec", "")),
        ("data[x.y]", ("data", "x.y")),
    ],
)
def test_a_place_has_steps(place: str, steps: tuple[Any, ...]) -> None:
    assert steps_of(place, CONTENT) == steps
