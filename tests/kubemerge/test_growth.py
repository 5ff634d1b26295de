"""No command and no request calls a function more than in proportion to its input.

Calls are counted for two sizes, so neither the machine nor its load matters. `python -m benchmarks.growth` measures all
shapes up to the sizes of real inputs.
"""

from __future__ import annotations

from unittest.mock import patch

import pytest

from ..attack.command_growth import FUNCTIONS, MANY_INPUTS, everything, over_shape
from ..attack.costs import steep_functions

FEW, MORE = 12, 48
ONE_AT_A_TIME = patch("kubemerge.diff.matching.MAX_DIFFLIB_LINES", 10)
"""difflib is quadratic, and compares parts of limited length. Here no part is longer than the smaller input."""
ROWS = {**{name: over_shape(function, everything) for name, function in FUNCTIONS.items()}, **MANY_INPUTS}


@pytest.mark.parametrize("name", ROWS)
def test_the_calls_grow_with_the_input(name: str) -> None:
    with ONE_AT_A_TIME:
        assert steep_functions(ROWS[name], FEW, MORE) == []
