"""stringData of a Secret becomes data, and a Secret without a type is Opaque."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.defaulting.fill import fill
from kubemerge.cluster import Invalid, Reference

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

WHERE = Reference("v1", "Secret", "keys")


def secret(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "keys"}, **fields}


FILLED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "nothing": ({}, {"type": "Opaque"}),
    "a type of its own": ({"type": "kubernetes.io/tls"}, {"type": "kubernetes.io/tls"}),
    "data": ({"data": {"a": "MQ=="}}, {"data": {"a": "MQ=="}, "type": "Opaque"}),
    "texts": ({"stringData": {"a": "1", "e": ""}}, {"data": {"a": "MQ==", "e": ""}, "type": "Opaque"}),
    "a text over data": (
        {"data": {"a": "MQ==", "b": "Mg=="}, "stringData": {"a": "\u00e9"}},
        {"data": {"a": "w6k=", "b": "Mg=="}, "type": "Opaque"},
    ),
    "no texts": ({"stringData": {}}, {"type": "Opaque"}),
    "null": ({"data": None, "stringData": None}, {"type": "Opaque"}),
}


@pytest.mark.parametrize("case", FILLED)
def test_what_a_secret_becomes(case: str) -> None:
    given, filled = FILLED[case]
    assert fill(secret(**given), None, "1.31") == secret(**filled)
    assert fill(secret(**filled), secret(**filled), "1.31") == secret(**filled)


@pytest.mark.parametrize("fields", [{"stringData": ["a"]}, {"stringData": {"a": 1}}, {"stringData": {}, "data": "x"}])
def test_what_is_of_another_shape_is_left_for_validation(fields: dict[str, Any]) -> None:
    assert fill(secret(**fields), None, "1.31") == secret(**fields, type="Opaque")


@pytest.mark.parametrize("patch_type", ["merge", "strategic"])
def test_a_text_in_a_patch(cluster: EmbeddedCluster, patch_type: str) -> None:
    cluster.create(secret(stringData={"a": "1", "b": "2"}))
    after = cluster.patch(WHERE, {"stringData": {"a": "new"}}, patch_type)
    assert {key: b64decode(value) for key, value in after["data"].items()} == {"a": b"new", "b": b"2"}
    assert "stringData" not in after
    again = cluster.patch(WHERE, {"stringData": {"a": "new"}}, patch_type)
    assert again == after


def test_the_type_stays(cluster: EmbeddedCluster) -> None:
    cluster.create(secret())
    with pytest.raises(Invalid, match=r"type: .*field is immutable"):
        cluster.patch(WHERE, {"type": "example.com/own"}, "merge")
