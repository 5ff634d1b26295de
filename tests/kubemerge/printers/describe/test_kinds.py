"""Any object in words: the titles of fields, and omitted fields."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kubemerge.cluster import open_cluster
from kubemerge.printers.describe import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TITLES = {
    "apiVersion": "API Version",
    "uid": "UID",
    "podIPs": "Pod I Ps",
    "resourceVersion": "Resource Version",
    "apiURL": "API URL",
    "x-y": "X - Y",
    "field2": "field2",
    "a.b/c": "a.b/c",
    "URLList": "URLList",
}


class Nothing:
    """A cluster with nothing else in it."""

    def get(self, *_: Any) -> None:
        """Nothing."""

    def all(self, *_: Any) -> Iterator[dict[str, Any]]:
        """Nothing."""
        yield from ()

    def events(self, _: Any) -> Sequence[dict[str, Any]] | None:
        """No events were requested."""
        return None


def test_the_titles_of_fields() -> None:
    assert {name: kinds.title_of(name) for name in TITLES} == TITLES


def test_every_kind_in_the_table_is_described_and_most_are_served() -> None:
    with open_cluster(":memory:") as cluster:
        served = {(one.group, one.kind): one for one in cluster.resources()}
        for key, place in kinds._OF.items():
            module, _, name = place.partition(".")
            assert callable(getattr(import_module(f"kubemerge.printers.describe.{module}"), name))
            spec: dict[str, Any] = {"spec": {}}
            bare = {"apiVersion": served[key].api_version, "kind": key[1], "metadata": {"name": "a"}, **spec}
            assert kinds.described(bare, served[key], Nothing()).startswith("Name:")


def test_a_secret_shows_no_values() -> None:
    with open_cluster(":memory:") as cluster:
        secret = {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "s", "namespace": "default"},
            "data": {"password": "c2VjcmV0"},
            "type": "Opaque",
        }
        text = kinds.described(secret, cluster.resource("v1", "Secret"), Nothing())
    assert "password:  6 bytes" in text
    assert "c2VjcmV0" not in text
    assert "secret" not in text


def test_an_object_that_does_not_have_the_form_of_its_kind_is_described_as_any_object() -> None:
    metadata = {"name": "web", "namespace": "default"}
    odd: dict[str, Any] = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata,
        "spec": {"strategy": {"rollingUpdate": ["x"]}},
    }
    odd["data"] = {"a": "c2VjcmV0"}
    with open_cluster(":memory:") as cluster:
        text = kinds.described(odd, cluster.resource("apps/v1", "Deployment"), Nothing())
    assert "    Rolling Update:\n      x\n" in text
    assert "c2VjcmV0" not in text
