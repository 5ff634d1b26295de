"""Admission webhooks of a served cluster: their calls hold no lock, and nothing that they return is trusted."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.metadata import Origins
from kubemerge.apiserver.webhooks import calls
from kubemerge.apiserver.webhooks import client as webhook_client
from kubemerge.cluster import Reference

from .conftest import MAPS, MERGE, config_map, configuration

if TYPE_CHECKING:
    import httpx

    from kubemerge.apiserver.http.listening.running import Serving
    from tests.conformance.webhooks.stub import Stub


def test_a_webhook_can_write_to_the_server_that_calls_it(
    kube_server: Serving, client: httpx.Client, stub: Stub
) -> None:
    kube_server.cluster.create(configuration("Validating", "writes", stub.config("/writes")))
    labels = {"objectSelector": {"matchExpressions": [{"key": "own", "operator": "DoesNotExist"}]}}
    reference = Reference("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "writes")
    kube_server.cluster.patch(reference, {"webhooks": [{"name": "writes.example.com", **labels}]}, "strategic")
    own = config_map("own")
    own["metadata"]["labels"] = {"own": "yes"}
    stub.on_call["/writes"] = lambda: client.post(MAPS, json=own).raise_for_status()
    assert client.post(MAPS, json=config_map("web")).status_code == 201
    names = {one["metadata"]["name"] for one in client.get(MAPS).json()["items"]}
    assert {"web", "own"} <= names


def test_other_requests_are_served_while_a_webhook_takes_long(
    kube_server: Serving, client: httpx.Client, stub: Stub
) -> None:
    kube_server.cluster.create(configuration("Mutating", "slow", stub.config("/slow"), timeoutSeconds=30))
    called, released = threading.Event(), threading.Event()

    def wait() -> None:
        called.set()
        released.wait(30)

    stub.on_call["/slow"] = wait
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(client.post(MAPS, json=config_map("web"))))
    thread.start()
    assert called.wait(30)
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "other"}}
    assert client.post("/api/v1/namespaces/default/secrets", json=secret).status_code == 201
    assert client.get(f"{MAPS}/web").status_code == 404
    released.set()
    thread.join()
    assert [one.status_code for one in found] == [201]


def test_an_object_has_one_uid_and_one_time_in_all_attempts(
    kube_server: Serving, client: httpx.Client, stub: Stub
) -> None:
    kube_server.cluster.create(configuration("Mutating", "first", stub.config("/first")))
    kube_server.cluster.create(configuration("Validating", "second", stub.config("/second")))
    sent = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "web-"}}
    stored = client.post(MAPS, json=sent).json()["metadata"]
    seen = dict(stub.reviews)["/second"]["request"]["object"]["metadata"]
    assert {name: seen[name] for name in ("uid", "name", "creationTimestamp")} == {
        name: stored[name] for name in ("uid", "name", "creationTimestamp")
    }
    assert len(stub.reviews) == 2


def test_a_binding_has_one_time_in_all_attempts(
    kube_server: Serving, client: httpx.Client, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = {"containers": [{"name": "main", "image": "nginx"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "default"}, "spec": spec}
    kube_server.cluster.create(pod)
    rule = {"operations": ["*"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods/binding"]}
    kube_server.cluster.create(configuration("Validating", "once", stub.config("/once"), rules=[rule]))
    seconds = count()
    clock = lambda: datetime(2030, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=next(seconds))  # noqa: E731
    monkeypatch.setattr(kube_server.cluster, "_own_origins", Origins(clock))
    sent = {"metadata": {"name": "web"}, "target": {"kind": "Node", "name": "node"}}
    found = client.post("/api/v1/namespaces/default/pods/web/binding", json=sent)
    seen = [one["request"]["object"]["metadata"]["managedFields"][0]["time"] for _, one in stub.reviews]
    assert (found.status_code, seen) == (201, ["2030-01-01T00:00:00Z"])


def test_a_webhook_that_always_changes_the_object_ends_in_a_conflict(
    kube_server: Serving, client: httpx.Client, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "MOST_ATTEMPTS", 6)
    kube_server.cluster.create(config_map("web"))
    kube_server.cluster.create(configuration("Validating", "busy", stub.config("/busy")))
    web = Reference("v1", "ConfigMap", "web", "default")

    def change() -> None:
        kube_server.cluster.patch(web, {"data": {"calls": str(len(stub.reviews))}}, "merge")

    stub.on_call["/busy"] = change
    found = client.patch(f"{MAPS}/web", json={"data": {"a": "b"}}, headers=MERGE)
    assert (found.status_code, found.json()["reason"]) == (409, "Conflict")
    assert found.json()["message"].startswith('Operation cannot be fulfilled on configmaps "web": ')
    assert len(stub.reviews) == 6


def test_concurrent_patches_of_one_object_all_succeed(kube_server: Serving, client: httpx.Client, stub: Stub) -> None:
    kube_server.cluster.create(config_map("web"))
    kube_server.cluster.create(configuration("Validating", "allows", stub.config("/allows")))

    def patch(number: int) -> int:
        return client.patch(f"{MAPS}/web", json={"data": {f"k{number}": "v"}}, headers=MERGE).status_code

    with ThreadPoolExecutor(6) as pool:
        assert set(pool.map(patch, range(12))) == {200}
    assert len(client.get(f"{MAPS}/web").json()["data"]) == 12


def test_a_changed_object_is_reviewed_again(kube_server: Serving, client: httpx.Client, stub: Stub) -> None:
    kube_server.cluster.create(config_map("web"))
    kube_server.cluster.create(configuration("Validating", "once", stub.config("/once")))
    web = Reference("v1", "ConfigMap", "web", "default")

    def change() -> None:
        del stub.on_call["/once"]
        kube_server.cluster.patch(web, {"data": {"by": "webhook"}}, "merge")

    stub.on_call["/once"] = change
    found = client.patch(f"{MAPS}/web", json={"data": {"a": "b"}}, headers=MERGE)
    assert found.json()["data"] == {"a": "b", "by": "webhook"}
    assert [review["request"]["oldObject"].get("data") for _, review in stub.reviews] == [None, {"by": "webhook"}]


def test_a_put_after_a_change_by_the_webhook_is_a_conflict(
    kube_server: Serving, client: httpx.Client, stub: Stub
) -> None:
    kube_server.cluster.create(config_map("web"))
    kube_server.cluster.create(configuration("Validating", "once", stub.config("/once")))
    read = client.get(f"{MAPS}/web").json()
    web = Reference("v1", "ConfigMap", "web", "default")
    stub.on_call["/once"] = lambda: kube_server.cluster.patch(web, {"data": {"by": "webhook"}}, "merge")
    assert client.put(f"{MAPS}/web", json=read | {"data": {"a": "b"}}).status_code == 409


def test_a_deletion_of_many_continues_after_each_call(kube_server: Serving, client: httpx.Client, stub: Stub) -> None:
    names = ["a", "b", "c"]
    for name in names:
        kube_server.cluster.create(config_map(name))
    kube_server.cluster.create(configuration("Validating", "deletes", stub.config("/deletes")))
    found = client.delete(MAPS, params={"fieldSelector": "metadata.name!=kube-root-ca.crt"})
    assert [one["metadata"]["name"] for one in found.json()["items"]] == names
    assert [review["request"]["oldObject"]["metadata"]["name"] for _, review in stub.reviews] == names
    assert [one for one in client.get(MAPS).json()["items"] if one["metadata"]["name"] in names] == []


def test_direct_calls_of_a_cluster_call_no_webhook(kube_server: Serving, stub: Stub) -> None:
    kube_server.cluster.create(configuration("Validating", "denies", stub.config("/denies")))
    stub.begin({"/denies": [{"allowed": False}]})
    kube_server.cluster.create(config_map("web"))
    assert stub.reviews == []


COPIES = [{"op": "copy", "from": "/data", "path": f"/data/x{number}"} for number in range(40)]
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "a large response": ({"raw": {"body": " " * 300_000}}, "the response is larger than 200000 bytes"),
    "deep JSON": ({"raw": {"body": "[" * 100_000}}, "exceeded max depth"),
    "deep YAML": ({"raw": {"body": "- " * 5_000}}, "couldn't get version/kind"),
    "a patch that doubles the object": ({"patch": COPIES}, "the patch copies more than"),
    "a deep patch": ({"patch": "[" * 100_000}, "exceeded max depth"),
    "a redirect": ({"redirect": "https://example.com/"}, "the server responded with the status code 307"),
    "no response": ({"close": True}, "EOF"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_response_rejects_the_request(
    case: str, kube_server: Serving, client: httpx.Client, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook_client, "LARGEST", 200_000)
    answer, said = BAD[case]
    stub.begin({"/bad": [answer]})
    kube_server.cluster.create(configuration("Mutating", "bad", stub.config("/bad")))
    found = client.post(MAPS, json=config_map("web", a="b"))
    assert (found.status_code, found.json()["reason"]) == (500, "InternalError")
    assert said in found.json()["message"]
    assert client.get(f"{MAPS}/web").status_code == 404


def test_a_webhook_configuration_is_in_effect_until_it_is_deleted(
    kube_server: Serving, client: httpx.Client, stub: Stub
) -> None:
    stub.begin({"/denies": [{"allowed": False}]})
    denies = configuration("Validating", "denies", stub.config("/denies"))
    place = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
    assert client.post(place, json=denies).status_code == 201
    assert client.post(MAPS, json=config_map("web")).json()["message"] == (
        'admission webhook "denies.example.com" denied the request without explanation'
    )
    assert client.delete(f"{place}/denies").status_code == 200
    assert client.post(MAPS, json=config_map("web")).status_code == 201


class TestOldRelease:
    """Kubernetes 1.15, whose configurations are v1beta1."""

    @pytest.fixture
    def kube_release(self) -> str:
        return "1.15"

    def test_a_configuration_of_v1beta1(self, kube_server: Serving, client: httpx.Client, stub: Stub) -> None:
        made = configuration("Validating", "old", stub.config("/old"), failurePolicy="Fail")
        del made["webhooks"][0]["admissionReviewVersions"]
        kube_server.cluster.create({**made, "apiVersion": "admissionregistration.k8s.io/v1beta1"})
        assert client.post(MAPS, json=config_map("web")).status_code == 201
        ((_, review),) = stub.reviews
        assert review["apiVersion"] == "admission.k8s.io/v1beta1"
