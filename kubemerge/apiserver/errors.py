"""Errors of cluster requests, with the code, reason and message of the API server."""

from __future__ import annotations

from collections.abc import Sequence

from engine import MergeError, UnknownKind
from engine.errors import spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engine.serverside.conflicts import FieldConflict

    from .problems import Printed, Problem
else:
    Printed = Problem = object  # for typing.get_type_hints; most commands find no problem and do without that module

MODIFIED = "the object has been modified; please apply your changes to the latest version and try again"


class ClusterError(MergeError):
    """A request rejected with an API error. Its Status contains `code` and `reason`."""

    code = 500
    reason = "InternalError"
    index: int | None = None
    """The index of the rejected object, if several were given."""
    doing: tuple[str, ...] = ()
    """The operations on the object when it was rejected, innermost first: `creating`."""

    def __init__(self, message: str = "", *, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice
        """A hint about the cause and the fix, which an API server does not return. Often empty."""

    def __str__(self) -> str:
        said = super().__str__()
        return f"{said}; {self.advice}" if self.advice else said


class UnknownReason(ClusterError):
    """An error without a machine-readable reason."""

    reason = ""


class ConversionFailed(UnknownReason):
    """A custom resource that its conversion webhook does not convert."""


class BadRequest(ClusterError):
    """A request that is invalid whatever the cluster contains."""

    code, reason = 400, "BadRequest"


class Unauthorized(ClusterError):
    """A request by an unknown user."""

    code, reason = 401, "Unauthorized"


class Forbidden(ClusterError):
    """A request that is understood, but not allowed."""

    code, reason = 403, "Forbidden"

    def __init__(self, called: str, name: str, why: str, causes: Sequence[dict[str, str]] = ()) -> None:
        self.called, self.name, self.causes = called, name, tuple(causes)
        super().__init__(f'{called} "{name}" is forbidden: {why}')


class InternalError(ClusterError):
    """An error inside of a server, such as a patched object that it cannot decode."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(f"Internal error occurred: {why}")


def storage_error(what: str, code: int, key: str, problem: str) -> str:
    """Return the text of an error of a server's store."""
    return f"StorageError: {what}, Code: {code}, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: {problem}"


class CorruptObject(InternalError):
    """A stored object that a server cannot read, at a key of its store."""

    def __init__(self, key: str, problem: str) -> None:
        self.problem = problem
        super().__init__(storage_error("corrupt object", 7, key, problem))


class PolicyRejection(ClusterError):
    """A request that an admission policy rejects.

    `causes` are the messages of all denials that the server reports, and `expression` is the failed one, if any.
    """

    def __init__(
        self,
        message: str,
        code: int,
        reason: str,
        called: str,
        name: str,
        causes: Sequence[str] = (),
        expression: str = "",
    ) -> None:
        self.expression = expression
        self.code, self.reason = code, reason
        self.called, self.name, self.causes = called, name, tuple(causes)
        super().__init__(message)


class WebhookDenial(ClusterError):
    """A request that an admission webhook denies, with the parts of its Status."""

    def __init__(self, message: str, code: int, reason: str, details: dict[str, Any] | None) -> None:
        self.code, self.reason, self.details = code, reason, details
        super().__init__(message)


class NotFound(ClusterError):
    """An object that does not exist. `called` is its resource, as `deployments.apps`."""

    code, reason = 404, "NotFound"

    def __init__(self, called: str, name: str) -> None:
        self.called, self.name = called, name
        super().__init__(f'{called} "{name}" not found')


class NoResource(ClusterError):
    """A path that is not served: a subresource that the kind does not have."""

    code, reason = 404, "NotFound"

    def __init__(self) -> None:
        super().__init__("the server could not find the requested resource")


class NoMatch(ClusterError):
    """A kind that the cluster does not serve."""

    code, reason = 404, "NotFound"

    def __init__(self, error: UnknownKind) -> None:
        self.api_version, self.kind = error.api_version, error.kind
        self.may_be_custom: bool = not error.served_in and "." in str(error.api_version).rpartition("/")[0]
        """Whether a CustomResourceDefinition could define the kind: its group contains a dot."""
        parts = []
        if error.served_in:
            parts.append(f"Kubernetes {error.release} does not serve it (served in {spans(error.served_in)})")
        if error.near:
            parts.append("did you mean " + " or ".join(f"{kind} of {api}" for api, kind in error.near) + "?")
        elif not error.served_in:
            parts.append("apply its CustomResourceDefinition first")
        said = f'no matches for kind "{error.kind}" in version "{error.api_version}"'
        super().__init__(said, advice="; ".join(parts))


class AlreadyExists(ClusterError):
    """An object to create that exists already."""

    code, reason = 409, "AlreadyExists"

    def __init__(self, called: str, name: str, *, deleted: bool = False) -> None:
        self.called, self.name = called, name
        super().__init__(f'{"object is being deleted: " if deleted else ""}{called} "{name}" already exists')


class Conflict(ClusterError):
    """A change to an object that has changed since it was read."""

    code, reason = 409, "Conflict"

    def __init__(self, called: str, name: str, why: str = MODIFIED) -> None:
        self.called, self.name = called, name
        super().__init__(f'Operation cannot be fulfilled on {called} "{name}": {why}')


class ApplyConflict(ClusterError):
    """A server-side apply that would change fields of other managers. `conflicts` lists them, each with its manager."""

    code, reason = 409, "Conflict"

    def __init__(self, conflict: FieldConflict) -> None:
        self.conflicts = tuple(conflict.conflicts)
        super().__init__(str(conflict))


MEDIA_TYPES = {
    "json": "application/json-patch+json",
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "apply": "application/apply-patch+yaml",
}
"""The patch types, as requests name them."""


class Expired(ClusterError):
    """A resourceVersion that the cluster no longer has."""

    code, reason = 410, "Expired"


class TooManyRequests(ClusterError):
    """A request that may be allowed later."""

    code, reason = 429, "TooManyRequests"

    def __init__(self, message: str, why: str = "", retry_after: int = 0) -> None:
        self.why, self.retry_after = why, retry_after
        super().__init__(message)


class UnsupportedMediaType(ClusterError):
    """A patch type that the kind does not accept."""

    code, reason = 415, "UnsupportedMediaType"

    def __init__(self, called: str, patch_type: str, taken: Sequence[str]) -> None:
        self.called, self.patch_type, self.taken = called, patch_type, tuple(taken)
        accepted = ", ".join(MEDIA_TYPES[one] for one in ("json", "merge", "strategic", "apply") if one in taken)
        super().__init__(
            f"the body of the request was in an unknown format - accepted media types include: {accepted}",
            advice=f"{called} do not take a patch of the type {patch_type!r}; send one of the types {', '.join(taken)}",
        )


class Invalid(ClusterError):
    """An object that fails validation. `problems` holds one `kubemerge.apiserver.Problem` for each error.

    `called` is its kind with the group, `Deployment.apps`. It is empty where the server names no object.
    """

    code, reason = 422, "Invalid"

    def __init__(
        self, message: str, problems: Sequence[Problem] = (), *, called: str = "", name: str = "", advice: str = ""
    ) -> None:
        self.problems, self.called, self.name = tuple(problems), called, name
        super().__init__(message, advice=advice)

    @staticmethod
    def of(called: str, name: str, problems: Sequence[Problem]) -> Invalid:
        """Return the error for one object, as `Deployment.apps "web" is invalid: ...`."""
        from .problems import aggregate_text

        return Invalid(f'{called} "{name}" is invalid: {aggregate_text(problems)}', problems, called=called, name=name)

    @staticmethod
    def of_patch(value: Printed, why: str, *, advice: str = "") -> Invalid:
        """The refusal of a patch whose result cannot be read. The server names no object."""
        from .problems import invalid

        problem = invalid("patch", value, why)
        return Invalid(f' "" is invalid: {problem}', [problem], advice=advice)


class StoreError(MergeError):
    """A cluster file that cannot be used, named by `file`. Nothing in it was changed."""

    def __init__(self, file: str, message: str) -> None:
        self.file = file
        super().__init__(message)


class ConnectError(MergeError):
    """A server that cannot be used: it is unreachable, or its address is unknown."""


class ServerUnreachable(ConnectError):
    """A server that does not respond, with the message of kubectl if there is one."""
