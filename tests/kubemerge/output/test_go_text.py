"""Values as Go prints them with %v."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.text.go_text import go_text, quoted

SAID: list[tuple[Any, str]] = [
    ({"b": [1, "x", None], "a": {}}, "map[a:map[] b:[1 x <nil>]]"),
    (True, "true"),
    (1000000, "1000000"),
    (1000000.0, "1e+06"),
    (123456.0, "123456"),
    (12345678.0, "1.2345678e+07"),
    (0.0001, "0.0001"),
    (0.00001, "1e-05"),
    (1e21, "1e+21"),
    (0.0, "0"),
]


@pytest.mark.parametrize(("value", "said"), SAID, ids=[said for _, said in SAID])
def test_values(value: Any, said: str) -> None:
    assert go_text(value) == said


def test_quotes() -> None:
    assert quoted('a"b\\c\nd\x01é\u200e') == '"a\\"b\\\\c\\nd\\x01é\\u200e"'
