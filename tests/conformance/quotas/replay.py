"""Responses in a comparable form, and those of the embedded cluster."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from kubemerge.apiserver.http.asgi import Application
from kubemerge.cluster import open_cluster

from ..wordings.replay import request_of
from .draw import RELEASE, SETUP, Object

FILE = Path(__file__).parent / "recorded.json.gz"
NAMESPACE: Object = {"apiVersion": "v1", "kind": "Namespace"}
ROOTS = {
    "PriorityClass": "/apis/scheduling.k8s.io/v1/priorityclasses",
    "StorageClass": "/apis/storage.k8s.io/v1/storageclasses",
    "RuntimeClass": "/apis/node.k8s.io/v1/runtimeclasses",
    "DeviceClass": "/apis/resource.k8s.io/v1/deviceclasses",
    "CustomResourceDefinition": "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
}
Answer = dict[str, Any]


def namespace(name: str) -> Object:
    body = {**NAMESPACE, "metadata": {"name": name}}
    return {"method": "POST", "path": "/api/v1/namespaces", "body": body}


def answer(code: int, content: Object, quotas: Object) -> Answer:
    """A response: its code, the message of a rejection, and the status of each quota after it."""
    used = {one["metadata"]["name"]: one.get("status") or {} for one in quotas["items"]}
    return {"code": code, "message": _sorted(content.get("message", "")) if code >= 300 else "", "used": used}


def _sorted(message: str) -> str:
    """A message with its problems in alphabetical order. A server validates maps in any order."""
    head, invalid, problems = message.partition(" is invalid: [")
    return f"{head}{invalid}{', '.join(sorted(problems.removesuffix(']').split(', ')))}" if invalid else message


def quotas_in(name: str) -> str:
    return f"/api/v1/namespaces/{name}/resourcequotas"


def ours(name: str, requests: list[Object], release: str = RELEASE) -> list[Answer]:
    """The responses of an embedded cluster to the requests of a scenario, in the namespace with this name."""
    with open_cluster(":memory:", release=release) as cluster:
        application = Application(cluster)

        def sent(one: Object) -> tuple[int, Object]:
            found = application.answer(request_of(one))
            return found.status, json.loads(found.body) if isinstance(found.body, bytes) and found.body else {}

        for one in SETUP:
            code, content = sent({"method": "POST", "path": ROOTS[one["kind"]], "body": one})
            assert code == 201, content
        assert sent(namespace(name))[0] == 201
        return [answer(*sent(one), sent({"method": "GET", "path": quotas_in(name)})[1]) for one in requests]


def recorded() -> list[Object]:
    """The recorded scenarios: namespace, requests and answers."""
    found: list[Object] = json.loads(gzip.decompress(FILE.read_bytes()))
    return found


def record(scenarios: list[Object]) -> None:
    """Write the scenarios. The same ones give the same bytes."""
    FILE.write_bytes(gzip.compress(json.dumps(scenarios, sort_keys=True).encode(), mtime=0))
