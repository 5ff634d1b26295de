"""Errors as Status objects: reason, details and causes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from engine import MergeError, TooDeep

from ..authorization.attributes import AccessDenied
from ..errors import (
    ApplyConflict,
    ClusterError,
    Forbidden,
    InternalError,
    Invalid,
    NoResource,
    PolicyRejection,
    TooManyRequests,
    WebhookDenial,
)
from ..problems import (
    DUPLICATE,
    FORBIDDEN,
    INTERNAL,
    INVALID,
    NOT_FOUND,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    UNSUPPORTED,
    WRONG_TYPE,
    Problem,
    body,
    text,
)
from ..text.go_text import quoted
from .messages import Response, json_response
from .negotiation import NotAcceptable
from .responses import error_status_response

if TYPE_CHECKING:
    from .messages import Request

_REASONS = {
    INVALID: "FieldValueInvalid",
    WRONG_TYPE: "FieldValueTypeInvalid",
    REQUIRED: "FieldValueRequired",
    DUPLICATE: "FieldValueDuplicate",
    UNSUPPORTED: "FieldValueNotSupported",
    NOT_FOUND: "FieldValueNotFound",
    FORBIDDEN: "FieldValueForbidden",
    TOO_LONG: "FieldValueTooLong",
    TOO_MANY: "FieldValueTooMany",
    INTERNAL: "InternalError",
}
"""The machine-readable reason, by the type of the problem."""


class RequestError(ClusterError):
    """A request that the server rejects before it reaches the cluster."""

    def __init__(self, code: int, reason: str, message: str, **details: Any) -> None:
        self.code, self.reason = code, reason
        self.details = details if reason else None
        super().__init__(message)


def not_allowed() -> RequestError:
    """The error for a method that a path does not support."""
    return RequestError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource")


class PlainTextError(ClusterError):
    """An internal error that a server returns as text, with the URI of the request."""

    code = 500

    def __init__(self, request: Request, why: str) -> None:
        uri = "?".join(filter(None, (request.path, urlencode(request.query, doseq=True))))
        super().__init__(f"Internal Server Error: {quoted(uri)}: {why}".translate(_ESCAPED))


_ESCAPED = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_AS_WRITTEN = ("X-Content-Type-Options", "nosniff")


def status(code: int, reason: str, message: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a Status for a failure."""
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        **({"reason": reason} if reason else {}),
        **({} if details is None else {"details": details}),
        "code": code,
    }


def success(**facts: Any) -> dict[str, Any]:
    """Return a Status for a success, with its `details` or its `code`."""
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", **facts}


def status_of(error: Exception) -> dict[str, Any]:
    """Return the Status for an error. Of an unexpected error, it contains only the type."""
    if isinstance(error, ClusterError):
        return status(error.code, error.reason, MergeError.__str__(error), _details(error))
    if isinstance(error, TooDeep):  # found while decoding the types of the object
        return status(400, "BadRequest", str(error))
    if isinstance(error, MergeError):
        return status(500, "InternalError", f"Internal error occurred: {error}")
    return status(500, "InternalError", f"Internal error occurred: {type(error).__name__}")


def error_response(error: Exception, request: Request | None = None) -> Response:
    """Return the response for an error, in JSON unless the client of the request prefers YAML."""
    if isinstance(error, PlainTextError):
        return Response(f"{error}\n".encode(), error.code, "text/plain; charset=utf-8", (_AS_WRITTEN,))
    found = status_of(error)
    seconds = (found.get("details") or {}).get("retryAfterSeconds")
    headers = (("Retry-After", str(seconds)),) if seconds else ()
    if isinstance(error, AccessDenied) and error.attributes is not None:
        headers = (*headers, _AS_WRITTEN)
    if request is None:
        return json_response(found, found["code"], *headers)
    return error_status_response(request, found, headers)


def _details(error: ClusterError) -> dict[str, Any] | None:
    """The machine-readable details. None if there are none, and empty details for an unknown path."""
    if isinstance(error, (RequestError, WebhookDenial, NotAcceptable)):
        return error.details
    if isinstance(error, NoResource) or (isinstance(error, AccessDenied) and not error.called):
        return {}
    if isinstance(error, InternalError):
        return {"causes": [{"message": error.why}]}
    if isinstance(error, Invalid):
        causes = [_cause(one) for one in error.problems]
        return {**_invalid(error), **({"causes": causes} if causes else {})}
    if isinstance(error, ApplyConflict):
        return {"causes": [_conflict(one) for one in error.conflicts]}
    if isinstance(error, TooManyRequests):
        retry = {"retryAfterSeconds": error.retry_after} if error.retry_after else {}
        return {"causes": [{"reason": "DisruptionBudget", "message": error.why}], **retry}
    called, name = getattr(error, "called", ""), getattr(error, "name", None)
    if called and name is not None:
        kind, _, group = called.partition(".")
        causes = [{"message": one} for one in error.causes] if isinstance(error, PolicyRejection) else []
        causes = list(error.causes) if isinstance(error, Forbidden) else causes
        more = {"causes": causes} if causes else {}
        return {**({"name": name} if name else {}), **({"group": group} if group else {}), "kind": kind, **more}
    return None


def _invalid(error: Invalid) -> dict[str, Any]:
    kind, _, group = error.called.partition(".")
    return {key: value for key, value in (("name", error.name), ("group", group), ("kind", kind)) if value}


def _cause(problem: Problem) -> dict[str, Any]:
    if not problem.kind:
        return {"message": text(problem)}
    return {"reason": _REASONS[problem.kind], "message": body(problem), "field": problem.path}


def _conflict(one: Any) -> dict[str, Any]:
    return {"reason": "FieldManagerConflict", "message": f"conflict with {one.owner}", "field": str(one.field)}
