"""The recorded requests, and the responses of the embedded cluster to them."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.messages import Request
from kubemerge.cluster import open_cluster

from . import asked
from .masks import masked

HERE = Path(__file__).parent
RELEASE = "1.37"
ADMIN = (("user", "admin"), ("group", "system:masters"))
"""The user of the real server, as impersonation headers."""
Case = dict[str, Any]
"""load: objects as the real server had them. given: requests before the compared one. ask: that request. code, message
and warnings: the response of the real server. differs: the known difference of our response. release: of the server, if
it is not the newest one.
"""
Answer = dict[str, Any]
ACCEPTED = 300
ALIKE = 25
"""Minimum length of a common prefix of two parts that is not shown."""
TYPES = {
    "apply": "application/apply-patch+yaml",
    "json": "application/json-patch+json",
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
}
"""The types of patches."""
_WARNING = re.compile(r'299 \S+ "((?:[^"\\]|\\.)*)"')


def request_of(one: Case) -> Request:
    path, _, query = str(one["path"]).partition("?")
    body = one.get("body")
    text = body if body is None or isinstance(body, str) else json.dumps(body, separators=(",", ":"))
    sent = (text or "").encode()
    headers = {"content-type": TYPES.get(one.get("kind", ""), "application/json")}
    return Request(one["method"], path, parse_qs(query, keep_blank_values=True), headers, sent, ADMIN)


@cache
def shared(release: str) -> Application:
    """An empty cluster for dry runs, which change nothing."""
    return Application(open_cluster(":memory:", release=release))


def release_of(case: Case) -> str:
    """The release of the server that a case is sent to."""
    return str(case.get("release", RELEASE))


def ours(case: Case) -> Answer:
    """The response of the embedded cluster: a new one if objects have to exist before."""
    release = release_of(case)
    if not case.get("load") and not case.get("given"):
        return _answered(shared(release), case["ask"])
    with open_cluster(":memory:", release=release) as cluster:
        if case.get("load"):
            cluster.load(case["load"])
        application = Application(cluster)
        for one in case.get("given", ()):
            if "wait" in one:
                continue
            found = _answered(application, one)
            if found["code"] >= ACCEPTED:
                return {**found, "code": 0}
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
    """The recorded parts of a response: the code, the message of a rejection, and the warnings."""
    message = content.get("message", "") if code >= ACCEPTED and isinstance(content, dict) else ""
    return {"code": code, "message": message, "warnings": [unescaped(one) for one in _WARNING.findall(warnings)]}


def unescaped(text: str) -> str:
    """The text of a quoted string in a header."""
    return re.sub(r"\\(.)", r"\1", text)


def text_of(answer: Answer) -> str:
    """All words of a response."""
    return "\n".join([answer["message"], *answer["warnings"]])


def comparable(answer: Answer) -> Any:
    """A response without drawn values. The parts of a message are sorted, because maps are validated in any order."""
    message = masked(str(answer["message"]))
    parts = (message.partition(" is invalid: ")[2] or message).replace("[", "").replace("]", "").split(", ")
    return answer["code"], sorted(parts), sorted(answer["warnings"])


def difference(answer: Answer, real: Answer) -> str:
    """The difference of our response, in a few words; empty if equal."""
    ours_, theirs = comparable(answer), comparable(real)
    if ours_ == theirs:
        return ""
    more, missing = (Counter(one[1] + one[2]) - Counter(other[1] + other[2]) for one, other in _pairs(ours_, theirs))
    found = [f"code {theirs[0]}, ours {ours_[0]}"] if theirs[0] != ours_[0] else []
    for title, parts, others in (("only the server: ", missing, more), ("only ours: ", more, missing)):
        words = sorted(filter(None, parts))
        if words:
            found.append(title + _distinct(words[0], sorted(others)))
    return "; ".join(found).replace("\n", " ").replace("\t", "\\t")


def _pairs(one: Any, other: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    return (one, other), (other, one)


def _distinct(text: str, others: list[str]) -> str:
    """The beginning of a text; if another one has the same prefix, the rest."""
    same = max((_alike(text, other) for other in others), default=0)
    return f"... {text[same - 12 : same + 58]}" if same > ALIKE else text[:90]


def _alike(one: str, other: str) -> int:
    """The number of equal letters at the beginning of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def stored(file: Path) -> list[Case]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def store(file: Path, cases: list[Case]) -> None:
    """Write cases to a file. The same cases give the same bytes."""
    lines = "".join(json.dumps(case, separators=(",", ":"), sort_keys=True) + "\n" for case in cases)
    file.write_bytes(gzip.compress(lines.encode(), mtime=0))


def answers(area: str) -> dict[str, Answer]:
    """The recorded responses to the requests of an area, by their digests."""
    file = HERE / "recorded" / f"{area}.json.gz"
    found: dict[str, Answer] = json.loads(gzip.decompress(file.read_bytes())) if file.exists() else {}
    return found


def store_answers(area: str, found: dict[str, Answer]) -> None:
    """Write the responses of an area."""
    data = json.dumps(found, indent=0, sort_keys=True).encode()
    (HERE / "recorded" / f"{area}.json.gz").write_bytes(gzip.compress(data, mtime=0))


def recorded() -> list[Case]:
    """The cases of all files, found by a search or handwritten."""
    found = [case for file in sorted((HERE / "recorded").glob("*.jsonl.gz")) for case in stored(file)]
    return [*found, *(case for area in asked.areas() for case in asked.answered(area, answers(area)))]
