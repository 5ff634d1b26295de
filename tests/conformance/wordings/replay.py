"""The recorded requests, and the answers of the embedded cluster to them."""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from kubemerge.cluster import open_cluster
from kubemerge.serve.asgi import Application
from kubemerge.serve.http import Request

from . import asked

HERE = Path(__file__).parent
RELEASE = "1.37"
ADMIN = (("user", "admin"), ("group", "system:masters"))
"""The user of the real server, as impersonation headers."""
Case = dict[str, Any]
"""load: objects as the real server had them. given: requests before the one that counts. ask: that request. code,
message and warnings: the answer of the real server."""
Answer = dict[str, Any]
ACCEPTED = 300
TYPES = {
    "apply": "application/apply-patch+yaml",
    "json": "application/json-patch+json",
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
}
"""The types of patches."""
_WARNING = re.compile(r'299 \S+ "((?:[^"\\]|\\.)*)"')
_DRAWN = (
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "UID"),
    (re.compile(r"(nodePort: Duplicate value: )\d+"), r"\1N"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "TIME"),
    (re.compile(r"resource version: \d+"), "resource version: N"),
    (re.compile(r"ResourceVersion in record \(\d+\)"), "ResourceVersion in record (N)"),
    (re.compile(r'patch: Invalid value: "(?:[^"\\]|\\.)*"'), 'patch: Invalid value: "..."'),
    (re.compile(r"selfType[0-9]+[A-Za-z0-9_.@]*"), "object"),
)
"""What a server draws or takes from its clock, and what has other fields in other servers."""
_GENERATED, _SUFFIX = r'(metadata\.name: Invalid value: "[^"]*)', '[bcdfghjklmnpqrstvwxz2456789]{5}(?=")'
"""A generated name, and its end."""


def request_of(one: Case) -> Request:
    """A request as the server reads it."""
    path, _, query = str(one["path"]).partition("?")
    body = one.get("body")
    sent = b"" if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
    headers = {"content-type": TYPES.get(one.get("kind", ""), "application/json")}
    return Request(one["method"], path, parse_qs(query, keep_blank_values=True), headers, sent, ADMIN)


@cache
def shared() -> Application:
    """An empty cluster for dry runs, which change nothing."""
    return Application(open_cluster(":memory:", release=RELEASE))


def ours(case: Case) -> Answer:
    """The answer of the embedded cluster: a new one if objects have to exist before."""
    if not case.get("load") and not case.get("given"):
        return _answered(shared(), case["ask"])
    with open_cluster(":memory:", release=RELEASE) as cluster:
        if case.get("load"):
            cluster.load(case["load"])
        application = Application(cluster)
        for one in case.get("given", ()):
            found = application.answer(request_of(one))
            if found.status >= ACCEPTED:
                return {"code": 0, "message": f"{one}: {found.body!r}", "warnings": []}
        return _answered(application, case["ask"])


def _answered(application: Application, ask: Case) -> Answer:
    if "set" in ask:
        path = ask["path"].partition("?")[0]
        live = application.answer(request_of({"method": "GET", "path": path})).body
        ask = {**ask, "body": asked.changed(json.loads(live), ask["set"])}  # type: ignore[arg-type]
    found = application.answer(request_of(ask))
    content = json.loads(found.body) if isinstance(found.body, bytes) else {}
    warnings = ", ".join(value for name, value in found.headers if name.lower() == "warning")
    return answer_of(found.status, content, warnings)


def answer_of(code: int, content: Any, warnings: str) -> Answer:
    """What is recorded of an answer: the code, the message of a rejection, and the warnings."""
    message = content.get("message", "") if code >= ACCEPTED and isinstance(content, dict) else ""
    return {"code": code, "message": message, "warnings": [unescaped(one) for one in _WARNING.findall(warnings)]}


def unescaped(text: str) -> str:
    """The text of a quoted string in a header."""
    return re.sub(r"\\(.)", r"\1", text)


def text_of(answer: Answer) -> str:
    """All words of an answer."""
    return "\n".join([answer["message"], *answer["warnings"]])


def comparable(answer: Answer) -> Any:
    """An answer without drawn values. The parts of a message are sorted, because a map is judged in any order."""
    message = re.sub(f"{_GENERATED}{_SUFFIX}", r"\1", str(answer["message"]))
    for pattern, instead in _DRAWN:
        message = pattern.sub(instead, message)
    parts = (message.partition(" is invalid: ")[2] or message).replace("[", "").replace("]", "").split(", ")
    return answer["code"], sorted(parts), sorted(answer["warnings"])


def stored(file: Path) -> list[Case]:
    """The cases of one file."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def store(file: Path, cases: list[Case]) -> None:
    """Write cases to a file. The same cases give the same bytes."""
    lines = "".join(json.dumps(case, separators=(",", ":"), sort_keys=True) + "\n" for case in cases)
    file.write_bytes(gzip.compress(lines.encode(), mtime=0))


def answers(area: str) -> dict[str, Answer]:
    """The recorded answers to the requests of an area, by their digests."""
    file = HERE / "recorded" / f"{area}.json.gz"
    found: dict[str, Answer] = json.loads(gzip.decompress(file.read_bytes())) if file.exists() else {}
    return found


def store_answers(area: str, found: dict[str, Answer]) -> None:
    """Write the answers of an area."""
    data = json.dumps(found, indent=0, sort_keys=True).encode()
    (HERE / "recorded" / f"{area}.json.gz").write_bytes(gzip.compress(data, mtime=0))


def recorded() -> list[Case]:
    """The cases of all files: those that were found by a search, and those that are written by hand."""
    found = [case for file in sorted((HERE / "recorded").glob("*.jsonl.gz")) for case in stored(file)]
    return [*found, *(case for area in asked.areas() for case in asked.answered(area, answers(area)))]
