"""Error responses as cluster errors, with code, reason, message and details."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError
from engine.values.go_json import decode

from ...apiserver.errors import (
    AlreadyExists,
    ApplyConflict,
    BadRequest,
    ClusterError,
    Conflict,
    Expired,
    Forbidden,
    Invalid,
    NoResource,
    NotFound,
    Unauthorized,
    UnsupportedMediaType,
)
from ...apiserver.problems import verbatim
from ...apiserver.unchecked import as_list, as_map, as_text
from . import limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .response import Response

_KINDS: dict[str, type[ClusterError]] = {
    "AlreadyExists": AlreadyExists,
    "BadRequest": BadRequest,
    "Conflict": Conflict,
    "Forbidden": Forbidden,
    "Invalid": Invalid,
    "NotFound": NotFound,
    "UnsupportedMediaType": UnsupportedMediaType,
}
_UNSAID = {
    400: ("BadRequest", "the server rejected our request for an unknown reason"),
    401: ("Unauthorized", "the server has asked for the client to provide credentials"),
    403: ("Forbidden", "unknown"),
    404: ("NotFound", "the server could not find the requested resource"),
    405: ("MethodNotAllowed", "the server does not allow this method on the requested resource"),
    406: ("NotAcceptable", "the server was unable to respond with a content type that the client supports"),
    409: ("Conflict", "the server reported a conflict"),
    415: ("UnsupportedMediaType", "unknown"),
    422: ("Invalid", "the server rejected our request due to an error in our request"),
    429: ("TooManyRequests", "the server has received too many requests and has asked us to try again later"),
    503: ("ServiceUnavailable", "the server is currently unable to handle the request"),
    504: (
        "Timeout",
        "the server was unable to return a response in the time allotted, but may still be processing the request",
    ),
}
"""kubectl's reason and message for a code, for responses of servers or proxies without a Status."""
_NO_PAGE = 300
"""The number of characters shown of a response that is not a Status."""


class OwnedField(NamedTuple):
    """A field of a conflict with its owner, as the server names them."""

    path: str
    manager: str
    operation: str
    subresource: str | None
    api_version: str

    @property
    def field(self) -> str:
        """The path as the API server prints it."""
        return f".{self.path}"


def error_from_response(answer: Response, method: str) -> ClusterError:
    """Return the error for an error response."""
    status = _status(answer)
    if status is None:
        return _unsaid(answer, method)
    message, details = as_text(status.get("message")), as_map(status.get("details"))
    reason = as_text(status.get("reason"))
    code = status["code"] if isinstance(status.get("code"), int) else answer.code
    made = _made(reason, code, message, details)
    made.code, made.reason = code, reason or "Unknown"
    return made


def _status(answer: Response) -> dict[str, Any] | None:
    try:
        found = decode(answer.body)
    except MergeError:
        return None
    return found if isinstance(found, dict) and found.get("kind") == "Status" else None


def _unsaid(answer: Response, method: str) -> ClusterError:
    said = answer.body[:_NO_PAGE].decode("utf-8", "replace").strip()
    unknown = f"the server responded with the status code {answer.code} but did not return more information"
    if answer.code >= 500 and answer.code not in _UNSAID:
        reason, message = (
            "InternalError",
            f"an error on the server ({json.dumps(said)}) has prevented the request from succeeding",
        )
    else:
        reason, message = _UNSAID.get(answer.code, ("", unknown))
    if answer.code == 409 and method == "POST":
        reason = "AlreadyExists"
    made = _made(reason, answer.code, said or message if message == "unknown" else message, {})
    made.code, made.reason = answer.code, reason
    return made


def _made(reason: str, code: int, message: str, details: Mapping[str, Any]) -> ClusterError:
    """The error with the server's message. Other constructors format their messages."""
    causes = [as_map(one) for one in as_list(details.get("causes"))]
    kind, group, name = (as_text(details.get(key)) for key in ("kind", "group", "name"))
    called = f"{kind}.{group}" if group else kind
    if reason == "Invalid":
        problems = [verbatim(as_text(one.get("message")), as_text(one.get("field"))) for one in causes]
        return Invalid(message, problems, called=called, name=name)
    if code == 401:
        return Unauthorized(message)
    if code == 410:
        return Expired(message)
    conflicts = [_conflict(one) for one in causes if one.get("reason") == "FieldManagerConflict"]
    if conflicts:
        return _worded(ApplyConflict, message, conflicts=tuple(conflicts))
    if reason == "NotFound" and not name:
        return _worded(NoResource, message)
    found = _KINDS.get(reason)
    if found is None:
        return ClusterError(message)
    return _worded(found, message, called=called, name=name)


def _worded(kind: type[ClusterError], message: str, **facts: Any) -> ClusterError:
    """An error of this class with this message."""
    made = kind.__new__(kind)
    ClusterError.__init__(made, message)
    for name, value in facts.items():
        setattr(made, name, value)
    return made


_OWNER = re.compile(
    r'conflict with (?P<manager>"(?:[^"\\]|\\.)*")(?: with subresource (?P<part>"(?:[^"\\]|\\.)*"))?'
    r"(?: using (?P<version>\S+))?"
)


def _conflict(cause: Mapping[str, Any]) -> OwnedField:
    """The field of a cause: `conflict with "kubectl" with subresource "scale" using apps/v1`."""
    said = _OWNER.match(as_text(cause.get("message")))
    manager, part = (_unquoted(said[name]) if said else "" for name in ("manager", "part"))
    version = said["version"] if said else None
    operation = "Update" if version else "Apply"
    return OwnedField(as_text(cause.get("field")).lstrip("."), manager, operation, part or None, version or "")


def _unquoted(quoted: str | None) -> str:
    try:
        return str(json.loads(quoted)) if quoted else ""
    except ValueError:
        return (quoted or "").strip('"')


# ---- warnings --------------------------------------------------------------------------------------------------------

_WARNING = re.compile(r'\s*\d{3} \S+ (?P<text>"(?:[^"\\]|\\.)*")(?: "[^"]*")?\s*(?:,|$)')


def warnings_in(headers: Mapping[str, str]) -> Iterator[str]:
    """Return the texts of the headers `Warning: 299 - "text"` of a response, within the limits."""
    everything = headers.get("Warning", "")
    at = 0
    for _ in range(limits.WARNINGS):
        found = _WARNING.match(everything, at)
        if found is None:
            return
        said = re.sub(r"\\(.)", r"\1", found["text"][1:-1])
        yield said if len(said) <= limits.WARNING else f"{said[: limits.WARNING]} ..."
        at = found.end()
