"""HTTP requests and responses."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs

from engine.values.go_json import encode

from ..errors import BadRequest
from ..text.go_text import parsed_int

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

IMPERSONATE = "impersonate-"
READS = ("GET", "HEAD")
"""The methods that change nothing."""
JSON = "application/json"
FALSE = frozenset({"false", "0"})
SINGLE = frozenset({"authorization", "content-type"})
"""Headers that may be repeated. A server reads only the first one."""


@dataclass(frozen=True)
class Request:
    """One request with its body."""

    method: str
    path: str
    query: Mapping[str, list[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers by their names in lower case."""
    body: bytes = b""
    impersonation: tuple[tuple[str, str], ...] = ()
    """The impersonation headers in their order, by the rest of their names, which may repeat."""
    audit: Any = field(default=None, compare=False)
    """The AuditRecord for the audit log, if there is one."""

    @staticmethod
    def of(scope: Mapping[str, Any], body: bytes) -> Request:
        """Return the request of an ASGI scope."""
        headers: dict[str, str] = {}
        impersonation = []
        for named, value in scope["headers"]:
            key, text = str(named, "latin-1").lower(), str(value, "utf-8", "replace").strip(" \t")
            if key.startswith(IMPERSONATE):
                impersonation.append((key.removeprefix(IMPERSONATE), text))
            if key not in headers:
                headers[key] = text
            elif key not in SINGLE:
                headers[key] = f"{headers[key]}, {text}"
        query = parse_qs(_without_semicolons(scope["query_string"]), keep_blank_values=True, errors="replace")
        return Request(scope["method"], scope["path"], query, headers, body, tuple(impersonation))

    def asked(self, name: str) -> str:
        """The value of a parameter. Empty if it is missing."""
        return self.query.get(name, ("",))[0]

    def flag(self, name: str) -> bool:
        """Whether a parameter is set. As in the API, only `false` and `0` unset it."""
        return name in self.query and self.asked(name).lower() not in FALSE

    def number(self, name: str) -> int | None:
        """The value of a numeric parameter."""
        text = self.asked(name)
        if not text:
            return None
        found = parsed_int(text)
        if isinstance(found, str):
            raise BadRequest(found)
        return found


def _without_semicolons(query: bytes) -> str:
    """The parameters of a query. Like Go, leave out those with a semicolon."""
    text = str(query, "latin-1")
    return "&".join(one for one in text.split("&") if ";" not in one) if ";" in text else text


class Response(NamedTuple):
    """A response. A body in pieces is streamed."""

    body: bytes | AsyncIterator[bytes]
    status: int = 200
    media_type: str = JSON
    headers: tuple[tuple[str, str], ...] = ()


_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_HUMAN = ("curl", "Wget", "Mozilla/5.0")
_TRUE = ("1", "t", "T", "TRUE", "true", "True")


def is_pretty(request: Request) -> bool:
    """Whether to indent JSON: if the parameter `pretty` is set, or by default for curl, wget and browsers."""
    asked = request.asked("pretty")
    return asked in _TRUE if asked else request.headers.get("user-agent", "").startswith(_HUMAN)


def indent(found: Response) -> Response:
    """Indent the JSON of a response like Go. Values are not parsed, so that they do not change."""
    if not isinstance(found.body, bytes) or not found.body or found.media_type.partition(";")[0] != JSON:
        return found
    pieces: list[str] = []
    depth, before = 0, ""
    for word in _WORD.findall(found.body.decode()):
        if word in ("}", "]"):
            depth -= 1
            joins = before in ("{", "[")
        else:
            joins = before not in ("{", "[", ",")
        pieces.append(word if joins else f"\n{'  ' * depth}{word}")
        if word == ":":
            pieces.append(" ")
        depth += word in ("{", "[")
        before = word
    return found._replace(body="".join(pieces).encode())


def encode_opaque(content: Any) -> str:
    """Encode JSON in an opaque form that a URL may contain."""
    return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")


def ordered_json_response(content: Any, *headers: tuple[str, str]) -> Response:
    """Return a JSON response that keeps the keys in the order of the server's types."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    return Response(text.encode() + b"\n", 200, JSON, headers)


def json_response(content: Any, status: int = 200, *headers: tuple[str, str]) -> Response:
    """Return a JSON response."""
    return Response(encode(content).encode() + b"\n", status, JSON, headers)
