"""Texts of messages."""

from __future__ import annotations

from kubemerge.apiserver.text.text import some


def test_some_names() -> None:
    names = ["a", "b", "c", "d"]
    assert [some(names, most) for most in (2, 3, 4)] == ["a, b and 2 more", "a, b, c and 1 more", "a, b, c, d"]
