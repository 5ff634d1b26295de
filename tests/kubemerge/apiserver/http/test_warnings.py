"""Warnings of a server are headers of its responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kubemerge.apiserver.http.asgi import Application, within_limit
from kubemerge.apiserver.http.messages import Request
from kubemerge.cluster import open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDPOINTS = "/api/v1/namespaces/default/endpoints"
WARNING = ("Warning", '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"')


@pytest.fixture
def application() -> Iterator[Application]:
    with open_cluster(":memory:", release="1.37") as cluster:
        yield Application(cluster)


@pytest.mark.parametrize(
    ("path", "query"),
    [(ENDPOINTS, {}), (ENDPOINTS, {"limit": ["1"]}), (ENDPOINTS, {"watch": ["true"]}), (f"{ENDPOINTS}/none", {})],
    ids=["a list", "a page", "a watch", "one that is not there"],
)
def test_whoever_asks_for_a_deprecated_kind_is_warned(
    path: str, query: dict[str, list[str]], application: Application
) -> None:
    assert [one for one in application.answer(Request("GET", path, query)).headers if one[0] == "Warning"] == [WARNING]


def test_nobody_else_is_warned(application: Application) -> None:
    found = application.answer(Request("GET", "/api/v1/namespaces/default/configmaps", {}))
    assert not [one for one in found.headers if one[0] == "Warning"]


def test_long_warnings_are_cut() -> None:
    """Together they have about 4,096 characters. If they have more, each is cut to 256."""
    few = ["a" * 2000, "b" * 2000, "", "b" * 2000]
    assert within_limit(few) == few[:2]
    many = [f"{place:03}" + "x" * 1000 for place in range(100)]
    found = within_limit(many)
    assert {len(one) for one in found} == {256}
    assert len(found) == 16
    assert within_limit(["fine", "two\nlines"]) == ["fine"]
