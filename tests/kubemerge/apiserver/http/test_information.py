"""Requests for documents: negotiation, and conditional requests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.http.information import Information
from kubemerge.apiserver.http.messages import Request, Response
from kubemerge.apiserver.http.statuses import RequestError
from kubemerge.cluster import open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

V2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
V2BETA1 = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList"
PROTOBUF = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"


@pytest.fixture(scope="module")
def information() -> Iterator[Information]:
    with open_cluster(":memory:", release="1.37") as cluster:
        yield Information(cluster)


def asked(
    information: Information, path: str, method: str = "GET", query: Any = None, **headers: str
) -> Response | None:
    request = Request(method, path, query or {}, {name.replace("_", "-"): text for name, text in headers.items()})
    return information.about(request, [part for part in path.split("/") if part])


def answered(information: Information, path: str, query: Any = None, **headers: str) -> Response:
    found = asked(information, path, "GET", query, **headers)
    assert found is not None
    return found


def body(found: Response) -> Any:
    assert isinstance(found.body, bytes)
    return json.loads(found.body)


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        (f"{V2},application/json", "APIGroupDiscoveryList"),
        (f"{V2BETA1},{V2},application/json", "APIGroupDiscoveryList"),
        (f"application/json,{V2}", "APIGroupList"),
        (f"{V2BETA1},application/json", "APIGroupList"),
        ("*/*", "APIGroupList"),
        ("", "APIGroupList"),
        ("application/json;as=Table;v=v1;g=meta.k8s.io,application/json", "APIGroupList"),
    ],
)
def test_discovery_comes_in_the_first_form_that_there_is(information: Information, accept: str, kind: str) -> None:
    found = answered(information, "/apis", accept=accept)
    assert body(found)["kind"] == kind
    assert found.media_type == (V2 if kind == "APIGroupDiscoveryList" else "application/json")
    assert ("Vary", "Accept") in found.headers


def test_a_document_that_the_client_has_is_not_sent_again(information: Information) -> None:
    first = answered(information, "/apis", accept=V2)
    etag = dict(first.headers)["ETag"]
    again = answered(information, "/apis", accept=V2, if_none_match=f'W/"x", {etag}')
    assert (again.status, again.body, dict(again.headers)["ETag"]) == (304, b"", etag)
    assert answered(information, "/apis", accept=V2, if_none_match='"x"').status == 200


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/api", "APIVersions"),
        ("/api/", "APIVersions"),
        ("/api/v1", "APIResourceList"),
        ("/apis/apps", "APIGroup"),
        ("/apis/apps/v1/", "APIResourceList"),
    ],
)
def test_each_address_of_discovery_has_its_document(information: Information, path: str, kind: str) -> None:
    assert body(answered(information, path, host="cluster:80"))["kind"] == kind


@pytest.mark.parametrize(
    "path",
    [
        "/api/v2",
        "/api/apps/v1",
        "/apis/none",
        "/apis/v1",
        "/apis/apps/v9",
        "/openapi",
        "/openapi/v4",
        "/healthz/x",
        "/x",
    ],
)
def test_nothing_is_at_other_addresses(information: Information, path: str) -> None:
    assert asked(information, path) is None


def test_openapi_is_only_read(information: Information) -> None:
    assert asked(information, "/openapi/v2", "POST") is None


def test_lists_of_groups_are_sent_for_any_method(information: Information) -> None:
    assert asked(information, "/apis") == asked(information, "/apis", "POST")


def test_lists_of_resources_reject_other_methods(information: Information) -> None:
    with pytest.raises(RequestError, match="does not allow this method"):
        asked(information, "/apis/apps/v1", "HEAD")


def test_a_document_that_is_asked_for_by_its_hash_may_be_kept(information: Information) -> None:
    url = body(answered(information, "/openapi/v3"))["paths"]["apis/apps/v1"]["serverRelativeURL"]
    path, _, hash_ = url.partition("?hash=")
    found = answered(information, path, {"hash": [hash_]})
    assert dict(found.headers) == {"ETag": f'"{hash_}"', "Cache-Control": "public, immutable"}
    assert "Cache-Control" not in dict(answered(information, path).headers)
    other = answered(information, path, {"hash": ["OLD"]})
    assert (other.status, dict(other.headers)["Location"]) == (301, url)


@pytest.mark.parametrize("accept", [PROTOBUF, PROTOBUF.replace("@", "."), f"{PROTOBUF},application/json"])
def test_openapi_v2_comes_as_protobuf(information: Information, accept: str) -> None:
    found = answered(information, "/openapi/v2", accept=accept)
    assert found.media_type == PROTOBUF.replace("@", ".")
    assert isinstance(found.body, bytes)
    assert found.body[:5] == b"\n\x032.0"


@pytest.mark.parametrize("accept", ["", "*/*", "application/json", f"application/json,{PROTOBUF}"])
def test_openapi_v2_comes_as_json(information: Information, accept: str) -> None:
    assert body(answered(information, "/openapi/v2", accept=accept))["swagger"] == "2.0"


def test_health_and_version_are_told(information: Information) -> None:
    assert answered(information, "/readyz").body == b"ok"
    said = answered(information, "/livez", {"verbose": [""], "exclude": ["ping"]}).body
    assert isinstance(said, bytes)
    assert said.decode().splitlines()[0] == "[+]ping excluded: ok"
    assert body(answered(information, "/version/"))["gitVersion"] == "v1.37.1"
    assert "/apis/apps/v1" in body(answered(information, "/"))["paths"]


CONFIG_MAPS = (
    '{"name":"configmaps","singularName":"configmap","namespaced":true,"kind":"ConfigMap",'
    '"verbs":["create","delete","deletecollection","get","list","patch","update","watch"],"shortNames":["cm"],'
    '"storageVersionHash":'
)
PODS = '"shortNames":["po"],"categories":["all"],'


def test_keys_of_discovery_are_in_the_order_of_a_server(information: Information) -> None:
    """Scripts search them in the text, like kubectl's own tests."""
    text = str(answered(information, "/api/v1").body, "utf-8")  # type: ignore[arg-type]
    assert text.startswith('{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"bindings"')
    assert CONFIG_MAPS in text
    assert PODS in text
    assert str(answered(information, "/apis").body).startswith('b\'{"kind":"APIGroupList","apiVersion":"v1","groups":')
