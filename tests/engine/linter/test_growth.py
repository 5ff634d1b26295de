"""The time of lint is linear in the length of a list, not quadratic."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

import engine

from .cases import tables

if TYPE_CHECKING:
    from collections.abc import Callable

FEW, MANY = 500, 4000
MOST = 3 * MANY / FEW
"""The maximum ratio between the times for many and for few elements; quadratic would be 64."""


def containers(names: str, count: int, **more: Any) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": f"{names}{at}", "tty": True, **more} for at in range(count)]}}


def variables(numbers: range) -> dict[str, Any]:
    return {"spec": {"containers": [{"name": "web", "env": [{"name": f"A{at}", "value": "1"} for at in numbers]}]}}


def finalizers(names: str, count: int) -> dict[str, Any]:
    return {"metadata": {"finalizers": [f"{names}{at}.example.com/x" for at in range(count)]}}


def owners(names: str, count: int) -> dict[str, Any]:
    found = [{"apiVersion": "v1", "kind": "Node", "name": names, "uid": f"{names}{at}"} for at in range(count)]
    return {"metadata": {"ownerReferences": found}}


def ports(count: int, *protocols: str, first: int = 1) -> dict[str, Any]:
    numbers = range(first, first + count)
    found = [{"name": f"p{at - first}", "port": at, "protocol": one} for at in numbers for one in protocols]
    return {"spec": {"ports": found}}


SHAPES: dict[str, tuple[str, Callable[[int], tuple[dict[str, Any], dict[str, Any]]]]] = {
    "renamed containers": ("Pod", lambda n: (containers("b", n, image="x"), containers("a", n, image="x"))),
    "other containers": ("Pod", lambda n: (containers("b", n, image="x"), containers("a", n, image="y"))),
    "elements with nulls": ("Pod", lambda n: (containers("a", n, image=None), containers("a", n, image="x"))),
    "added variables": ("Pod", lambda n: (variables(range(n)), variables(range(n // 2, n + n // 2)))),
    "finalizers": ("Pod", lambda n: (finalizers("b", n), finalizers("a", n))),
    "ownerReferences": ("Pod", lambda n: (owners("b", n), owners("a", n))),
    "ports of several protocols": ("Service", lambda n: (ports(n, "TCP"), ports(n, "UDP", "SCTP"))),
    "renumbered ports": ("Service", lambda n: (ports(n, "TCP"), ports(n, "TCP", first=10_001))),
}
"""Config and live with so many elements, and their kind."""


def taken(kind: str, documents: tuple[dict[str, Any], dict[str, Any]]) -> float:
    schema = tables(None).schema("v1", kind)
    head = {"apiVersion": "v1", "kind": kind}
    config, live = ({**head, **one, "metadata": {"name": "x", **one.get("metadata", {})}} for one in documents)
    started = time.process_time()
    engine.lint(config, schema, live=live, last_applied={**head, "metadata": {"name": "x"}})
    return time.process_time() - started


@pytest.mark.parametrize("name", SHAPES)
def test_eight_times_the_elements_take_about_eight_times_as_long(name: str) -> None:
    kind, make = SHAPES[name]
    few = min(taken(kind, make(FEW)) for _ in range(3))
    assert taken(kind, make(MANY)) < MOST * few or taken(kind, make(MANY)) < MOST * few
