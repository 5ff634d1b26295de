"""Addresses of webhooks: URLs, and Services that the user maps to a process."""

from __future__ import annotations

import base64
import socket
import ssl
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.errors import BadRequest
from kubemerge.apiserver.webhooks.calls import CallError
from kubemerge.apiserver.webhooks.client import LATE, post
from kubemerge.apiserver.webhooks.endpoints import Endpoint, endpoint_of, services_of
from tests.conftest import require_package

from .conftest import MAPS, config_map, configuration

if TYPE_CHECKING:
    import httpx

    from kubemerge.apiserver.http.listening.running import Serving
    from tests.conformance.webhooks.stub import Stub


def by_service(stub: Stub) -> dict[str, Any]:
    return {"caBundle": stub.bundle, "service": {"namespace": "default", "name": "hooks", "path": "/check"}}


def test_a_mapped_service_is_called(kube_server: Serving, client: httpx.Client, stub: Stub) -> None:
    kube_server(services={"default/hooks": f"https://127.0.0.1:{stub.ports['good']}"})
    kube_server.cluster.create(configuration("Validating", "mapped", by_service(stub)))
    assert client.post(MAPS, json=config_map("web")).status_code == 201
    assert [path for path, _ in stub.reviews] == ["/check"]


def test_the_certificate_of_a_mapped_service_names_the_service(
    kube_server: Serving, client: httpx.Client, stub: Stub
) -> None:
    kube_server(services={"default/hooks": f"https://127.0.0.1:{stub.ports['other-name']}"})
    kube_server.cluster.create(configuration("Validating", "mapped", by_service(stub)))
    said = client.post(MAPS, json=config_map("web")).json()["message"]
    assert said.endswith("x509: certificate is valid for other.example.com, not hooks.default.svc")


def test_a_service_without_a_process_is_reported_with_the_option(
    kube_server: Serving, client: httpx.Client, stub: Stub
) -> None:
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "hooks"}, "spec": {"ports": [{"port": 443}]}}
    kube_server.cluster.create(service)
    kube_server.cluster.create(configuration("Validating", "mapped", by_service(stub)))
    said = client.post(MAPS, json=config_map("web")).json()["message"]
    assert said.endswith(
        "no process on this machine is known for Service default/hooks. "
        "Start the server with --service default/hooks=https://HOST:PORT"
    )


@pytest.mark.parametrize(
    "text",
    [
        "hooks=https://127.0.0.1:1",
        "default/hooks",
        "default/hooks=127.0.0.1:1",
        "default/hooks=http://127.0.0.1:1",
        "default/hooks=https://127.0.0.1:1/path",
        "default/hooks=https://127.0.0.1:99999",
        "/hooks=https://127.0.0.1:1",
        "a/b/c=https://127.0.0.1:1",
        "default/hooks=https://user@127.0.0.1:1",
        "default/hooks=https://[::1",
    ],
)
def test_a_wrong_address_is_rejected(text: str) -> None:
    with pytest.raises(BadRequest, match="Use NAMESPACE/NAME=https://HOST:PORT"):
        services_of([text])


def test_addresses_are_read() -> None:
    found = services_of(["default/hooks=https://127.0.0.1:9443", "b/c=https://[::1]:1/"])
    assert found == {"default/hooks": "https://127.0.0.1:9443", "b/c": "https://[::1]:1/"}


def test_a_server_that_sends_one_byte_at_a_time_does_not_extend_the_time_limit() -> None:
    trustme: Any = require_package("trustme")
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    stop = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            plain, _ = listening.accept()
            with context.wrap_socket(plain, server_side=True) as made:
                while not stop.wait(0.01):
                    try:
                        made.send(b"H")
                    except OSError:
                        return

        threading.Thread(target=drip, daemon=True).start()
        port = listening.getsockname()[1]
        bundle = authority.cert_pem.bytes()
        endpoint = Endpoint(f"https://127.0.0.1:{port}/", "127.0.0.1", port, "/", "127.0.0.1", bundle)
        begun = time.monotonic()
        with pytest.raises(CallError, match=LATE):
            post(endpoint, b"{}", 0.5)
        stop.set()
        assert time.monotonic() - begun < 60


def test_an_unreadable_bundle_is_an_error(kube_server: Serving, client: httpx.Client, stub: Stub) -> None:
    config = {**stub.config("/check"), "caBundle": base64.b64encode(b"no certificate").decode()}
    kube_server.cluster.create(configuration("Validating", "bundle", config | {"caBundle": stub.bundle}))
    found = kube_server.cluster.list("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration")
    stored = next(iter(found))
    stored["webhooks"][0]["clientConfig"]["caBundle"] = config["caBundle"]
    kube_server.cluster.load([{**stored, "metadata": {**stored["metadata"], "name": "imported"}}])
    said = client.post(MAPS, json=config_map("web")).json()["message"]
    assert "unable to load root certificates" in said


def test_a_bundle_may_be_the_certificate_of_the_webhook() -> None:
    trustme: Any = require_package("trustme")
    certificate = trustme.CA().issue_cert("127.0.0.1")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            plain, _ = listening.accept()
            with context.wrap_socket(plain, server_side=True) as made:
                read = b""
                while not read.endswith(b"{}"):
                    read += made.recv(65536)
                made.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

        threading.Thread(target=serve, daemon=True).start()
        port = listening.getsockname()[1]
        bundle = certificate.cert_chain_pems[0].bytes()
        endpoint = Endpoint(f"https://127.0.0.1:{port}/", "127.0.0.1", port, "/", "127.0.0.1", bundle)
        assert post(endpoint, b"{}", 30).body == b"{}"


@pytest.mark.parametrize(("url", "path"), [("", "/"), ("/", "/"), ("//failing", "/failing"), ("/a/b/", "/a/b")])
def test_a_path_is_sent_as_by_a_server(url: str, path: str) -> None:
    found = endpoint_of({"url": f"https://127.0.0.1:1{url}"}, {}, lambda *_: None)
    assert (found.url, found.path) == (f"https://127.0.0.1:1{path}", path)
