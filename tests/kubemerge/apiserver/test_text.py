"""Texts of messages."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.text.go_text import go_syntax, quoted
from kubemerge.apiserver.text.text import some


def test_some_names() -> None:
    names = ["a", "b", "c", "d"]
    assert [some(names, most) for most in (2, 3, 4)] == ["a, b and 2 more", "a, b, c and 1 more", "a, b, c, d"]


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ({"a": None, "b": 1}, 'map[string]interface {}{"a":interface {}(nil), "b":1}'),
        ([1, None, "x", True], '[]interface {}{1, interface {}(nil), "x", true}'),
        (None, "<nil>"),
        ({}, "map[string]interface {}{}"),
        (123456.0, "123456"),
        (1234567.0, "1.234567e+06"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (1e21, "1e+21"),
    ],
)
def test_values_in_the_syntax_of_go(value: Any, printed: str) -> None:
    assert go_syntax(value) == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [("\uffff", r'"\uffff"'), ("\U00010000", '"\U00010000"'), ("\U0010ffff", r'"\U0010ffff"'), ("\x7f", r'"\x7f"')],
)
def test_letters_that_go_escapes(text: str, printed: str) -> None:
    assert quoted(text) == printed
