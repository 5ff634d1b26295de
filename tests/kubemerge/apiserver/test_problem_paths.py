"""The steps of a path that a server prints, and the value there."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.problem_paths import steps_of, value_at

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


@pytest.mark.parametrize(
    ("steps", "value"),
    [
        (("spec", "a.b", "c", 0, "d"), 1),
        (("spec", "list", 1), None),
        (("spec", "list", "0"), None),
        (("spec", 0), None),
        ((), CONTENT),
    ],
)
def test_a_value_is_found_at_its_steps(steps: tuple[Any, ...], value: object) -> None:
    assert value_at(CONTENT, steps) == value
