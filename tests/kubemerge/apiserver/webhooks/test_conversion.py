"""Conversion webhooks of a served cluster: reads, lists, watches and writes in another version than the stored one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.http import asgi
from kubemerge.cluster import Reference

if TYPE_CHECKING:
    import httpx

    from kubemerge.apiserver.http.listening.running import Serving
    from tests.conformance.webhooks.stub import Stub

FIELDS = {"v1": "size", "v2": "replicas"}
SPEC: dict[str, Any] = {
    "group": "example.com",
    "scope": "Namespaced",
    "names": {"plural": "widgets", "kind": "Widget"},
    "versions": [
        {
            "name": version,
            "served": True,
            "storage": version == "v1",
            "schema": {
                "openAPIV3Schema": {
                    "type": "object",
                    "properties": {"spec": {"type": "object", "properties": {field: {"type": "integer"}}}},
                }
            },
        }
        for version, field in FIELDS.items()
    ],
}


def widgets(version: str) -> str:
    return f"/apis/example.com/{version}/namespaces/default/widgets"


def widget(name: str, size: int, version: str = "v1", **annotations: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "default", "annotations": annotations}
    return {
        "apiVersion": f"example.com/{version}",
        "kind": "Widget",
        "metadata": metadata,
        "spec": {FIELDS[version]: size},
    }


@pytest.fixture
def served(kube_server: Serving, stub: Stub) -> Serving:
    webhook = {"conversionReviewVersions": ["v1"], "clientConfig": stub.config("/convert")}
    conversion = {"strategy": "Webhook", "webhook": webhook}
    kube_server.cluster.create(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.example.com"},
            "spec": {**SPEC, "conversion": conversion},
        }
    )
    return kube_server


def test_an_object_is_stored_in_the_storage_version(served: Serving, client: httpx.Client) -> None:
    made = client.post(widgets("v2"), json=widget("one", 3, "v2")).json()
    assert made["spec"] == {"replicas": 3}
    assert next(iter(served.cluster.list("example.com/v1", "Widget")))["spec"] == {"size": 3}


def test_a_review_has_the_stored_object(served: Serving, client: httpx.Client, stub: Stub) -> None:
    served.cluster.create(widget("one", 3))
    client.get(f"{widgets('v2')}/one").raise_for_status()
    ((_, review),) = stub.reviews
    assert review["apiVersion"] == "apiextensions.k8s.io/v1"
    assert review["request"]["desiredAPIVersion"] == "example.com/v2"
    (sent,) = review["request"]["objects"]
    assert sent["spec"] == {"size": 3}
    assert "resourceVersion" not in sent["metadata"]


def test_a_list_converts_each_object_once(served: Serving, client: httpx.Client, stub: Stub) -> None:
    for number in range(5):
        served.cluster.create(widget(f"w{number}", number))
    found = client.get(widgets("v2")).json()
    assert [one["spec"]["replicas"] for one in found["items"]] == list(range(5))
    assert len(stub.reviews) == 5


def test_the_stored_version_needs_no_webhook(served: Serving, client: httpx.Client, stub: Stub) -> None:
    client.post(widgets("v1"), json=widget("one", 3)).raise_for_status()
    client.get(widgets("v1")).raise_for_status()
    assert stub.reviews == []


def events(client: httpx.Client, version: str, count: int) -> list[dict[str, Any]]:
    with client.stream("GET", widgets(version), params={"watch": "true", "timeoutSeconds": "30"}) as found:
        made = []
        for line in found.iter_lines():
            made.append(json.loads(line))
            if made[-1]["type"] != "BOOKMARK" and len(made) == count:
                break
        return made


def test_a_watch_converts_existing_objects_and_changes(served: Serving, client: httpx.Client, stub: Stub) -> None:
    served.cluster.create(widget("one", 1))
    one = Reference("example.com/v1", "Widget", "one", "default")

    def change() -> None:
        del stub.on_call["/convert"]
        served.cluster.patch(one, {"spec": {"size": 2}}, "merge")

    stub.on_call["/convert"] = change
    found = events(client, "v2", 2)
    assert [(event["type"], event["object"]["spec"]["replicas"]) for event in found] == [("ADDED", 1), ("MODIFIED", 2)]


def test_a_watch_ends_with_the_error_of_the_webhook(served: Serving, client: httpx.Client, stub: Stub) -> None:
    stub.begin({"/convert": [{"result": {"status": "Failure", "message": "cannot convert"}}]})
    served.cluster.create(widget("one", 1, answer="0"))
    (event,) = events(client, "v2", 1)
    assert event["type"] == "ERROR"
    assert event["object"]["message"].endswith(
        "conversion webhook for example.com/v1, Kind=Widget failed: cannot convert"
    )


def test_a_webhook_can_read_from_the_server_that_calls_it(served: Serving, client: httpx.Client, stub: Stub) -> None:
    served.cluster.create(widget("one", 1))
    stub.on_call["/convert"] = lambda: client.get(widgets("v1")).raise_for_status()
    assert client.get(f"{widgets('v2')}/one").json()["spec"] == {"replicas": 1}


def test_server_side_apply_in_another_version(served: Serving, client: httpx.Client) -> None:
    served.cluster.create(widget("one", 1), manager="setup")
    body = {"apiVersion": "example.com/v2", "kind": "Widget", "metadata": {"name": "one"}, "spec": {"replicas": 4}}
    headers = {"Content-Type": "application/apply-patch+yaml"}
    conflict = client.patch(f"{widgets('v2')}/one?fieldManager=me", json=body, headers=headers)
    assert conflict.json()["message"] == (
        'Apply failed with 1 conflict: conflict with "setup" using example.com/v1: .spec.size'
    )
    found = client.patch(f"{widgets('v2')}/one?fieldManager=me&force=true", json=body, headers=headers)
    assert found.json()["spec"] == {"replicas": 4}


def test_direct_calls_of_a_cluster_call_no_webhook(served: Serving, stub: Stub) -> None:
    served.cluster.create(widget("one", 1))
    assert served.cluster.get(Reference("example.com/v2", "Widget", "one", "default"))["apiVersion"] == "example.com/v2"
    assert stub.reviews == []


def test_a_read_ends_in_time(
    served: Serving, client: httpx.Client, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi, "REQUEST_TIMEOUT", 0.3)
    stub.begin({"/convert": [{"sleep": 3}]})
    served.cluster.create(widget("one", 1, answer="0"))
    assert client.get(f"{widgets('v2')}/one").status_code in (500, 504)


def test_a_watch_ends_in_time(
    served: Serving, client: httpx.Client, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi, "REQUEST_TIMEOUT", 0.3)
    stub.begin({"/convert": [{"sleep": 3}]})
    served.cluster.create(widget("one", 1, answer="0"))
    (event,) = events(client, "v2", 1)
    assert (event["type"], event["object"]["code"]) in (("ERROR", 504), ("ERROR", 500))


class TestOldRelease:
    """Kubernetes 1.20, where definitions may be v1beta1."""

    @pytest.fixture
    def kube_release(self) -> str:
        return "1.20"

    def test_a_definition_of_v1beta1(self, kube_server: Serving, client: httpx.Client, stub: Stub) -> None:
        conversion = {"strategy": "Webhook", "webhookClientConfig": stub.config("/convert")}
        definition = {
            "apiVersion": "apiextensions.k8s.io/v1beta1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.example.com"},
            "spec": {**SPEC, "preserveUnknownFields": False, "conversion": conversion},
        }
        kube_server.cluster.create(definition)
        kube_server.cluster.create(widget("one", 1))
        assert client.get(f"{widgets('v2')}/one").json()["spec"] == {"replicas": 1}
        ((_, review),) = stub.reviews
        assert review["apiVersion"] == "apiextensions.k8s.io/v1beta1"
