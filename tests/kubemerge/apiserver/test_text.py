"""Texts of messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from kubemerge.apiserver.text import net_url
from kubemerge.apiserver.text.go_text import go_syntax, quoted
from kubemerge.apiserver.text.text import some

URLS = json.loads((Path(__file__).parent / "data" / "urls.json").read_text(encoding="utf-8"))


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


@pytest.mark.parametrize("case", URLS, ids=[case["url"] for case in URLS])
def test_urls_are_parsed_as_by_go(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(net_url.BadUrl) as caught:
            net_url.parse(case["url"])
        assert str(caught.value) == case["error"]
    else:
        found = net_url.parse(case["url"])
        assert [found.scheme, unquote(found.host), found.query, unquote(found.fragment)] == case["parts"]
        assert found.printed_user() == case.get("user")
    if "request" in case:
        with pytest.raises(net_url.BadUrl) as caught:
            net_url.parse_request(case["url"])
        assert str(caught.value) == case["request"]
    else:
        net_url.parse_request(case["url"])
