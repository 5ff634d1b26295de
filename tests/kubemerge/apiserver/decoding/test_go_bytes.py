"""Base64 in fields of bytes."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from kubemerge.apiserver.decoding import go_bytes

if TYPE_CHECKING:
    import pytest

TEXTS = ["".join(signs) for length in range(6) for signs in product("Ab/=\n-", repeat=length)]


def test_a_text_that_is_accepted_at_once_has_no_wrong_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large value is not looked at byte by byte, unless it is wrong."""
    at_once = [go_bytes.wrong_byte(text) for text in TEXTS]
    monkeypatch.setattr(go_bytes, "_ORDINARY", re.compile("(?!)"))
    assert at_once == [go_bytes.wrong_byte(text) for text in TEXTS]


def test_a_large_value_is_accepted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(go_bytes, "_SIGNS", frozenset())
    assert go_bytes.wrong_byte("QUJD" * 1000) is None
    assert go_bytes.wrong_byte("QUJD" * 1000 + "-") == 0
