"""The server as an ASGI application, as clients in the same process use it."""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING

import httpx

import kubemerge.serve
from kubemerge.serve import application

if TYPE_CHECKING:
    from kubemerge.cluster.embedded.cluster import EmbeddedCluster


def test_a_client_needs_no_socket(kube_store: EmbeddedCluster) -> None:
    async def run() -> tuple[int, str]:
        transport = httpx.ASGITransport(application(kube_store))
        async with httpx.AsyncClient(transport=transport, base_url="http://cluster") as client:
            await client.post("/api/v1/namespaces/default/configmaps", json={"metadata": {"name": "a"}})
            answer = await client.get("/api/v1/namespaces/default/configmaps/a")
            return answer.status_code, answer.json()["metadata"]["name"]

    assert asyncio.run(run()) == (200, "a")


def test_the_name_stays_that_of_the_function(kube_store: EmbeddedCluster) -> None:
    """A module of the same name would take its place as soon as somebody imports that."""
    application(kube_store)
    assert importlib.import_module("kubemerge.serve").application is application
    assert not hasattr(kubemerge.serve.application, "__path__")
