"""Quantities as whole numbers."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.validation.values.quantities import rounded


@pytest.mark.parametrize(
    ("text", "parts", "number"),
    [
        ("2.0001", 1, 3),
        ("-2.0001", 1, -3),
        ("2.0001", 1000, 2001),
        ("1n", 1000, 1),
        ("8Gi", 1, 2**33),
        ("9223372036854775807", 1, 2**63 - 1),
        ("1e400", 1, 0),
        ("1e2147483647", 1000, 0),
        ("no quantity", 1, 0),
    ],
)
def test_a_fraction_is_rounded_up_and_a_number_without_room_is_0(text: str, parts: int, number: int) -> None:
    assert rounded(text, parts) == number
