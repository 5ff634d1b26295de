"""Paths in the API server's messages."""

from __future__ import annotations

import pytest

from engine.serverside.fields.path_elements import format_path, quote_go


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("f:spec", "f:a.b"), ".spec.a.b"),
        (("f:spec", 'k:{"name":"c","port":80}', "f:image"), '.spec[name="c",port=80].image'),
        (("f:a", 'k:{"x":1.5,"y":true,"z":null}'), ".a[x=1.5,y=true,z=null]"),
        (("f:a", 'v:"x"'), '.a[="x"]'),
        (("f:a", "v:2000000"), ".a[=2e+06]"),
        (("f:a", "i:3"), ".a[3]"),
    ],
)
def test_a_path_as_the_server_prints_it(path: tuple[str, ...], text: str) -> None:
    assert format_path(path) == text


def test_text_in_quotes_is_escaped_as_go_does() -> None:
    assert quote_go('é"\\\n\t\x01\u2028\U000e0001') == '"é\\"\\\\\\n\\t\\x01\\u2028\\U000e0001"'
