"""Growth of the cost of a call with the size of its input, measured so that other processes do not matter.

A cost is the processor time of this thread, the least of several runs, without the garbage collector. Where the growth
looks too steep, it is measured again, because noise only ever adds to a cost. It is then compared with the growth of a
plain sort. Commands take too long for that. The calls of each function
and the runs of each line are counted instead, which takes small sizes.
"""

from __future__ import annotations

import gc
import math
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from .trial import insist

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType, FrameType

    Make = Callable[[int], Callable[[], object]]
    """Make the call for a size. Only the call is measured, not its preparation."""

SIZES = (1_000, 4_000, 16_000)
STEEPEST = 1.25
"""The steepest exponent from the smallest to the largest size."""
N_LOG_N = 1.12
"""The exponent that n log n has there."""
TOO_STEEP = 1.6
"""The exponent of the first step from which the next one is not worth the wait."""
SMALLEST = 0.004
"""Seconds below which a cost is ignored: a call that takes less for the largest size is fast enough."""
AGAIN = 6
MANY_TIMES = 20
PAUSE = 0.2
"""Seconds between two measurements of a growth that seems too steep, so that other work of the machine may end."""
NOISE = 0.3
"""The error allowed in a measured exponent."""


def cost(make: Make, size: int, runs: int) -> float:
    """The least cost of some runs, in seconds."""
    found = math.inf
    for _ in range(runs):
        call = make(size)
        gc.collect()
        gc.disable()
        try:
            begun = time.thread_time()
            call()
            found = min(found, time.thread_time() - begun)
        finally:
            gc.enable()
    return found


def exponent(make: Make, sizes: tuple[int, ...] = SIZES) -> float:
    """The exponent of the growth: 1 is linear, 2 is quadratic. Only as exact as needed to recognize steep growth."""
    small, middle, large = sizes
    costs = {size: cost(make, size, 2) for size in (small, middle)}
    if costs[middle] > SMALLEST and _measured(make, costs, small, middle, TOO_STEEP) > TOO_STEEP:
        return _steepness(costs, small, middle)
    costs[large] = cost(make, large, 1)
    if costs[large] < SMALLEST:
        return 0.0
    found = _measured(make, costs, small, large, STEEPEST)
    return found if found <= STEEPEST else found - _of_the_machine(small, large)


def _of_the_machine(small: int, large: int) -> float:
    """The growth of a sort beyond n log n on this machine: large data miss the caches, most on a busy machine."""
    costs = {size: cost(_sort, size, AGAIN) for size in (small, large)}
    return max(0.0, _steepness(costs, small, large) - N_LOG_N)


def _sort(size: int) -> Callable[[], object]:
    return lambda: sorted(({"name": f"n{n * 7919 % size}", "value": str(n)} for n in range(4 * size)), key=_name)


def _name(element: dict[str, str]) -> str:
    return element["name"]


def _measured(make: Make, costs: dict[int, float], small: int, large: int, most: float) -> float:
    """The exponent between two sizes. If it exceeds `most` only slightly, which may be noise, it is measured again."""
    for _ in range(MANY_TIMES):
        if not most < _steepness(costs, small, large) < most + NOISE:
            break
        time.sleep(PAUSE)
        for size in (small, large):
            costs[size] = min(costs[size], cost(make, size, 1))
    return _steepness(costs, small, large)


def _steepness(costs: dict[int, float], small: int, large: int) -> float:
    return math.log(costs[large] / max(costs[small], 1e-6)) / math.log(large / small)


def grows_slowly(what: str, make: Make, sizes: tuple[int, ...] = SIZES) -> float:
    """Insist that the cost grows no faster than n log n, and return its exponent."""
    found = exponent(make, sizes)
    insist(found <= STEEPEST, f"{what}: the cost grows with the power {found:.2f} of the size")
    return found


# ---- counted calls --------------------------------------------------------------------------------------------------

FEW_ELEMENTS, MORE_ELEMENTS = 24, 96
"""Sizes at which calls are counted. Counts are exact, so small sizes are enough to see a power in one function."""
STEEPEST_COUNT = 1.5
"""The steepest exponent of the calls of one function: those of n log n have less, those of n * n have 2."""
LEAST = 6
"""The number of calls an element from which a function counts: n log n has fewer."""
LARGEST, SHARE = 8_000, 0.1
"""A line whose runs grow with the square of the size counts if they are this share of all runs at the largest size."""


def calls(call: Callable[[], object]) -> Counter[str]:
    """The number of calls of each function from each Python function, Python's own as well, while a call runs.

    `cProfile` is faster, but from Python 3.12 on it takes the functions of other threads for callers.
    """
    found: Counter[tuple[CodeType | str, CodeType]] = Counter()

    def count(frame: FrameType, event: str, of: Any) -> None:
        if event == "call":
            if frame.f_back is not None:
                found[frame.f_code, frame.f_back.f_code] += 1
        elif event == "c_call":
            found[of.__qualname__, frame.f_code] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(before)
    named: Counter[str] = Counter()
    for (code, caller), times in found.items():
        named[f"{_of_code(code)} from {_of_code(caller)}"] += times
    return named


def _of_code(code: CodeType | str) -> str:
    return code if isinstance(code, str) else f"{code.co_filename}:{code.co_firstlineno} {code.co_name}"


def lines(call: Callable[[], object]) -> Counter[str]:
    """The number of times that each line runs while a call runs. A loop in one line counts once for each turn."""
    found: Counter[tuple[CodeType, int]] = Counter()

    def count(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            found[frame.f_code, frame.f_lineno] += 1
        return count

    before = sys.gettrace()
    sys.settrace(lambda *_: count)
    try:
        call()
    finally:
        sys.settrace(before)
    counts: Counter[str] = Counter()
    for (code, line), number in found.items():
        counts[f"{code.co_filename}:{line} {code.co_name}"] += number
    return counts


def steep_functions(make: Make, few: int = FEW_ELEMENTS, more: int = MORE_ELEMENTS) -> list[str]:
    """The functions that are called too often for many elements, most calls first."""
    return _steep(calls, "calls of", make, few, more)


def steep_lines(make: Make, few: int = FEW_ELEMENTS, more: int = MORE_ELEMENTS) -> list[str]:
    """The lines that run too often for many elements, the most frequent first. They include loops without calls."""
    return _steep(lines, "runs of", make, few, more, share=SHARE)


def _steep(
    count: Callable[[Callable[[], object]], Counter[str]],
    counted: str,
    make: Make,
    few: int,
    more: int,
    share: float = 0.0,
) -> list[str]:
    make(more if share else 2)()  # the first call imports modules, and that of a size loads tables
    before, after = (count(make(size)) for size in (few, more))
    most = (more / few) ** STEEPEST_COUNT
    least = max(LEAST * more, share * after.total() * more / LARGEST)
    steep = [name for name, number in after.items() if number > max(most * max(before[name], 1), least)]
    return [f"{before[name]} -> {after[name]} {counted} {name}" for name in sorted(steep, key=lambda one: -after[one])]


def count_exponent(counts: Mapping[int, float]) -> float:
    """The exponent between the smallest and the largest size."""
    small, large = min(counts), max(counts)
    return math.log(counts[large] / counts[small]) / math.log(large / small)
