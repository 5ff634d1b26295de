"""What a server makes of a field in a new object: its fate, as one letter."""

from __future__ import annotations

import gzip
import json
from functools import cache
from itertools import groupby
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, NamedTuple

from kubemerge.apiserver.http.asgi import Application
from kubemerge.apiserver.http.messages import Request as HttpRequest
from kubemerge.apiserver.problem_paths import value_at
from kubemerge.cluster import open_cluster
from tests.conformance.ownership.real.server import NAMESPACE, root_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kubemerge.cluster import Resource
    from kubemerge.testing.field_paths import Path

Object = dict[str, Any]
HERE = FilePath(__file__).parent
REQUESTS, RECORDED = HERE / "requests.jsonl.gz", HERE / "recorded"
KEPT, CHANGED, DROPPED, REJECTED, NOT_SERVED = "kcdr-"
UNKNOWN = "?"
ACCEPTED = 300
MISSING = (404, 405)
ADMIN = (("user", "admin"), ("group", "system:masters"))


class FieldRequest(NamedTuple):
    """A new object that sets one field."""

    api_version: str
    kind: str
    path: Path
    body: Object

    @property
    def called(self) -> str:
        """The kind with its apiVersion, as the recorded files name it."""
        return f"{self.api_version} {self.kind}"

    @property
    def place(self) -> str:
        """The path as text: `spec.containers[0].name`."""
        found = ""
        for step in self.path:
            found += f"[{step}]" if isinstance(step, int) else f".{step}" if found else step
        return found


def fate_of(request: FieldRequest, code: int, answer: Object) -> str:
    """The fate of the field in the response of a server."""
    if code in MISSING:
        return NOT_SERVED
    if code >= ACCEPTED:
        return REJECTED
    stored = value_at(answer, request.path)
    if stored is None:
        return DROPPED
    return KEPT if stored == value_at(request.body, request.path) else CHANGED


@cache
def requests() -> tuple[FieldRequest, ...]:
    """All requests, ordered by kind."""
    with gzip.open(REQUESTS, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return tuple(FieldRequest(one, kind, tuple(path), body) for one, kind, path, body in rows)


def write_requests(found: Iterable[FieldRequest]) -> None:
    ordered = sorted(found, key=lambda one: (one.api_version, one.kind, [str(step) for step in one.path]))
    text = "".join(json.dumps([*one[:2], list(one.path), one.body], sort_keys=True) + "\n" for one in ordered)
    REQUESTS.write_bytes(gzip.compress(text.encode(), mtime=0))


class RecordedRelease(NamedTuple):
    """The fates that a real server gave, and its version."""

    version: str
    fates: dict[tuple[str, str], str]
    """By kind and place."""


def recorded(release: str) -> RecordedRelease:
    """The answers of the real server of a release."""
    version, *lines = (RECORDED / f"{release}.txt").read_text(encoding="utf-8").splitlines()
    letters = {line.rpartition(" ")[0]: line.rpartition(" ")[2] for line in lines}
    fates = {}
    for kind, group in groupby(requests(), key=lambda one: one.called):
        for one, letter in zip(group, letters.get(kind, ""), strict=False):
            fates[kind, one.place] = letter
    return RecordedRelease(version, fates)


def recorded_releases() -> list[str]:
    return sorted((one.stem for one in RECORDED.glob("*.txt")), key=lambda one: int(one.partition(".")[2]))


def write_recorded(release: str, version: str, fates: dict[tuple[str, str], str]) -> None:
    lines = [version]
    for kind, group in groupby(requests(), key=lambda one: one.called):
        letters = "".join(fates.get((kind, one.place), UNKNOWN) for one in group)
        if letters.strip(NOT_SERVED + UNKNOWN):
            lines.append(f"{kind} {letters}")
    RECORDED.mkdir(exist_ok=True)
    (RECORDED / f"{release}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def url_of(resource: Resource) -> str:
    """The path to which new objects are sent."""
    namespace = ["namespaces", NAMESPACE] if resource.namespaced else []
    return "/".join([root_of(resource.api_version), *namespace, resource.plural])


def asker(release: str) -> Callable[[FieldRequest], tuple[int, Object]]:
    """Sends requests to our own server of a release."""
    cluster = open_cluster(":memory:", release=release)
    cluster.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    served = {(one.api_version, one.kind): one for one in cluster.resources()}
    application = Application(cluster)

    def ask(request: FieldRequest) -> tuple[int, Object]:
        resource = served.get(request[:2])
        if resource is None:
            return MISSING[0], {}
        sent = json.dumps(request.body, sort_keys=True).encode()
        headers = {"content-type": "application/json"}
        answer = application.answer(HttpRequest("POST", url_of(resource), {"dryRun": ["All"]}, headers, sent, ADMIN))
        return answer.status, json.loads(answer.body)  # type: ignore[arg-type]

    return ask


def ours(release: str, asked: Iterable[FieldRequest]) -> Iterator[tuple[FieldRequest, str]]:
    """The fate of each field on our server of a release."""
    ask = asker(release)
    for one in asked:
        yield one, fate_of(one, *ask(one))
