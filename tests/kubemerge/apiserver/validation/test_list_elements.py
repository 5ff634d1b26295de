"""Elements of declared lists are found by an index exactly as by comparing all of them."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from kubemerge.apiserver.validation.declarative import _FEW, Case, Elements, Validation

VALUES: list[Any] = [
    *(None, [], {}, {"a": []}, {"a": None}, [None], [[]], 0, False, 1, True, "", "x", {"name": None}, {"name": "x"}),
    *({"name": "x", "port": 1}, {"name": "x", "port": True}, {"name": "x", "port": 2}, {"name": ["y"]}, {"name": "y"}),
    *({"name": "x", "other": 1}, {"port": 1}, [{"a": {}}], ["x"]),
]


@pytest.mark.parametrize("keys", [None, (), ("name",), ("name", "port")])
def test_the_first_match_is_found(keys: tuple[str, ...] | None) -> None:
    rules: Any = SimpleNamespace(keys=keys)
    case = Case(Validation(37, is_update=True), "spec.items", rules, None, None)
    random = Random("elements")
    for _ in range(40):
        items = random.choices(VALUES, k=random.randrange(_FEW + 1, 30))
        elements = Elements(case, items)
        for one in VALUES:
            wanted = next((at for at, other in enumerate(items) if case.matches(one, other)), None)
            assert elements.position(one) == wanted, (one, items)
