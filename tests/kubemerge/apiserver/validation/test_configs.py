"""ConfigMaps and Secrets: keys, size, and immutability."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import Invalid, Reference

from ..conftest import config_map

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster

MEBI = 2**20
NO_KEY = "a valid config key must consist of alphanumeric characters"
KEYS = {
    "a/b": NO_KEY,
    "a b": NO_KEY,
    "é": NO_KEY,
    "": NO_KEY,
    ".": "must not be '.'",
    "..": "must not be '..'",
    "..data": "must not start with '..'",
    "a" * 254: "must be no more than 253 characters",
}


def of_kind(kind: str, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "a", "namespace": "default"}, **fields}


def in_base64(length: int) -> str:
    return b64encode(b"x" * length).decode()


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("kind", "field"), [("ConfigMap", "data"), ("ConfigMap", "binaryData"), ("Secret", "data")])
def test_keys(cluster: EmbeddedCluster, kind: str, field: str, key: str) -> None:
    with pytest.raises(Invalid) as caught:
        cluster.create(of_kind(kind, **{field: {key: "eA==", "A_b-c.d": "eA=="}}))
    (problem,) = caught.value.problems
    assert str(problem).startswith(f'{field}[{key}]: Invalid value: "{key}": {KEYS[key]}')


def test_a_key_is_in_one_of_both(cluster: EmbeddedCluster) -> None:
    with pytest.raises(Invalid, match="duplicate of key present in binaryData"):
        cluster.create(of_kind("ConfigMap", data={"a": "x"}, binaryData={"a": "eA=="}))


def test_keys_of_texts_are_judged_as_what_they_become(cluster: EmbeddedCluster) -> None:
    with pytest.raises(Invalid, match=r"data\[a/b\]"):
        cluster.create(of_kind("Secret", stringData={"a/b": "x"}))


SIZES: list[tuple[str, dict[str, Any], int, str]] = [
    ("ConfigMap", {"data": {"key": "x" * MEBI}}, 0, ""),
    ("ConfigMap", {"data": {"key": "é" * (MEBI // 2)}}, 0, ""),
    ("ConfigMap", {"data": {"key": "x" * (MEBI + 1)}}, 1, "[]"),
    ("ConfigMap", {"data": {"a": "x" * (MEBI - 9)}, "binaryData": {"b": in_base64(9)}}, 0, ""),
    ("ConfigMap", {"data": {"a": "x" * (MEBI - 9)}, "binaryData": {"b": in_base64(10)}}, 1, "[]"),
    ("Secret", {"data": {"key": in_base64(MEBI)}}, 0, ""),
    ("Secret", {"data": {"key": in_base64(MEBI + 1)}}, 1, "data"),
    ("Secret", {"data": {"a": in_base64(MEBI)}, "stringData": {"b": "x"}}, 1, "data"),
]


@pytest.mark.parametrize(("kind", "fields", "too_long", "at"), SIZES, ids=range(len(SIZES)))
def test_sizes(cluster: EmbeddedCluster, kind: str, fields: dict[str, Any], too_long: int, at: str) -> None:
    if not too_long:
        cluster.create(of_kind(kind, **fields))
        return
    with pytest.raises(Invalid) as caught:
        cluster.create(of_kind(kind, **fields))
    assert str(caught.value) == f'{kind} "a" is invalid: {at}: Too long: may not be more than 1048576 bytes'


FIXED = "Forbidden: field is immutable when `immutable` is set"
CHANGES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("ConfigMap", {"data": {"a": "eQ=="}}, ["data"]),
    ("ConfigMap", {"data": {"b": "eQ=="}}, ["data"]),
    ("ConfigMap", {"data": None}, ["data"]),
    ("ConfigMap", {"binaryData": {"b": "eQ=="}}, ["binaryData"]),
    ("ConfigMap", {"immutable": False}, ["immutable"]),
    ("ConfigMap", {"immutable": None, "data": None}, ["immutable", "data"]),
    ("ConfigMap", {"metadata": {"labels": {"a": "b"}}}, []),
    ("Secret", {"data": {"a": "eQ=="}}, ["data"]),
    ("Secret", {"stringData": {"b": "y"}}, ["data"]),
    ("Secret", {"immutable": None}, ["immutable"]),
    ("Secret", {"immutable": True, "metadata": {"labels": {"a": "b"}}}, []),
]


@pytest.mark.parametrize(("kind", "change", "refused"), CHANGES, ids=str)
def test_what_is_immutable(cluster: EmbeddedCluster, kind: str, change: dict[str, Any], refused: list[str]) -> None:
    at = Reference.of(cluster.create(of_kind(kind, immutable=True, data={"a": "eA=="})))
    if not refused:
        assert cluster.patch(at, change, "merge")["data"] == {"a": "eA=="}
        return
    with pytest.raises(Invalid) as caught:
        cluster.patch(at, change, "merge")
    assert [*map(str, caught.value.problems)] == [f"{field}: {FIXED}" for field in refused]


def test_it_may_become_immutable_with_a_last_change(cluster: EmbeddedCluster) -> None:
    at = Reference.of(cluster.create(config_map(a="1")))
    assert cluster.patch(at, {"immutable": True, "data": {"a": "2"}}, "merge")["data"] == {"a": "2"}
