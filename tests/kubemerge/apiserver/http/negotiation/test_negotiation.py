"""Accept and Content-Type headers, compared with a real API server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.errors import ClusterError
from kubemerge.apiserver.http.negotiation import body_form, wanted
from kubemerge.cluster import open_cluster

from .....conftest import read_yaml
from .record_accepts import ANSWERED, ASKED, asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.cluster import Cluster

RECORDED: list[dict[str, Any]] = json.loads(ANSWERED.read_text(encoding="utf-8"))
PATHS: dict[str, str] = read_yaml(ASKED)["paths"]
WITHOUT = (", application/vnd.kubernetes.protobuf;stream=watch", ", application/vnd.kubernetes.protobuf")
"""Unsupported media types, which our errors do not list."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with open_cluster(":memory:", release="1.37") as opened:
        yield opened


def test_everything_that_is_asked_is_recorded() -> None:
    known = ("path", "accept", "type")
    assert [{name: one[name] for name in known if name in one} for one in RECORDED] == asked()


def expected(real: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {name: real[name] for name in ("code", "kind", "apiVersion", "message") if name in real}
    for offered in WITHOUT if "message" in found else ():
        found["message"] = found["message"].replace(offered, "")
    if real["code"] == 200:
        found["media_type"] = real["media_type"]
    return found


def answered(cluster: Cluster, one: dict[str, Any]) -> dict[str, Any]:
    path, resource = PATHS[one["path"]], cluster.resource("v1", "Namespace")
    watch, single = "watch=" in path, path.endswith("/default")
    included = path.partition("includeObject=")[2]
    try:
        form = wanted(one["accept"], include_object=included, listing=not single, watch=watch)
        objects = list(cluster.list("v1", "Namespace"))
        if watch:
            return {"code": 200, "media_type": form.media_type}
        made = form.of_object(objects[0], resource, cluster) if single else form.of_list(objects, resource, cluster, {})
    except ClusterError as error:
        return {"code": error.code, "kind": "Status", "apiVersion": "v1", "message": str(error)}
    return {"code": 200, "media_type": form.media_type, "kind": made["kind"], "apiVersion": made["apiVersion"]}


ACCEPTS = [one for one in RECORDED if "accept" in one and "protobuf" not in one["media_type"]]


@pytest.mark.parametrize("real", ACCEPTS, ids=lambda one: f"{one['path']}: {one['accept']}")
def test_what_a_client_accepts(real: dict[str, Any], cluster: Cluster) -> None:
    assert answered(cluster, real) == expected(real)


def test_a_client_that_reads_protobuf_gets_what_else_it_reads() -> None:
    assert wanted("application/vnd.kubernetes.protobuf,application/json").media_type == "application/json"
    with pytest.raises(ClusterError, match="406: Not Acceptable\n\nAvailable representations: application/json, "):
        wanted("application/vnd.kubernetes.protobuf")


def test_a_custom_resource_is_not_looked_at_twice() -> None:
    assert wanted("application/*", built_in=False).media_type == "application/json"
    with pytest.raises(ClusterError, match="only the following media types are accepted: application/json"):
        wanted("text/html", built_in=False)


@pytest.mark.parametrize("real", [one for one in RECORDED if "type" in one], ids=lambda one: str(one["type"]))
def test_what_a_client_sends(real: dict[str, Any]) -> None:
    if real["code"] == 201:
        assert body_form(real["type"]) in ("json", "yaml")
        return
    with pytest.raises(ClusterError) as caught:
        body_form(real["type"])
    assert (caught.value.code, str(caught.value)) == (real["code"], real["message"])


def test_a_custom_resource_is_not_sent_as_protobuf() -> None:
    assert body_form("application/vnd.kubernetes.protobuf") == "protobuf"
    with pytest.raises(ClusterError, match=r"include: application/json, application/yaml$"):
        body_form("application/vnd.kubernetes.protobuf", built_in=False)


def test_nothing_is_json() -> None:
    assert body_form("") == "json"
