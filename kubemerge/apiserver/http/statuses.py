"""What is wrong with a request, as the Status that says it: reason, details and causes."""

from __future__ import annotations

from typing import Any

from engine import MergeError

from ..errors import ApplyConflict, ClusterError, Invalid, NoResource, TooManyRequests
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
from .messages import Answer, answer

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
"""The reason that clients read, by the kind of the problem."""


class RequestError(ClusterError):
    """A request that the server itself refuses, before the cluster is asked."""

    def __init__(self, code: int, reason: str, message: str, **details: Any) -> None:
        self.code, self.reason = code, reason
        self.details = details if reason else None
        super().__init__(message)


def status(code: int, reason: str, message: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    """A Status that tells of a failure."""
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
    """A Status that tells that something was done, with its `details` or its `code`."""
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", **facts}


def status_of(error: Exception) -> dict[str, Any]:
    """The Status for an error; of one that nobody expected, only its type is told."""
    if isinstance(error, ClusterError):
        return status(error.code, error.reason, MergeError.__str__(error), _details(error))
    if isinstance(error, MergeError):
        return status(500, "InternalError", f"Internal error occurred: {error}")
    return status(500, "InternalError", f"Internal error occurred: {type(error).__name__}")


def refused(error: Exception) -> Answer:
    """The answer for an error."""
    found = status_of(error)
    seconds = (found.get("details") or {}).get("retryAfterSeconds")
    return answer(found, found["code"], *([("Retry-After", str(seconds))] if seconds else []))


def _details(error: ClusterError) -> dict[str, Any] | None:
    """What programs read; None if there is nothing, and an empty one where nothing is at a path."""
    if isinstance(error, RequestError):
        return error.details
    if isinstance(error, NoResource):
        return {}
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
        return {"name": name, **({"group": group} if group else {}), "kind": kind}
    return None


def _invalid(error: Invalid) -> dict[str, Any]:
    """The object that is invalid."""
    kind, _, group = error.called.partition(".")
    return {key: value for key, value in (("name", error.name), ("group", group), ("kind", kind)) if value}


def _cause(problem: Problem) -> dict[str, Any]:
    if not problem.kind:
        return {"message": text(problem)}
    return {"reason": _REASONS[problem.kind], "message": body(problem), "field": problem.path}


def _conflict(one: Any) -> dict[str, Any]:
    return {"reason": "FieldManagerConflict", "message": f"conflict with {one.owner}", "field": str(one.field)}
