"""Errors of invalid JSON are Go's, not Python's."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.http.bodies import InvalidJson, of_json

WRONG = {
    b'{"a": 1, }': "invalid character '}' looking for beginning of object key string",
    b"[1,]": "invalid character ']' looking for beginning of value",
    b'{"a": "\\u1201': "unexpected end of JSON input",
    b"[" * 20_000 + b"]" * 20_000: "exceeded max depth",
    b'{"a":' * 50_000: "exceeded max depth",
}


@pytest.mark.parametrize("body", WRONG, ids=lambda body: body[:12].decode())
def test_what_is_wrong_is_said_as_go_says_it(body: bytes) -> None:
    with pytest.raises(InvalidJson) as caught:
        of_json(body)
    assert str(caught.value) == WRONG[body]
