"""The ASGI application, used by clients in the same process."""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING

import httpx

import kubemerge.serve
from kubemerge.cluster import StoreError, open_cluster
from kubemerge.serve import application

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster


def test_a_client_needs_no_socket(kube_store: EmbeddedCluster) -> None:
    async def run() -> tuple[int, str]:
        transport = httpx.ASGITransport(application(kube_store))
        async with httpx.AsyncClient(transport=transport, base_url="http://cluster") as client:
            await client.post("/api/v1/namespaces/default/configmaps", json={"metadata": {"name": "a"}})
            answer = await client.get("/api/v1/namespaces/default/configmaps/a")
            return answer.status_code, answer.json()["metadata"]["name"]

    assert asyncio.run(run()) == (200, "a")


def test_the_name_stays_that_of_the_function(kube_store: EmbeddedCluster) -> None:
    """A module of the same name would replace it as soon as it is imported."""
    application(kube_store)
    assert importlib.import_module("kubemerge.serve").application is application
    assert not hasattr(kubemerge.serve.application, "__path__")


def test_an_answer_comes_though_the_changes_cannot_be_read(kube_store: EmbeddedCluster) -> None:
    async def run() -> int:
        served = application(kube_store)

        def unreadable() -> None:
            raise StoreError("c.db", "c.db cannot be read")

        served.feed.poll = unreadable  # type: ignore[method-assign]
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url="http://cluster") as client:
            path = "/api/v1/namespaces/default/configmaps"
            answer = await asyncio.wait_for(client.post(path, json={"metadata": {"name": "a"}}), 10)
            return answer.status_code

    assert asyncio.run(run()) == 201


def test_a_read_is_one_transaction() -> None:
    """Each transaction reads the state of the cluster, and looks for a replaced file twice."""

    async def run(cluster: EmbeddedCluster) -> list[str]:
        transport = httpx.ASGITransport(application(cluster))
        async with httpx.AsyncClient(transport=transport, base_url="http://cluster") as client:
            path = "/api/v1/namespaces/default"
            statements: list[str] = []
            await client.get(path)
            cluster._store._connection.set_trace_callback(statements.append)  # type: ignore[attr-defined]
            assert (await client.get(path)).status_code == 200
            return statements

    with open_cluster(":memory:") as cluster:
        statements = asyncio.run(run(cluster))
    assert [one for one in statements if not one.startswith("SELECT")] == ["BEGIN", "ROLLBACK"]
