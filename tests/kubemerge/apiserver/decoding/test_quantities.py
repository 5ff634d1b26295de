"""Quantities as Go holds them in memory; see the recorded scenarios in `tests/apiserver/scenarios/quantities.yaml`."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.decoding.quantities import is_held_as_stored


@pytest.mark.parametrize(
    ("sent", "stored", "unprinted", "printed"),
    [
        ("100Mi", "100Mi", True, True),
        ("512Mi", "512Mi", True, False),
        ("0", "0", True, True),
        ("1000m", "1", False, False),
        ("8192Mi", "8Gi", True, False),
        ("8589934592", "8Gi", False, False),
        ("1024Mi", "1Gi", False, False),
        ("no quantity", "no quantity", True, True),
    ],
)
def test_a_quantity_keeps_its_text_if_that_is_obviously_canonical(
    sent: str, stored: str, unprinted: bool, printed: bool
) -> None:
    assert is_held_as_stored(sent, stored, printed=False) is unprinted
    assert is_held_as_stored(sent, stored, printed=True) is printed
