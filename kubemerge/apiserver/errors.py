"""How a cluster refuses a request, with the code, the reason and the words of the API server."""

from __future__ import annotations

from collections.abc import Sequence

from engine import MergeError, UnknownKind
from engine.errors import spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engine.serverside.conflicts import FieldConflict

    from .problems import Problem
else:
    Problem = object  # for typing.get_type_hints; most commands find no problem and do without that module

NAMELESS = "The request is invalid: "
"""How a refusal begins, alone, in kubectl's words, where a server speaks of an object without kind and name."""
MODIFIED = "the object has been modified; please apply your changes to the latest version and try again"


class ClusterError(MergeError):
    """A request that a cluster refuses, in the words of the API; `code` and `reason` are those of its Status."""

    code = 500
    reason = "InternalError"
    index: int | None = None
    """Which of several given objects it is about."""
    doing: tuple[str, ...] = ()
    """What was being done with an object when it was refused, the innermost first: `creating`."""

    def __init__(self, message: str = "", *, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice
        """Where to look and what to do, which an API server does not say; often empty."""

    def __str__(self) -> str:
        said = super().__str__()
        return f"{said}; {self.advice}" if self.advice else said


class Unexplained(ClusterError):
    """A refusal for which a server gives no reason that programs can read."""

    reason = ""


class BadRequest(ClusterError):
    """A request that makes no sense, whatever the cluster holds."""

    code, reason = 400, "BadRequest"


class Unauthorized(ClusterError):
    """A request of somebody whom the server does not know."""

    code, reason = 401, "Unauthorized"


class Forbidden(ClusterError):
    """A request that is understood, and not allowed."""

    code, reason = 403, "Forbidden"

    def __init__(self, called: str, name: str, why: str) -> None:
        self.called, self.name = called, name
        super().__init__(f'{called} "{name}" is forbidden: {why}')


class NotFound(ClusterError):
    """An object that does not exist. `called` is its resource, as `deployments.apps`."""

    code, reason = 404, "NotFound"

    def __init__(self, called: str, name: str) -> None:
        self.called, self.name = called, name
        super().__init__(f'{called} "{name}" not found')


class NoResource(ClusterError):
    """A path that nothing is served at: a part of an object that its kind does not have."""

    code, reason = 404, "NotFound"

    def __init__(self) -> None:
        super().__init__("the server could not find the requested resource")


class NoMatch(ClusterError):
    """A kind that the cluster does not serve."""

    code, reason = 404, "NotFound"

    def __init__(self, error: UnknownKind) -> None:
        self.api_version, self.kind = error.api_version, error.kind
        self.may_be_custom: bool = not error.served_in and "." in str(error.api_version).rpartition("/")[0]
        """Whether a CustomResourceDefinition may define the kind: their groups always have a dot."""
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
    """An object that is to be created, and exists already."""

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
"""The types of patches, as requests name them."""


class Expired(ClusterError):
    """A moment that is too long ago for the cluster to know it."""

    code, reason = 410, "Expired"


class TooManyRequests(ClusterError):
    """A request that may be allowed later."""

    code, reason = 429, "TooManyRequests"

    def __init__(self, message: str, why: str = "", retry_after: int = 0) -> None:
        self.why, self.retry_after = why, retry_after
        super().__init__(message)


class UnsupportedMediaType(ClusterError):
    """A type of patch that the kind does not take."""

    code, reason = 415, "UnsupportedMediaType"

    def __init__(self, called: str, patch_type: str, taken: Sequence[str]) -> None:
        self.called, self.patch_type, self.taken = called, patch_type, tuple(taken)
        accepted = ", ".join(MEDIA_TYPES[one] for one in ("json", "merge", "strategic", "apply") if one in taken)
        super().__init__(
            f"the body of the request was in an unknown format - accepted media types include: {accepted}",
            advice=f"{called} do not take a patch of the type {patch_type!r}; send one of the types {', '.join(taken)}",
        )


class Invalid(ClusterError):
    """An object whose content the API does not allow. `problems` holds each `kubemerge.apiserver.Problem` of it.

    `called` is its kind with the group, `Deployment.apps`, and empty where the server names no object.
    """

    code, reason = 422, "Invalid"

    def __init__(
        self, message: str, problems: Sequence[Problem] = (), *, called: str = "", name: str = "", advice: str = ""
    ) -> None:
        self.problems, self.called, self.name = tuple(problems), called, name
        super().__init__(message, advice=advice)

    @staticmethod
    def of(called: str, name: str, problems: Sequence[Problem]) -> Invalid:
        """The refusal of one object, as `Deployment.apps "web" is invalid: ...`."""
        from .problems import listed

        return Invalid(f'{called} "{name}" is invalid: {listed(problems)}', problems, called=called, name=name)


class StoreError(MergeError):
    """A cluster's file that cannot be used; `file` names it. Nothing in it was changed."""

    def __init__(self, file: str, message: str) -> None:
        self.file = file
        super().__init__(message)


class ConnectError(MergeError):
    """A server that cannot be used: it cannot be reached, or nothing says how."""


class ServerUnreachable(ConnectError):
    """A server that does not answer, in the words of kubectl where it has some."""
