"""Calls of functions and runs of lines grow at most in proportion to the input, for all commands and requests.

Both are counted for two sizes of input, so neither the machine nor its load matters. `python -m benchmarks.growth`
measures all shapes up to the sizes of real inputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ..attack.command_growth import FUNCTIONS, everything, limits_below_all_sizes, over_shape
from ..attack.costs import steep_functions, steep_lines
from ..attack.growth_rows import MANY
from ..attack.shapes import choices, ports

if TYPE_CHECKING:
    from collections.abc import Callable

FEW, MORE = 12, 48
AT_NIGHT = (pytest.mark.slow, pytest.mark.left_out)
STEEP_LINES = {
    "kubemerge plan --repair, many managers": "trees.union_all",
    "kubemerge plan --repair --server-side, many managers": "trees.union_all",
    "fleet repair, many managers": "trees.union_all",
}
"""Rows whose loops are too steep, each with the function."""
ROWS = {
    **{name: over_shape(function, everything) for name, function in FUNCTIONS.items()},
    "kubemerge diff, many invalid ports": over_shape(FUNCTIONS["kubemerge diff"], ports),
    "kubemerge migrate, many invalid ports": over_shape(FUNCTIONS["kubemerge migrate"], ports),
    "kubemerge lint --server-side, volumes that change their kind": over_shape(
        FUNCTIONS["kubemerge lint --server-side"], choices
    ),
    **MANY,
}
FAST = [
    *("kubemerge why", "kubemerge diff", "kubemerge lint --live", "kubemerge migrate"),
    *(
        "kubemerge git-merge",
        "kubemerge git-textconv",
        "POST",
        "PUT",
        "PATCH, apply",
        "PATCH, strategic",
        "GET as YAML",
    ),
    *("kubemerge owners, many managers", "kubemerge plan --as kubectl, many managers"),
    *("GET /openapi/v2, many versions", "GET /openapi/v3, many definitions"),
    *("kubemerge plan --repair, many managers", "kubemerge lint, many policies", "POST, many policies"),
    "a write and its event, many watches",
    *("kubemerge diff, many invalid ports", "kubemerge migrate, many invalid ports"),
]
"""Rows that run by default: each once grew too fast, or is the simplest of its group."""


@pytest.mark.parametrize("name", [name if name in FAST else pytest.param(name, marks=AT_NIGHT) for name in ROWS])
def test_the_calls_grow_with_the_input(name: str) -> None:
    with limits_below_all_sizes():
        assert steep_functions(ROWS[name], FEW, MORE) == []


LOOPS = [
    "kubemerge lint of a chart, many objects",
    "kubemerge plan --as helm, many managers",
    "POST of an object of each kind, many definitions",
    "kubemerge lint with policies, many namespaces",
    "kubemerge lint --server-side, volumes that change their kind",
]
"""Rows in which a loop without calls once grew too fast."""


@pytest.mark.parametrize("name", [name if name in LOOPS else pytest.param(name, marks=AT_NIGHT) for name in ROWS])
def test_the_runs_of_lines_grow_with_the_input(name: str) -> None:
    if name in STEEP_LINES:
        pytest.xfail(f"{STEEP_LINES[name]} runs its lines more often than in proportion to these small inputs")
    with limits_below_all_sizes():
        assert steep_lines(ROWS[name], FEW, MORE) == []


def test_a_loop_for_each_element_is_found() -> None:
    def make(size: int) -> Callable[[], object]:
        return lambda: [[other for other in range(size) if other == one] for one in range(size)]

    assert any("test_growth" in one for one in steep_lines(make, FEW, MORE))


def test_a_search_in_a_list_for_each_element_is_found() -> None:
    def is_equal(one: int, other: int) -> bool:
        return one == other

    def make(size: int) -> Callable[[], object]:
        return lambda: [any(is_equal(-one, other) for other in range(size)) for one in range(1, size)]

    assert any("is_equal" in one for one in steep_functions(make, FEW, MORE))
