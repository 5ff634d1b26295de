"""A served cluster, and a webhook server whose answers tests choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest

from kubemerge.pytest_plugin import kube_dump, kube_release, kube_server, kube_store, kube_tls
from tests.conftest import require_package

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kubemerge.apiserver.http.listening.running import Serving
    from tests.conformance.webhooks.stub import Stub

__all__ = ["kube_dump", "kube_release", "kube_server", "kube_store", "kube_tls"]


@pytest.fixture(scope="module")
def webhook_server() -> Iterator[Stub]:
    require_package("trustme")
    from tests.conformance.webhooks.stub import Stub

    made = Stub()
    yield made
    made.close()


@pytest.fixture
def stub(webhook_server: Stub) -> Stub:
    webhook_server.begin({})
    webhook_server.on_call.clear()
    return webhook_server


@pytest.fixture
def client(kube_server: Serving) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=kube_server.url, timeout=60, trust_env=False) as made:
        yield made


def configuration(kind: str, name: str, config: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A configuration with one webhook for ConfigMaps."""
    rule = {"operations": ["*"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"]}
    hook = {
        "name": f"{name}.example.com",
        "clientConfig": config,
        "rules": [rule],
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
        **more,
    }
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": f"{kind}WebhookConfiguration",
        "metadata": {"name": name},
        "webhooks": [hook],
    }


def config_map(name: str, **data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "default"}, "data": data}


MAPS = "/api/v1/namespaces/default/configmaps"
MERGE = {"Content-Type": "application/merge-patch+json"}
