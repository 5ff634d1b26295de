"""Known hazards are found in objects of any shape: a server would reject some of them, but files contain them."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.kinds.hazards import HAZARDS

ODD: tuple[Any, ...] = (
    *(None, 5, "x", [5], [[]], [{"key": ["x"]}]),
    *({"apiGroups": ["policy"], "resources": 5}, {"apiGroups": ["extensions"], "resources": [{}]}),
    {"apiVersion": [], "kind": {}},
)


@pytest.mark.parametrize("value", ODD, ids=str)
def test_a_value_of_another_type_is_no_trouble(value: Any) -> None:
    for hazard in HAZARDS:
        hazard.holds(value, {"metadata": {}})
