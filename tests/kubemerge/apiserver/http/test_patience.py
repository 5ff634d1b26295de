"""Slow rules: other requests are served in the meantime, and the request itself ends in time."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from kubemerge.apiserver.crd import deadlines as patience
from kubemerge.apiserver.http import asgi

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from kubemerge.apiserver.cluster import EmbeddedCluster

    Send = Callable[[str, dict[str, Any]], Awaitable[httpx.Response]]

RULES = [{"rule": "self.l.all(x, x >= 0)", "message": "must not be negative"}]
SCHEMA = {
    "type": "object",
    "properties": {"l": {"type": "array", "maxItems": 5000, "items": {"type": "integer"}}},
    "x-kubernetes-validations": RULES,
}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "longs.x.io"},
    "spec": {
        "group": "x.io",
        "scope": "Namespaced",
        "names": {"plural": "longs", "singular": "long", "kind": "Long", "listKind": "LongList"},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": SCHEMA}}],
    },
}
LONGS = "/apis/x.io/v1/namespaces/default/longs"
MAPS = "/api/v1/namespaces/default/configmaps"


class Gate(ThreadPoolExecutor):
    """Threads that start when the gate opens."""

    def __init__(self) -> None:
        super().__init__(1)
        self.open = threading.Event()
        self.waiting = asyncio.Event()

    def submit(self, work: Any, /, *given: Any, **named: Any) -> Any:
        """Run something after the gate opens."""
        self.waiting.set()

        def later() -> Any:
            self.open.wait(60)
            return work(*given, **named)

        return super().submit(later)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules above a small cost are never finished in place."""
    monkeypatch.setattr(patience, "IN_PLACE", -1.0)


def long(name: dict[str, str], last: int = 1) -> dict[str, Any]:
    return {"apiVersion": "x.io/v1", "kind": "Long", "metadata": name, "l": [*range(2000), last]}


def served(cluster: EmbeddedCluster, run: Callable[[asgi.Application, Send], Awaitable[None]]) -> None:
    async def whole() -> None:
        application = asgi.Application(cluster)
        transport = httpx.ASGITransport(application)
        async with httpx.AsyncClient(transport=transport, base_url="http://cluster", timeout=60) as client:

            async def send(path: str, content: dict[str, Any]) -> httpx.Response:
                return await client.post(path, json=content)

            made = await send("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION)
            assert made.status_code == 201, made.text
            await run(application, send)

    asyncio.run(whole())


def test_others_are_answered_in_the_meantime(kube_store: EmbeddedCluster) -> None:
    async def run(application: asgi.Application, send: Send) -> None:
        gate = application._threads = Gate()
        slow = asyncio.ensure_future(send(LONGS, long({"name": "a"})))
        await asyncio.wait_for(gate.waiting.wait(), 60)
        for number in range(3):
            assert (await send(MAPS, {"metadata": {"name": f"m{number}"}})).status_code == 201
        assert not slow.done()
        gate.open.set()
        assert (await slow).status_code == 201

    served(kube_store, run)


@pytest.mark.parametrize("name", [{"name": "a"}, {"generateName": "a-"}])
def test_the_verdict_is_the_same(kube_store: EmbeddedCluster, name: dict[str, str]) -> None:
    async def run(_: asgi.Application, send: Send) -> None:
        assert (await send(LONGS, long(name))).status_code == 201
        refused = await send(LONGS, long({"name": "b"}, last=-1))
        assert refused.status_code == 422
        assert refused.json()["details"]["causes"][0]["message"] == "Invalid value: must not be negative"

    served(kube_store, run)


def test_a_request_ends_in_time(kube_store: EmbeddedCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(_: asgi.Application, send: Send) -> None:
        monkeypatch.setattr(asgi, "REQUEST_TIMEOUT", 0.0)
        found = await send(LONGS, long({"name": "a"}))
        assert found.status_code == 504
        why = "request did not complete within requested timeout - context deadline exceeded"
        assert found.json() == {
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": f"Timeout: {why}",
            "reason": "Timeout",
            "details": {},
            "code": 504,
        }
        monkeypatch.undo()
        assert (await send(LONGS, long({"name": "a"}))).status_code == 201

    served(kube_store, run)


def test_ordinary_rules_need_no_thread(kube_store: EmbeddedCluster) -> None:
    async def run(application: asgi.Application, send: Send) -> None:
        gate = application._threads = Gate()
        content = {**long({"name": "a"}), "l": [1, 2, 3]}
        assert (await send(LONGS, content)).status_code == 201
        assert not gate.waiting.is_set()

    served(kube_store, run)
