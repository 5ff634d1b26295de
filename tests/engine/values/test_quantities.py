"""Quantities are read and printed as in k8s.io/apimachinery.

`quantities.json` has values and the results of `resource.Quantity` of 1.37: the printed value, the value printed after
rounding to thousandths, or the error. They were recorded by `tests.kubemerge.apiserver.record_reference`.
"""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.values.quantities import MILLI, NANO, NO_NUMBER, BadQuantity, amount, canonical, problem
from tests.memory import allocated

ROWS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("quantities.json").read_text(encoding="utf-8"))
READ = [row for row in ROWS if "form" in row]
UNREAD = [row for row in ROWS if "error" in row]


@pytest.mark.parametrize("row", READ, ids=lambda row: repr(row["value"]))
def test_the_reference_prints_the_same(row: dict[str, Any]) -> None:
    assert canonical(row["value"], NANO) == row["form"]
    assert canonical(row["value"], MILLI) == row["listed"]


@pytest.mark.parametrize("row", UNREAD, ids=lambda row: repr(row["value"]))
def test_reference_rejects_the_same(row: dict[str, Any]) -> None:
    assert problem(row["value"]) == row["error"]
    assert amount(row["value"]) is None
    with pytest.raises(BadQuantity):
        canonical(row["value"])


def test_the_recorded_ones_are_many() -> None:
    assert len(READ) > 150
    assert {row["error"].partition(" ")[0] for row in UNREAD} == {"quantities", "unable"}
    assert len({row["error"] for row in UNREAD}) == 3


def test_unescaped_spaces_are_allowed() -> None:
    assert canonical("\u00a01\u3000") == "1"


@pytest.mark.parametrize(
    ("text", "value"), [("1Ki", 1024), ("1.5k", 1500), ("1e3", 1000), ("-2m", Decimal("-0.002")), ("1Ei", 2**60)]
)
def test_the_amount_is_exact(text: str, value: int | Decimal) -> None:
    assert amount(text) == value


@pytest.mark.parametrize(
    "text", ["9" * 9000, "0." + "3" * 9000 + "Ki", "1e-2147483648", "1e2147483646", "0" * 90_000 + "x"]
)
def test_long_quantities_are_fast(text: str) -> None:
    assert problem(text) or canonical(text)


@pytest.mark.parametrize(
    ("text", "form"),
    [("+1n", "+1n"), ("+1.001u", "+1.001u"), ("+1.23456789", "1234567890n"), ("n", "0"), ("e-9", "0")],
)
def test_nine_places_fit_into_64_bits(text: str, form: str) -> None:
    assert canonical(text) == form


@pytest.mark.parametrize(
    ("text", "form"), [("1.0Ki", "1Ki"), ("1023.0", "1023"), ("0.5Ki", "512"), ("1023.0Ki", "1023Ki")]
)
def test_a_binary_suffix_begins_at_1024(text: str, form: str) -> None:
    assert canonical(text) == form


def test_a_suffix_of_more_than_nine_places_needs_a_number() -> None:
    assert problem("e-10") == NO_NUMBER
    assert problem("1e-10") == ""


@given(st.from_regex(r"[+-]?[0-9]{0,25}(\.[0-9]{0,12})?([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,3})?", fullmatch=True))
def test_canonical_form_is_stable(text: str) -> None:
    if not problem(text):
        assert canonical(canonical(text)) == canonical(text)
        assert canonical(canonical(text, MILLI), MILLI) == canonical(text, MILLI)


def test_long_texts_are_not_kept() -> None:
    canonical("1")
    used = allocated(lambda: [len(canonical(f"{number + 1}{'0' * 100_000}E")) for number in range(50)])
    assert used.left < 1_000_000
