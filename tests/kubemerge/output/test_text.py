"""Numbers with their nouns."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.text.text import how_many


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(0, "kind", "0 kinds"), (1, "patch", "1 patch"), (2, "patch", "2 patches"), (21, "object", "21 objects")],
)
def test_how_many(number: int, noun: str, text: str) -> None:
    assert how_many(number, noun) == text
