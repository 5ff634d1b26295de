"""Events in a comparable form, and those of the embedded cluster."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from pathlib import Path
from typing import Any

from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.audit.log import AuditLog
from kubemerge.apiserver.http.audit.policy import AuditPolicy
from kubemerge.apiserver.metadata import SUFFIX
from kubemerge.cluster import open_cluster

from ...conftest import read_yaml
from ..ownership.real.server import TYPES

HERE = Path(__file__).parent
FILE = HERE / "recorded.json.gz"
RELEASE = "1.37"
AGENT = "audited"
Object = dict[str, Any]
_DRAWN = re.compile(
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|"
    rf"(?<=a-)[{SUFFIX}]{{5}}\b|(?<=\"resourceVersion\":\")\d+(?=\")"
)
"""Values that a server draws: uids, times, suffixes and versions."""


def scenario() -> Object:
    found: Object = read_yaml(HERE / "requests.yaml")
    return found


def headers(one: Object) -> dict[str, str]:
    found = {
        "Content-Type": TYPES.get(one.get("type", ""), "application/json"),
        "Accept": one.get("accept", "application/json"),
        "User-Agent": AGENT + "x" * one.get("agent", 0),
    }
    if one.get("token"):
        found["Authorization"] = f"Bearer {one['token']}"
    if one.get("user"):
        found["Impersonate-User"] = one["user"]
    if one.get("groups"):
        found["Impersonate-Group"] = one["groups"][0]
    return found


def body(one: Object) -> bytes:
    if "text" in one:
        return str(one["text"]).encode()
    return json.dumps(one["body"]).encode() if "body" in one else b""


def _without_other_texts(document: Object) -> None:
    """Drop the address of a server, and the descriptions of columns, which the embedded cluster leaves out."""
    document.pop("serverAddressByClientCIDRs", None)
    for row in document.get("rows") or ():
        row["cells"] = [one for one in row["cells"] if not str(one).endswith("s")]  # without the age
    for column in document.get("columnDefinitions") or ():
        column["description"] = ""


def comparable(events: list[Object]) -> list[Object]:
    """The events of the requests, with values that a server draws replaced."""
    found = []
    for event in events:
        if not event["userAgent"].startswith(AGENT):
            continue
        if event["user"]:
            name = event["user"]["username"].removeprefix("kubernetes-")
            event["user"] = {"username": name, "groups": event["user"]["groups"]}
        _without_other_texts(event.get("responseObject") or {})
        text = _DRAWN.sub("*", json.dumps(event, separators=(",", ":"), sort_keys=True))
        found.append(json.loads(text))
    return found


async def _send(application: Application, one: Object) -> None:
    method, url = one["send"].split(" ")
    path, _, query = url.partition("?")
    sent = [(name.lower().encode(), value.encode()) for name, value in headers(one).items()]
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": sent,
        "client": ("127.0.0.1", 1),
    }
    given = False

    async def receive() -> Object:
        nonlocal given
        if given:
            await asyncio.sleep(60)
        given = True
        return {"type": "http.request", "body": body(one)}

    async def send(_: Any) -> None:
        pass

    await application(scope, receive, send)


def ours(file: Path, asked: Object, release: str = RELEASE) -> list[Object]:
    """The events of an embedded cluster, which writes them to a file."""

    async def all_of_them(application: Application) -> None:
        for one in asked["requests"]:
            await _send(application, one)

    with open_cluster(":memory:", release=release) as cluster:
        application = Application(cluster)
        application.audit = AuditLog(str(file), AuditPolicy.of(asked["policy"]))
        asyncio.run(all_of_them(application))
        application.audit.close()
    return comparable([json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()])


def recorded() -> list[Object]:
    found: list[Object] = json.loads(gzip.decompress(FILE.read_bytes()))
    return found


def record(events: list[Object]) -> None:
    FILE.write_bytes(gzip.compress(json.dumps(events, sort_keys=True).encode(), mtime=0))
