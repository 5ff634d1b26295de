"""The exchanges: consecutive requests on a new cluster, with recorded responses."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from .....conftest import read_yaml
from .expressions import rejected, values
from .lives import life

HERE = Path(__file__).parent
AREAS = sorted(file.stem for file in (HERE / "asked").glob("*.yaml"))
_EARLIER = re.compile(r"\{(rv|uid|continue|token):(\d+)\}")


class Asked(NamedTuple):
    """One request. In its path, headers and body, `{rv:0}` is the resourceVersion of the first response."""

    method: str
    path: str
    body: str
    headers: dict[str, str | list[str]]

    def header_lines(self) -> list[tuple[str, str]]:
        """The headers, each with one value."""
        return [
            (name, value)
            for name, values in self.headers.items()
            for value in ([values] if isinstance(values, str) else values)
        ]


class Answered(NamedTuple):
    """One response."""

    status: int
    headers: dict[str, str]
    body: str


@dataclass(frozen=True)
class Exchange:
    """Consecutive requests."""

    name: str
    requests: tuple[Asked, ...]
    differs: dict[str, str]
    """The reasons of differences, by the number of the response, or * for all."""

    @property
    def digest(self) -> str:
        """A hash of the requests."""
        return hashlib.sha256(json.dumps(self.requests).encode()).hexdigest()[:16]

    def why(self, number: int) -> str | None:
        """The reason for a difference in this response. None if it must be equal."""
        return next((why for one, why in self.differs.items() if fnmatchcase(str(number), one)), None)


def exchanges(area: str) -> list[Exchange]:
    """The exchanges of an area."""
    found = read_yaml(HERE / "asked" / f"{area}.yaml")
    bodies: dict[str, Any] = found.get("bodies") or {}
    return [
        Exchange(
            one["name"],
            tuple(_asked(request, bodies) for request in _requests(one)),
            {str(number): why for number, why in (one.get("differs") or {}).items()},
        )
        for one in found["exchanges"]
    ]


def _requests(one: dict[str, Any]) -> list[Any]:
    """The requests of an exchange: as they are written, those for its expressions, or those about a kind."""
    if "rejected" in one:
        return rejected(one["rejected"])
    if "life" in one:
        return life(one["life"])
    return one.get("requests") or values(one.get("values", ()), one.get("silent", ()))


def _asked(given: str | dict[str, Any], bodies: dict[str, Any]) -> Asked:
    """A request, as `GET /path`, or with a body: `{"POST /path": BODY, type: ..., accept: ...}`."""
    if isinstance(given, str):
        method, _, path = given.partition(" ")
        return Asked(method, path, "", {"user-agent": "tests/1"})
    (first, body), *more = given.items()
    method, _, path = first.partition(" ")
    if isinstance(body, str) and body in bodies:
        body = bodies[body]
    text = body if isinstance(body, str) else "" if body is None else json.dumps(body)
    headers = {"user-agent": "tests/1", **{"content-type" if key == "type" else key: value for key, value in more}}
    if text:
        headers.setdefault("content-type", "application/json")
    return Asked(method, path, text, headers)


@cache
def recorded(area: str) -> dict[str, Any]:
    """The responses of an area by the names of the exchanges."""
    file = HERE / "answered" / f"{area}.json.gz"
    return json.loads(gzip.decompress(file.read_bytes())) if file.exists() else {}


def write_recorded(area: str, rows: dict[str, Any]) -> None:
    """Write the responses of an area."""
    wanted = {one.name: rows[one.name] for one in exchanges(area) if one.name in rows}
    data = gzip.compress(json.dumps(wanted, indent=0).encode(), mtime=0)
    (HERE / "answered").mkdir(exist_ok=True)
    (HERE / "answered" / f"{area}.json.gz").write_bytes(data)


def filled(request: Asked, answers: list[Answered]) -> Asked:
    """The request with values from earlier responses."""

    def value(found: re.Match[str]) -> str:
        lines = answers[int(found[2])].body.splitlines()
        content = json.loads(lines[0])
        if found[1] == "token":
            return str(content["status"]["token"])
        metadata = content["metadata"]
        name = {"rv": "resourceVersion", "uid": "uid", "continue": "continue"}[found[1]]
        return str(metadata[name])

    headers = {
        name: _EARLIER.sub(value, given) if isinstance(given, str) else given for name, given in request.headers.items()
    }
    return request._replace(
        path=_EARLIER.sub(value, request.path), body=_EARLIER.sub(value, request.body), headers=headers
    )


# ---- what is compared -----------------------------------------------------------------------------------------------

_DRAWN = {"uid", "resourceVersion", "creationTimestamp", "time", "deletionTimestamp", "continue", "token"}
_DRAWN |= {"expirationTimestamp", "lastTransitionTime", "lastUpdateTime", "startTime", "nodePort"}
_IN_TEXT = (
    (re.compile(r"https://kubernetes\.default\.svc(\.cluster\.local)?"), "ISSUER"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "UID"),
    (re.compile(r"resource version: \d+"), "resource version: N"),
    (re.compile(r"current: \d+"), "current: N"),
    (re.compile(r"ResourceVersion in object meta: \d+"), "ResourceVersion in object meta: N"),
    (re.compile(r"(too old|precondition|record)(.*?)\(\d+\)"), r"\1\2(N)"),
    (re.compile(r'resourceVersion(\W+)"?\d+\b'), r"resourceVersion\1N"),
    (re.compile(r"\b10\.0\.\d+\.\d+\b"), "ADDRESS"),
    (re.compile(r"^(\d+y)?(\d+d)?(\d+h)?(\d+m)?(\d+s)?$"), "AGE"),
    (re.compile(r"selfType\d+[\w.@]*"), "object"),
    (re.compile(r",\s+application/vnd\.kubernetes\.protobuf(;stream=watch)?"), ""),  # no response is protobuf
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "TIME"),
)


def compared(answered: Answered) -> dict[str, Any]:
    """The reproducible parts of a response."""
    return {
        "status": answered.status,
        "type": answered.headers.get("content-type", ""),
        "warnings": sorted(_text(one) for name, one in answered.headers.items() if name.startswith("warning")),
        "retry": answered.headers.get("retry-after", ""),
        "body": _body(answered.body),
    }


def _body(text: str) -> Any:
    for parts in ([text], text.splitlines()):
        try:
            return [_masked(json.loads(part)) for part in parts]
        except ValueError:
            continue
    return _text(text)


def _masked(value: Any) -> Any:
    if isinstance(value, dict):
        found: dict[str, Any]
        found = {_text(key): "..." if key in _DRAWN and one else _masked(one) for key, one in value.items()}
        if "managedFields" in found:  # their order depends on the second in which each of them was written
            found["managedFields"].sort(key=partial(json.dumps, sort_keys=True))
        for column in found.get("columnDefinitions") or ():
            column.pop("description", None)
        return found
    if isinstance(value, list):
        return [_masked(one) for one in value]
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    for pattern, instead in _IN_TEXT:
        text = pattern.sub(instead, text)
    return text
