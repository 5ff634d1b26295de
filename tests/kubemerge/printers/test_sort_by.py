"""`--sort-by`: digits count as numbers, quantities as amounts, and missing values come first."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.printers.jsonpath_steps import BadPath
from kubemerge.printers.sort_by import sorted_by

ORDERS: dict[str, list[Any]] = {
    "digits are numbers": ["web-2", "web-10", "web-10a", "web-9000"],
    "quantities are amounts": ["500m", "1", "1500m", "1Gi", "2Gi"],
    "numbers": [-1, 2, 10, 10.5],
    "what is not there comes first": [None, "a", "b"],
    "letters by their numbers": ["A", "a", "b"],
    "a number in a text is less than a letter": ["a1", "aa"],
    "numbers of any length": ["a7", "a10", "a" + "9" * 5000, "a1" + "0" * 5000],
    "digits of other scripts are letters": ["a9", "a²", "a٣"],
    "times": ["2026-01-02T00:00:00Z", "2026-01-10T00:00:00Z"],
}


@pytest.mark.parametrize("values", ORDERS.values(), ids=ORDERS)
def test_order(values: list[Any]) -> None:
    objects = [{"spec": {} if value is None else {"x": value}} for value in values]
    assert sorted_by(objects[::-1], ".spec.x") == objects


def test_equals_stay_as_they_came() -> None:
    objects = [{"spec": {"x": value}, "at": at} for at, value in enumerate(["1", "1000m", "1"])]
    assert sorted_by(objects, "{.spec.x}") == objects


def test_a_path_that_leads_nowhere_is_an_error() -> None:
    with pytest.raises(BadPath, match="couldn't find any field"):
        sorted_by([{"a": 1}, {"a": 2}], ".spec.x")
    assert sorted_by([], ".spec.x") == []
