"""`/metrics` counts requests, watches and objects with the names and labels of kube-apiserver."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any

from engine import releases
from kubemerge.serve import application

if TYPE_CHECKING:
    from kubemerge.apiserver.cluster import EmbeddedCluster
    from kubemerge.apiserver.http.asgi import Application

MAPS = "/api/v1/namespaces/default/configmaps"
SAMPLE = re.compile(r'([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\]|\\.)*",?)*)\})? ([0-9.e+]+)')


async def ask(served: Application, method: str, path: str, body: Any = None, **headers: str) -> bytes:
    """The body of a response."""
    path, _, query = path.partition("?")
    pieces: list[bytes] = []
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "query_string": query.encode(), "headers": named}

    sent = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if sent.is_set():
            await asyncio.Event().wait()  # the client stays connected
        sent.set()
        return {"type": "http.request", "body": b"" if body is None else json.dumps(body).encode()}

    async def send(message: Any) -> None:
        pieces.append(message.get("body", b""))

    await served(scope, receive, send)
    return b"".join(pieces)


def samples(text: bytes, name: str) -> dict[str, float]:
    """The samples of a metric, with labels as `label=value`. Any other line fails."""
    found = {}
    for line in text.decode().splitlines():
        if line.startswith("#"):
            continue
        match = SAMPLE.fullmatch(line)
        assert match is not None, line
        if match[1] == name:
            labels = re.findall(r'([a-z_]+)="([^"]*)"', match[2] or "")
            found[" ".join(f"{key}={value}" for key, value in labels if value)] = float(match[3])
    return found


def test_requests_are_counted(kube_store: EmbeddedCluster) -> None:
    async def run() -> bytes:
        served = application(kube_store)
        head = {"content_type": "application/json"}
        await ask(served, "POST", f"{MAPS}?dryRun=All", {"metadata": {"name": "a"}}, **head)
        await ask(served, "POST", MAPS, {"metadata": {"name": "a"}}, **head)
        await ask(served, "GET", MAPS)
        await ask(served, "GET", "/api/v1/configmaps")
        for _ in range(2):
            await ask(served, "GET", f"{MAPS}/none")
        apply = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"x": "1"}}
        await ask(served, "PATCH", f"{MAPS}/a?fieldManager=m", apply, content_type="application/apply-patch+yaml")
        await ask(served, "GET", "/readyz")
        await ask(served, "GET", "/apis/no/such")
        review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
        await ask(served, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", review, **head)
        return await ask(served, "GET", "/metrics")

    text = asyncio.run(run())
    of_maps, of_reviews = "component=apiserver", "group=authentication.k8s.io resource=selfsubjectreviews"
    assert samples(text, "apiserver_request_total") == {
        f"code=201 {of_maps} dry_run=All resource=configmaps scope=resource verb=POST version=v1": 1,
        f"code=201 {of_maps} resource=configmaps scope=resource verb=POST version=v1": 1,
        f"code=200 {of_maps} resource=configmaps scope=namespace verb=LIST version=v1": 1,
        f"code=200 {of_maps} resource=configmaps scope=cluster verb=LIST version=v1": 1,
        f"code=404 {of_maps} resource=configmaps scope=resource verb=GET version=v1": 2,
        f"code=200 {of_maps} resource=configmaps scope=resource verb=APPLY version=v1": 1,
        f"code=201 {of_maps} {of_reviews} scope=resource verb=POST version=v1": 1,
        "code=200 subresource=/readyz verb=GET": 1,
    }
    objects = samples(text, "apiserver_resource_objects")
    assert objects["resource=configmaps"] == 2  # one of them is the server's
    assert objects["resource=namespaces"] == 4
    assert objects["group=apps resource=deployments"] == 0
    ((build, value),) = samples(text, "kubernetes_build_info").items()
    assert value == 1
    assert f"git_version=v{releases()[-1]}." in build
    assert len(samples(text, "process_start_time_seconds")) == 1


def test_a_watch_is_counted_while_it_runs_and_at_its_end(kube_store: EmbeddedCluster) -> None:
    labels = "component=apiserver resource=configmaps scope=namespace verb=WATCH version=v1"

    async def run() -> list[bytes]:
        served = application(kube_store)
        watching = asyncio.ensure_future(ask(served, "GET", f"{MAPS}?watch=1&timeoutSeconds=600"))
        while not served.feed._followers:
            await asyncio.sleep(0)
        during = await ask(served, "GET", "/metrics")
        served.feed.end_watches()
        await watching
        return [during, await ask(served, "GET", "/metrics")]

    during, after = asyncio.run(run())
    assert samples(during, "apiserver_longrunning_requests") == {labels: 1}
    assert samples(during, "apiserver_request_total") == {}
    assert samples(after, "apiserver_longrunning_requests") == {labels: 0}
    assert samples(after, "apiserver_request_total") == {f"code=200 {labels}": 1}


def test_checks_are_counted_with_empty_labels(kube_store: EmbeddedCluster) -> None:
    async def run() -> bytes:
        served = application(kube_store)
        for path in ("/healthz", "/readyz/ping", "/nothing"):
            await ask(served, "GET", path)
        return await ask(served, "GET", "/metrics")

    lines = [one for one in asyncio.run(run()).decode().splitlines() if one.startswith("apiserver_request_total{")]
    empty = 'component="",dry_run="",group="",resource="",scope=""'
    assert lines == [
        f'apiserver_request_total{{code="200",{empty},subresource="/healthz",verb="GET",version=""}} 1',
        f'apiserver_request_total{{code="200",{empty},subresource="/readyz/ping",verb="GET",version=""}} 1',
    ]
