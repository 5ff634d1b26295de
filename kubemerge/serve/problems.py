"""What is wrong with a request, as the Status that says it: reason, details and causes."""

from __future__ import annotations

import re
from typing import Any

from engine import MergeError

from ..cluster.errors import ApplyConflict, ClusterError, Invalid, StoreError, TooManyRequests
from .http import Answer, answer

_REASONS = (
    ("Invalid value", "FieldValueInvalid"),
    ("Required value", "FieldValueRequired"),
    ("Duplicate value", "FieldValueDuplicate"),
    ("Unsupported value", "FieldValueNotSupported"),
    ("Not found", "FieldValueNotFound"),
    ("Forbidden", "FieldValueForbidden"),
    ("Too long", "FieldValueTooLong"),
    ("Too many", "FieldValueTooMany"),
    ("Internal error", "InternalError"),
)
"""How a problem with a field begins, after the field, and the reason that clients read."""
_PROBLEM = re.compile(r"(?P<field>.*?): (?P<what>(?:%s).*)" % "|".join(word for word, _ in _REASONS), re.DOTALL)  # noqa: UP031 - of braces there are enough


class Problem(ClusterError):
    """A request that the server itself refuses, before the cluster is asked."""

    def __init__(self, code: int, reason: str, message: str, **details: Any) -> None:
        self.code, self.reason, self.details = code, reason, details
        super().__init__(message)


def status(code: int, reason: str, message: str, details: dict[str, Any] | None = None) -> dict[str, Any]:
    """A Status that tells of a failure."""
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "reason": reason,
        **({"details": details} if details else {}),
        "code": code,
    }


def success(details: dict[str, Any]) -> dict[str, Any]:
    """A Status that tells that something was done, and with what."""
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Success",
        "details": details,
    }


def status_of(error: Exception) -> dict[str, Any]:
    """The Status for an error; of one that nobody expected, only its type is told."""
    if isinstance(error, ClusterError):
        message = MergeError.__str__(error)  # without our advice, which is not in the words of the API
        return status(error.code, error.reason, message, _details(error))
    if isinstance(error, (StoreError, MergeError)):
        return status(500, "InternalError", f"Internal error occurred: {error}")
    return status(500, "InternalError", f"Internal error occurred: {type(error).__name__}")


def refused(error: Exception) -> Answer:
    """The answer for an error."""
    found = status_of(error)
    headers = []
    if isinstance(error, TooManyRequests):
        headers.append(("Retry-After", str(error.retry_after)))
    return answer(found, found["code"], *headers)


def _details(error: ClusterError) -> dict[str, Any]:
    if isinstance(error, Problem):
        return error.details
    if isinstance(error, Invalid):
        return {**_invalid(error), "causes": [_cause(one) for one in error.problems]}
    if isinstance(error, ApplyConflict):
        return {"causes": [_conflict(one) for one in error.conflicts]}
    if isinstance(error, TooManyRequests):
        return {"causes": [{"reason": "DisruptionBudget", "message": error.why}]}
    called, name = getattr(error, "called", ""), getattr(error, "name", "")
    if called and not hasattr(error, "taken"):
        kind, _, group = called.partition(".")
        return {"name": name, **({"group": group} if group else {}), "kind": kind}
    return {}


def _invalid(error: Invalid) -> dict[str, Any]:
    """Which object is invalid, as the message says it: `Deployment.apps "web" is invalid`."""
    found = re.match(r'(?P<kind>[^\s."]+)(?:\.(?P<group>\S+))? "(?P<name>[^"]*)" is invalid', MergeError.__str__(error))
    if not found:
        return {}
    group = {"group": found["group"]} if found["group"] else {}
    return {**({"name": found["name"]} if found["name"] else {}), **group, "kind": found["kind"]}


def _cause(problem: str) -> dict[str, Any]:
    found = _PROBLEM.fullmatch(problem)
    if not found:
        return {"message": problem}
    reason = next(reason for word, reason in _REASONS if found["what"].startswith(word))
    return {"reason": reason, "message": found["what"], "field": found["field"]}


def _conflict(one: Any) -> dict[str, Any]:
    return {"reason": "FieldManagerConflict", "message": f"conflict with {one.owner}", "field": str(one.field)}
