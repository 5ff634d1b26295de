"""The time of the patch functions is linear in the length of a list, not quadratic."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.strategic.order import deduplicate, sort_by_order
from tests.conformance.schemas import engine_schema
from tests.conftest import clock

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES = 8
MOST = 3 * TIMES
"""The maximum ratio for eight times the elements; quadratic would be 64."""
FEW_SCALARS, FEW_ELEMENTS = 2000, 300
"""Comparing scalars is so fast that quadratic time does not show for small numbers."""

ITEM = engine_schema("MergeItem")
SCALARS, KEYED = "mergingStringList", "mergingList"


def names(count: int, first: int = 0) -> list[str]:
    """Names in a fixed order."""
    return [f"k{at * 7919 % count + first}" for at in range(count)]


def scalars(count: int, first: int = 0) -> dict[str, Any]:
    return {SCALARS: names(count, first)}


def keyed(count: int, first: int = 0, **more: Any) -> dict[str, Any]:
    return {KEYED: [{"name": name, **more} for name in names(count, first)]}


def twice(count: int, first: int = 0) -> dict[str, Any]:
    return {SCALARS: names(count // 2, first) * 2}


def ordered(count: int, first: int = 0) -> dict[str, Any]:
    return {**scalars(count, first), f"$setElementOrder/{SCALARS}": names(count, first)}


def deleted(count: int) -> dict[str, Any]:
    return {KEYED: [{"name": name, "$patch": "delete"} for name in names(count)]}


CALLS: dict[str, tuple[Callable[..., Any], Callable[[int], tuple[dict[str, Any], ...]]]] = {
    "apply the same scalars": (engine.apply_patch, lambda n: (scalars(n), scalars(n))),
    "apply other scalars": (engine.apply_patch, lambda n: (scalars(n), scalars(n, n))),
    "apply half of the scalars": (engine.apply_patch, lambda n: (scalars(n), scalars(n, n // 2))),
    "apply scalars with their order": (engine.apply_patch, lambda n: (scalars(n), ordered(n, n // 2))),
    "apply repeated scalars": (engine.apply_patch, lambda n: (twice(n), twice(n))),
    "apply elements": (engine.apply_patch, lambda n: (keyed(n), keyed(n, n // 2, value="1"))),
    "delete elements": (engine.apply_patch, lambda n: (keyed(n), deleted(n))),
    "combine scalars": (engine.merge_patches, lambda n: (scalars(n), scalars(n, n // 2))),
    "combine elements": (engine.merge_patches, lambda n: (keyed(n), keyed(n, n // 2))),
    "compare scalars": (engine.two_way_patch, lambda n: (scalars(n), scalars(n, n // 2))),
    "compare repeated scalars": (engine.two_way_patch, lambda n: (twice(n), {SCALARS: ["x"]})),
    "compare elements": (engine.two_way_patch, lambda n: (keyed(n), keyed(n, n // 2))),
    "three ways, scalars": (engine.three_way_patch, lambda n: (scalars(n), scalars(n, n // 2), scalars(n, n))),
    "three ways, elements": (engine.three_way_patch, lambda n: (keyed(n), keyed(n, n // 2), keyed(n, n))),
    "conflicts": (engine.conflicts, lambda n: (keyed(n, value="1"), keyed(n, value="2"))),
}


def taken(call: Callable[[], Any]) -> float:
    """The time of a call without the garbage collector, whose own time depends on all tests before."""
    gc.disable()
    try:
        started = clock()
        call()
        return clock() - started
    finally:
        gc.enable()


def grows_by_its_length(call: Callable[[int], Callable[[], Any]], few: int) -> bool:
    """True if more elements take proportionally longer; retried, because others use the processor too."""
    short = min(taken(call(few)) for _ in range(2))
    return any(taken(call(few * TIMES)) < MOST * short for _ in range(3))


@pytest.mark.parametrize("name", CALLS)
def test_eight_times_the_elements_take_about_eight_times_as_long(name: str) -> None:
    function, make = CALLS[name]

    def call(count: int) -> Callable[[], Any]:
        documents = make(count)
        return lambda: function(*documents, ITEM)

    assert grows_by_its_length(call, FEW_SCALARS if "scalars" in name else FEW_ELEMENTS)


@pytest.mark.parametrize(
    "call",
    [
        lambda count: lambda: deduplicate(names(count) * 2),
        lambda count: lambda: sort_by_order(names(count, count // 2), names(count), None),
    ],
    ids=["repeated scalars", "scalars without a place"],
)
def test_ordering(call: Callable[[int], Callable[[], Any]]) -> None:
    assert grows_by_its_length(call, FEW_SCALARS)


def applied(count: int) -> tuple[dict[str, Any], engine.Outcome]:
    """The outcome of a server-side apply of a container with variables."""
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "x"},
        "spec": {"containers": [{"name": "c", "env": [{"name": name, "value": "1"} for name in names(count)]}]},
    }
    outcome = engine.server_side_apply(pod, None, engine.load().schema("v1", "Pod"), manager="me")
    assert outcome.merged is not None
    return outcome.merged, outcome


@pytest.mark.parametrize("what", ["field_owners", "changes"])
def test_the_owners_of_elements(what: str) -> None:
    def call(count: int) -> Callable[[], Any]:
        live, outcome = applied(count)
        return (lambda: engine.field_owners(live)) if what == "field_owners" else (lambda: outcome.changes)

    assert grows_by_its_length(call, FEW_ELEMENTS)
