"""Assertions for tests of operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import Reference
from kubemerge.pytest_plugin import kube_dump, kube_release, kube_server, kube_store, kube_tls
from kubemerge.testing import assert_owns

if TYPE_CHECKING:
    from kubemerge.apiserver.http.listening.running import Serving

__all__ = ["kube_dump", "kube_release", "kube_server", "kube_store", "kube_tls"]
WEB = Reference("v1", "ConfigMap", "web", "default")


def config(**data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web", "namespace": "default"}, "data": data}


def taken(server: Serving, allowed: list[str]) -> list[str]:
    """The lines about fields that `operator` may not own."""
    try:
        assert_owns(server, "operator", allowed)
    except AssertionError as error:
        return [line.strip() for line in str(error).splitlines()[1:]]
    return []


def test_each_field_is_named_with_the_write_that_took_it(kube_server: Serving) -> None:
    cluster = kube_server.cluster
    cluster.create(config(one="1", every="60s"), manager="user")
    cluster.patch(WEB, {"data": {"one": "2"}}, "merge", manager="operator")
    cluster.patch(WEB, {"data": {"every": "1m0s", "two": "2"}}, "merge", manager="operator")
    cluster.patch(WEB, config(one="2", two="2"), "apply", manager="operator")
    assert taken(kube_server, []) == [
        "configmaps web in default: data.one, taken from user by patch; its value changed",
        "configmaps web in default: data.every, taken from user by patch; the value is the same in other words",
        "configmaps web in default: data.two, taken by patch; its value changed",
    ]


def test_a_field_that_is_sent_without_a_change_is_taken_too(kube_server: Serving) -> None:
    kube_server.cluster.create(config(one="1"), manager="user")
    kube_server.cluster.patch(WEB, config(one="1"), "apply", manager="operator")
    line = "configmaps web in default: data.one, taken from user by patch; its value did not change"
    assert taken(kube_server, []) == [line]


@pytest.mark.parametrize(
    ("allowed", "rest"),
    [
        (["data"], 0),
        (["data.**"], 0),
        (["**"], 0),
        (["data.one"], 2),
        (["data.*"], 1),
        (["data.on"], 3),
        (["dat"], 3),
        (["data.one", 'data["a.b"]'], 1),
        (["data.tw*"], 2),
    ],
)
def test_paths_allow_what_is_inside_them(kube_server: Serving, allowed: list[str], rest: int) -> None:
    kube_server.cluster.create(config(**{"one": "1", "two": "2", "a.b": "3"}), manager="operator")
    assert len(taken(kube_server, allowed)) == rest


def test_a_manager_without_writes_is_an_error(kube_server: Serving) -> None:
    kube_server.cluster.create(config(), manager="operator")
    with pytest.raises(AssertionError, match=r"operators has written nothing. Managers with writes: operator"):
        assert_owns(kube_server, "operators", [])
