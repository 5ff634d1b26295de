"""Statuses of requests that the server rejects."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import requests

from kubemerge.apiserver.http.statuses import RequestError, error_response
from kubemerge.apiserver.http.verbs import writing
from kubemerge.cluster import BadRequest, open_cluster

if TYPE_CHECKING:
    from kubemerge.apiserver.http.listening.running import Serving

SECRETS = "/api/v1/namespaces/default/secrets"
WHY = "Invalid value: {...}: illegal base64 data at input byte 0"


@pytest.mark.parametrize(
    ("media_type", "patch", "message", "details"),
    [
        (
            "merge-patch",
            {"data": {"a": "!!"}},
            f' "" is invalid: patch: {WHY}',
            {"causes": [{"reason": "FieldValueInvalid", "message": WHY, "field": "patch"}]},
        ),
        (
            "json-patch",
            [{"op": "remove", "path": "/x"}],
            "the server rejected our request due to an error in our request",
            {},
        ),
    ],
)
def test_a_patch_whose_result_cannot_be_read(
    media_type: str, patch: Any, message: str, details: Any, kube_server: Serving
) -> None:
    requests.post(kube_server.url + SECRETS, json={"metadata": {"name": "s"}}, timeout=10)
    headers = {"Content-Type": f"application/{media_type}+json"}
    answer = requests.patch(f"{kube_server.url}{SECRETS}/s", json=patch, headers=headers, timeout=10).json()
    assert (answer["code"], answer["reason"], answer["message"]) == (422, "Invalid", message)
    assert answer["details"] == details


def test_a_definition_with_schemas_that_are_too_deep_is_a_bad_request(kube_server: Serving) -> None:
    schema = '{"items":' * 450 + "{}" + "}" * 450
    body = f"""{{"metadata": {{"name": "as.x.io"}}, "spec": {{"group": "x.io", "scope": "Namespaced",
        "names": {{"plural": "as", "kind": "A"}}, "versions": [
            {{"name": "v1", "served": true, "storage": true, "schema": {{"openAPIV3Schema": {schema}}}}}]}}}}"""
    url = f"{kube_server.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    answer = requests.post(url, data=body, headers={"Content-Type": "application/json"}, timeout=30).json()
    assert answer["code"] in (400, 422), answer


@pytest.mark.parametrize(("details", "header"), [({"retryAfterSeconds": 3}, "3"), ({}, None)])
def test_a_client_is_told_when_to_try_again(details: dict[str, Any], header: str | None) -> None:
    found = error_response(RequestError(504, "Timeout", "too late", **details))
    assert dict(found.headers).get("Retry-After") == header


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("1.23", "the namespace of the object (other) does not match the namespace on the request (default)"),
        ("1.24", "the namespace of the provided object does not match the namespace sent on the request"),
    ],
)
def test_put_for_another_namespace(release: str, said: str) -> None:
    target: Any = SimpleNamespace(resource=SimpleNamespace(namespaced=True), namespace="default")
    with open_cluster(":memory:", release=release) as cluster, pytest.raises(BadRequest) as caught:
        writing._in_namespace({"metadata": {"namespace": "other"}}, target, cluster)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("field_validation", ["Warn", "Strict"])
@pytest.mark.parametrize(("method", "path"), [("POST", SECRETS), ("PUT", f"{SECRETS}/s")])
def test_unknown_fields_of_an_object_for_another_namespace(
    method: str, path: str, field_validation: str, kube_server: Serving
) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "other"}, "wrong": 1}
    query = {"fieldValidation": field_validation}
    answer = requests.request(method, kube_server.url + path, json=secret, params=query, timeout=10)
    said = {
        "Warn": ("the namespace of the provided object does not match", '299 - "unknown field \\"wrong\\""'),
        "Strict": ('Secret in version "v1" cannot be handled as a Secret: strict decoding error: unknown field', None),
    }
    begin, warning = said[field_validation]
    assert answer.json()["message"].startswith(begin)
    assert answer.headers.get("Warning") == warning
