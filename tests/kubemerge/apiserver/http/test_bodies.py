"""Errors of invalid JSON are Go's, not Python's."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.bodies import InvalidJson, of_json
from kubemerge.apiserver.http.messages import Request
from kubemerge.cluster import open_cluster

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


def test_a_body_without_content_type_is_json_whose_duplicate_fields_are_reported() -> None:
    body = b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"b","a":"c"}}'
    with open_cluster(":memory:") as cluster:
        path, strict = "/api/v1/namespaces/default/configmaps", {"fieldValidation": ["Strict"]}
        refused = Application(cluster).answer(Request("POST", path, strict, body=body))
        created = Application(cluster).answer(Request("POST", path, {}, body=body))
    assert (refused.status, created.status) == (400, 201)
    assert b'strict decoding error: duplicate field \\"data.a\\"' in refused.body  # type: ignore[operator]
