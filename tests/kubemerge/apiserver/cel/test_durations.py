"""Durations as Go reads them."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.text.durations import nanoseconds, nanoseconds_of_format

SECOND = 10**9
DAY = 86400 * SECOND

TEXTS = {
    "0": (0, 0),
    "1h30m": (5400 * SECOND, 5400 * SECOND),
    "-1.5h": (-5400 * SECOND, -5400 * SECOND),
    "1": (None, None),
    "1d": (None, DAY),
    "2 weeks and 1 Day": (None, 15 * DAY),
    "9223372036854775807ns": (2**63 - 1, 2**63 - 1),
    "99999999h": (None, (99999999 * 3600 * SECOND + 2**63) % 2**64 - 2**63),
    "19223372036854775807s": (None, None),
    "9" * 5000 + "s": (None, None),
}
"""Each text with its nanoseconds in expressions, and in the format `duration`."""


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:20])
def test_the_length_of_a_duration(text: str) -> None:
    assert (nanoseconds(text), nanoseconds_of_format(text)) == TEXTS[text]
